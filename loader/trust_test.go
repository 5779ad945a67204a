package loader_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/signers"
	"rulestore/schemas"
)

// signedRepo is a repository whose authors sign with keys that ssh-keygen made;
// two loaders follow it, one that remembers and one that does not.
type signedRepo struct {
	*repo
	anna, mallory string // private key files
	set           *signers.Set
	kept          *loader.Loader
}

func newSignedRepo(t *testing.T, options string) *signedRepo {
	t.Helper()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	dir := t.TempDir()
	r := &signedRepo{repo: newRepo(t)}
	r.anna, r.mallory = sshKey(t, dir, "anna"), sshKey(t, dir, "mallory")
	r.keys = map[string]string{"anna": r.anna, "mallory": r.mallory}
	public, err := os.ReadFile(r.anna + ".pub")
	must(t, err)
	r.trust("# those who publish\nanna@example.org " + options + " " + string(public))
	r.git("config", "gpg.format", "ssh")
	r.play("edit two Два; sign two 1.0.0 anna") // what keeps a repository from being empty
	return r
}

// play is [repo.play].
func (r *signedRepo) play(script string) *signedRepo {
	r.Helper()
	r.repo.play(script)
	return r
}

func (r *signedRepo) trust(file string) {
	r.Helper()
	var err error
	if r.set, err = signers.Parse([]byte(file)); err != nil {
		r.Fatal(err)
	}
	r.kept = r.loader()
}

func (r *signedRepo) loader() *loader.Loader {
	return loader.New(loader.Config{
		Source: git.OnDisk(r.dir), Schemas: schemas.Embedded(), Signers: r.set,
		Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) },
	})
}

// as has the next commits signed with a key; without one they are not signed.
func (r *repo) as(key string) {
	r.Helper()
	r.options, r.signer = []string{"-c", "user.signingKey=" + key, "-c", "commit.gpgSign=" + fmt.Sprint(key != "")}, nil
	if key != "" {
		r.signer = newSSHSigner(r.T, key)
	}
}

// load loads with both loaders, which must agree, and describes what is served
// with who vouches for it.
func (r *signedRepo) load() string {
	r.Helper()
	fresh := describeSigned(r.loader().Load(r.Context()))
	if kept := describeSigned(r.kept.Load(r.Context())); contentOf(kept) != contentOf(fresh) {
		r.Errorf("a loader that remembers says\n%s\na fresh one\n%s", kept, fresh)
	}
	return fresh
}

func describeSigned(result loader.Loaded, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	var b strings.Builder
	for _, it := range result.Snapshot.Items {
		for _, e := range it.Entries {
			fmt.Fprintf(&b, "%s by %s %s, note %q, %s\n", e.Tag(), e.SignedBy.Signer, e.SignedBy.Object, e.ChangeNote,
				e.PublishedAt.Format(time.RFC3339))
		}
	}
	for _, f := range result.Report.Findings {
		fmt.Fprintln(&b, "finding", f)
	}
	return b.String()
}

const one, two = "test.one.001", "test.two.001"

// What is served by whose word. says is looked for in everything that a load says, never in what it serves.
func TestTrusted(t *testing.T) {
	const tag = "guidelines/" + one
	for name, c := range map[string]struct {
		options, script string
		says, never     []string
	}{
		"signed tags alone count": {`namespaces="git"`, `
			edit one Один; sign one 1.0.0 anna; sign one 1.1.0 mallory; publish one 1.2.0; tag ` + tag + `/v1.3.0
		`, []string{
			tag + `/v1.0.0 by anna@example.org tag, note "Signed 1.0.0"`,
			"v1.1.0: error: the tag is not signed by a trusted signer: it is signed with a key that is not trusted: " +
				"SHA256:",
			"v1.2.0: error: the tag is not signed by a trusted signer: it is not signed",
			"the tag is not signed by a trusted signer: it is lightweight, which nobody can sign", "`git tag -s`",
		}, []string{"v1.1.0 by", "v1.2.0 by", "v1.3.0 by"}},
		"a tag that was signed for one version cannot pass for another": {"", `
			edit one Один; sign one 1.0.0 anna; update-ref refs/tags/` + tag + `/v9.0.0 refs/tags/` + tag + `/v1.0.0
		`, []string{"v1.0.0 by anna", `it was signed as "` + tag + `/v1.0.0"`}, []string{"v9.0.0 by"}},
		// Else whoever may push tags could make any version of the past the current one.
		"nobody vouches for a publication of which only the commit is signed": {"", `
			as anna; edit one Один; as nobody; tag -a -m Mallory ` + tag + `/v1.0.0; tag ` + tag + `/v1.1.0
		`, []string{
			"v1.0.0: error: the tag is not signed by a trusted signer: it is not signed",
			"v1.1.0: error: the tag is not signed by a trusted signer: it is lightweight",
		}, []string{"Mallory", "one.001/v1.0.0 by", "v1.1.0 by"}},
		"a seal counts if the commit that added it is signed, and outlives its tag": {"", `
			edit one Один; publish one 1.0.0; as anna; seal; as nobody; tag -d ` + tag + `/v1.0.0
			edit one Ещё раз; publish one 1.1.0; seal
		`, []string{
			"test.one.001/v1.0.0 by anna@example.org seal", "test.two.001/v1.0.0 by anna@example.org tag",
			"the line was added in a commit that no trusted signer signed, so it does not count",
			"v1.1.0: error: the tag is not signed",
		}, []string{"v1.1.0 by"}},
		"who adds a line without a signature gains nothing by choosing the commit's date": {"", `
			checkout -b side; months 3; edit one Один; publish one 1.0.0; seal; months -3; as anna
			edit two Два, ещё раз; sign two 1.1.0 anna; seal; as nobody; checkout main; edit three Три
			merge --no-ff -m Merge side
		`, []string{"two.001/v1.1.0 by anna", "so it does not count"}, []string{"one.001/v1.0.0 by"}},
		"the time that is signed must lie within the line's validity": {
			`valid-after="20260301Z",valid-before="20260401"`, `
			edit one Один; sign one 1.0.0 anna; months 2; sign one 1.1.0 anna; months -12; sign one 1.2.0 anna
		`, []string{"v1.0.0 by anna", "not trusted for that time: SHA256:"}, []string{"v1.1.0 by", "v1.2.0 by"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newSignedRepo(t, c.options).play(c.script)
			got := r.load()
			r.expect(got, c.says...)
			r.refuse(contentOf(got), c.never...)
		})
	}
}

// A signature is over every byte.
func TestTamperedTag(t *testing.T) {
	r := newSignedRepo(t, "").play("edit one Один; sign one 1.0.0 anna")
	ref := "refs/tags/guidelines/" + one + "/v1.0.0"
	for _, c := range [][2]string{{"Signed 1.0.0", "Signed 1.0.1"}, {"-----BEGIN SSH", "More\n-----BEGIN SSH"},
		{"tagger Author", "tagger Mallet"}} {
		raw := r.git("cat-file", "tag", ref)
		file := filepath.Join(t.TempDir(), "tag")
		must(t, os.WriteFile(file, []byte(strings.Replace(raw, c[0], c[1], 1)+"\n"), 0o644))
		r.git("update-ref", "refs/tags/guidelines/"+one+"/v2.0.0",
			r.git("hash-object", "-t", "tag", "-w", "--literally", file))
		got := r.load()
		r.expect(got, "v1.0.0 by anna", "the tag is not signed by a trusted signer: its signature is wrong")
		r.refuse(contentOf(got), "v2.0.0 by")
	}
}

// Who cannot sign cannot take a version by sealing something else first.
func TestUntrustedSealIsNoFirst(t *testing.T) {
	r := newSignedRepo(t, "")
	r.write(sums, content.Seal{
		Tag: "guidelines/" + one + "/v1.0.0", Checksum: "sha256:" + strings.Repeat("0", 64), PublishedAt: r.now,
	}.String()+"\n")
	r.play("commit Mallory was here first; edit one Один; sign one 1.0.0 anna")
	got := r.load()
	r.expect(got, "one.001/v1.0.0 by anna@example.org tag", "so it does not count")
	r.play("empty; as anna; seal")
	got = r.load()
	r.expect(got, "one.001/v1.0.0 by anna@example.org tag")
	r.refuse(got, "so it does not count", "seal-changed", "seal-twice")
}

// A load that fails halfway leaves nothing behind that the next would believe.
func TestTrustAfterFailedLoad(t *testing.T) {
	r := newSignedRepo(t, "").play("edit one Один; publish one 1.0.0; seal")
	r.load()
	for i := range 2 {
		r.as(r.anna)
		r.edit(two, fmt.Sprint("= Два ", i))
		r.signedTag(two, fmt.Sprintf("1.%d.0", i+1), r.anna)
		r.seal()
	}
	blob := r.git("rev-parse", "HEAD:"+content.SealsPath("guidelines/"+two))
	file := filepath.Join(r.dir, ".git", "objects", blob[:2], blob[2:])
	must(t, os.Rename(file, file+".gone"))
	if _, err := r.kept.Load(t.Context()); err == nil {
		t.Fatal("the load does not fail")
	}
	must(t, os.Rename(file+".gone", file))
	got := r.load()
	r.expect(got, "two.001/v1.2.0 by anna", "so it does not count")
	r.refuse(contentOf(got), "one.001/v1.0.0 by")
	if kept := describeSigned(r.kept.Load(t.Context())); strings.Contains(contentOf(kept), "one.001/v1.0.0 by") {
		t.Errorf("what nobody signed is believed\n%s", kept)
	}
}

// Seals that a merge brings: each counts if the commit beside the branch that
// added it is signed. The merge vouches for what it passes on no more than the host of
// a repository does.
func TestTrustedSealsOfMerges(t *testing.T) {
	for name, c := range map[string]struct{ first, second, merge, want string }{
		"all but the merge":  {"anna", "anna", "nobody", "1.0.0 1.1.0"},
		"the merge alone":    {"nobody", "nobody", "anna", ""},
		"the first":          {"anna", "nobody", "nobody", "1.0.0"},
		"the second":         {"nobody", "anna", "nobody", "1.1.0"},
		"nothing":            {"nobody", "nobody", "nobody", ""},
		"a stranger's merge": {"anna", "nobody", "mallory", "1.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newSignedRepo(t, "").play(fmt.Sprintf(`
				checkout -b side; edit one Один; publish one 1.0.0; as %s; seal
				as nobody; edit one Один, ещё раз; publish one 1.1.0; as %s; seal
				as nobody; checkout main; edit two Другое; as %s; merge --no-ff -m Merge side
			`, c.first, c.second, c.merge))
			got := contentOf(r.load())
			var served []string
			for _, v := range []string{"1.0.0", "1.1.0"} {
				if strings.Contains(got, "one.001/v"+v+" by anna@example.org seal") {
					served = append(served, v)
				}
			}
			if s := strings.Join(served, " "); s != c.want {
				t.Errorf("%q is served, expected %q\n%s", s, c.want, r.load())
			}
		})
	}
}

// Releases of the product are publications too.
func TestTrustedReleases(t *testing.T) {
	r := newSignedRepo(t, "")
	r.git("tag", "-a", "v1.0.0", "-m", "Mallory's release")
	r.git("-c", "user.signingKey="+r.anna, "tag", "-s", "v1.1.0", "-m", "Anna's release")
	result, err := r.loader().Load(t.Context())
	if err != nil || len(result.Snapshot.Products) != 1 || result.Report.Count(content.Error) != 1 {
		t.Errorf("%+v, %v, %v", result.Snapshot.Products, result.Report.Findings, err)
	}
}

// Other signers, other content: the snapshot has another name.
func TestSignersNameTheSnapshot(t *testing.T) {
	r := newSignedRepo(t, "")
	trusting, err := r.loader().Load(t.Context())
	must(t, err)
	free, err := r.repo.loader().Load(t.Context())
	must(t, err)
	if trusting.Snapshot.Refs == free.Snapshot.Refs {
		t.Error("both have the same name")
	}
}

// OpenPGP, as gpg makes it.
func TestTrustedOpenPGP(t *testing.T) {
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip("gpg is not installed")
	}
	r := newSignedRepo(t, "")
	home, err := os.MkdirTemp("", "gpg") // a short path: its socket has little room for one
	must(t, err)
	t.Setenv("GNUPGHOME", home)
	t.Cleanup(func() {
		_ = exec.Command("gpgconf", "--homedir", home, "--kill", "all").Run()
		_ = os.RemoveAll(home)
	})
	gpg := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("gpg", append([]string{"--batch", "--quiet", "--passphrase", ""}, args...)...).Output()
		if err != nil {
			t.Fatalf("gpg %v: %v", args, err)
		}
		return string(out)
	}
	for _, who := range []string{"Boris <boris@example.org>", "Mallory <mallory@example.org>"} {
		gpg("--quick-generate-key", who, "ed25519", "sign", "never")
	}
	r.trust("# a key in armour\n" + gpg("--armor", "--export", "boris@example.org") + "\nanna@example.org " +
		string(public(t, r.anna)))
	r.git("config", "gpg.format", "openpgp")
	sign := func(id, version, key string) {
		r.git("-c", "user.signingKey="+key, "tag", "-s", "guidelines/"+id+"/v"+version, "-m", "Signed "+version)
	}
	r.edit(one, "= Один")
	sign(one, "1.0.0", "boris@example.org")
	sign(one, "1.1.0", "mallory@example.org")
	r.write(content.Guidelines.File(one), guideline(one, "= Ещё раз"))
	r.git("-c", "user.signingKey=boris@example.org", "commit", "-q", "-a", "-S", "-m", "Again")
	r.git("tag", "guidelines/"+one+"/v1.2.0")
	r.play("config gpg.format ssh; sign one 1.3.0 anna")
	got := r.load()
	r.expect(got,
		"v1.0.0 by Boris <boris@example.org> tag",
		"v1.2.0: error: the tag is not signed by a trusted signer: it is lightweight", "v1.3.0 by anna@example.org tag",
		"v1.1.0: error: the tag is not signed by a trusted signer: it is signed with a key that is not trusted",
	)
	r.refuse(contentOf(got), "v1.1.0 by")
}

func public(t *testing.T, key string) []byte {
	t.Helper()
	raw, err := os.ReadFile(key + ".pub")
	must(t, err)
	return raw
}
