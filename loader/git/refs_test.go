package git_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"rulestore/loader/git"
)

// Tags are listed as git lists them, wherever they are kept and whatever they
// are called.
func TestTagsAsGitListsThem(t *testing.T) {
	r := newRepo(t)
	first := r.put("rule.yaml", "1\n")
	for _, name := range []string{
		"v1.0.0", "guidelines/fraud.ai-deepfake-impersonation.001/v1.2.0", "a/b/c/d/e/v1", "версия/1.0", "with+plus",
		"a@b", "a'b\"c", "#1", "%41", "x.locks", "lock", "a\u00a0b", "a\u3000b",
		"refs/tags/nested", "heads/main", "HEAD2",
	} {
		r.git("tag", name)
		r.git("tag", "-a", "-m", "annotated", name+"-annotated")
	}
	r.git("update-ref", "refs/tags/HEAD", first.String())
	check := func(what string) {
		t.Helper()
		refs, err := r.refs("")
		if err != nil {
			t.Fatal(what, err)
		}
		var got []string
		for _, tag := range refs.Tags {
			got = append(got, tag.OID.String()+" refs/tags/"+tag.Name)
		}
		want := lines(r.git("for-each-ref", "--format=%(objectname) %(refname)", "refs/tags"))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\ngit says\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if !slices.IsSortedFunc(refs.Tags, func(a, b git.Ref) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("%s: not sorted", what)
		}
	}
	check("loose")
	r.git("pack-refs", "--all")
	check("packed")
	r.put("rule.yaml", "2\n")
	r.git("tag", "later")
	r.git("tag", "--force", "v1.0.0")
	r.git("tag", "-d", "lock", "a/b/c/d/e/v1", "a/b/c/d/e/v1-annotated")
	check("packed and loose, a packed one moved, others deleted")
	r.git("tag", "a/b")
	check("a tag where a folder was")
	r.git("pack-refs", "--all")
	r.git("gc", "--quiet")
	check("packed again")
}

func TestBranchNames(t *testing.T) {
	r := newRepo(t)
	head := r.put("rule.yaml", "1\n")
	next := map[string]git.OID{"main": head}
	for _, name := range []string{"a\u00a0b", "a\u00a0c", "tags/v1", "remotes/origin/main", "heads/main", "ветка/1"} {
		r.git("checkout", "--quiet", "-b", name)
		next[name] = r.put("rule.yaml", name)
	}
	for name, want := range next {
		r.git("checkout", "--quiet", name, "--")
		for _, ask := range []string{name, "refs/heads/" + name, ""} {
			refs, err := r.refs(ask)
			if err != nil || refs.Branch != name || refs.Commit != want || !refs.Head {
				t.Errorf("asked for %q on %q: %+v, %v", ask, name, refs, err)
			}
		}
	}
}

// A crash leaves lock files behind. They are not refs, empty or not.
func TestLockFiles(t *testing.T) {
	r := newRepo(t)
	head := r.put("rule.yaml", "1\n")
	r.git("tag", "rules/v1.0.0")
	before, err := r.refs("")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HEAD", "index", "packed-refs", "config", "refs/heads/main", "refs/heads/other",
		"refs/tags/rules/v1.0.0", "refs/tags/rules/v2.0.0", "refs/tags/top"} {
		for _, text := range []string{"", head.String() + "\n", "ref: refs/heads/other\n"} {
			lock := filepath.Join(r.dir, ".git", name+".lock")
			writeFile(t, lock, text)
			after, err := r.refs("")
			if err != nil || after.Hash() != before.Hash() || len(after.Tags) != 1 {
				t.Errorf("with %s.lock holding %q: %+v, %v", name, text, after, err)
			}
			if err := os.Remove(lock); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A pipe in the place of packed-refs is an error, as somebody may never write to it.
func TestPipeInPlaceOfPackedRefs(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "1\n")
	if err := syscall.Mkfifo(filepath.Join(r.dir, ".git/packed-refs"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := r.refs("")
	mustFail(t, err, "this is no regular file")
}

// A crash leaves empty and broken files of refs behind: who serves the branch hears of it, and it is worth
// another try; a tag has no object, and a branch of somebody else concerns nobody.
func TestBrokenRefs(t *testing.T) {
	r := newRepo(t)
	id := r.put("rule.yaml", "1\n").String()
	for i, c := range []struct{ file, text, says, tag string }{
		{"refs/tags/v1.0.0", "", "", "v1.0.0"},
		{"refs/tags/v1.0.0", "\x00\x00\x00", "", "v1.0.0"},
		{"refs/tags/v1.0.0", id[:39] + "\n", "", "v1.0.0"},
		{"refs/tags/v1.0.0", id + "0\n", "", "v1.0.0"},
		{"refs/tags/v1.0.0", strings.Repeat("0", 40), "", "v1.0.0"},
		{"refs/heads/side", "main", "", ""},
		{"refs/heads/side", "", "", ""},
		{"refs/heads/main", "", `refs/heads/main says, "", is no id`, ""},
		{"HEAD", "main", `HEAD says, "main", is no id of an object; if that stays so, delete the file`, ""},
		{"packed-refs", id[:39] + " refs/tags/v1.0.0\n", "", "v1.0.0"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			file := filepath.Join(r.dir, ".git", c.file)
			before, _ := os.ReadFile(file)
			writeFile(t, file, c.text)
			refs, err := r.refs("")
			switch {
			case c.says != "":
				mustFail(t, err, "list refs", c.says)
				if !git.IsTransient(err) {
					t.Errorf("%s with %q: not worth another try", c.file, c.text)
				}
			case err != nil || refs.Commit.String() != id:
				t.Errorf("%s with %q: %+v, %v", c.file, c.text, refs, err)
			case c.tag == "" && len(refs.Tags) > 0, c.tag != "" && !slices.Equal(refs.Tags, []git.Ref{{Name: c.tag}}):
				t.Errorf("%s with %q: %+v", c.file, c.text, refs.Tags)
			}
			if before != nil {
				writeFile(t, file, string(before))
			} else if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A branch may name another one, as main does where tools still say master; git follows five of them.
func TestSymbolicBranches(t *testing.T) {
	r := newRepo(t)
	head := r.put("rule.yaml", "1\n")
	r.git("symbolic-ref", "refs/heads/master", "refs/heads/main")
	r.git("symbolic-ref", "refs/heads/old", "refs/heads/master")
	r.git("symbolic-ref", "refs/heads/lost", "refs/heads/nowhere")
	r.git("symbolic-ref", "refs/heads/round", "refs/heads/about")
	r.git("symbolic-ref", "refs/heads/about", "refs/heads/round")
	for _, at := range []string{"main", "master", "old"} {
		r.git("symbolic-ref", "HEAD", "refs/heads/"+at)
		for _, ask := range []string{"", "main", "master", "refs/heads/old"} {
			refs, err := r.refs(ask)
			if err != nil || refs.Branch != "main" || refs.Commit != head || !refs.Head || refs.Fixed {
				t.Errorf("HEAD is %s, asked for %q: %+v, %v", at, ask, refs, err)
			}
		}
	}
	for _, ask := range []string{"lost", "round"} {
		_, err := r.refs(ask)
		mustFail(t, err, "there is no branch, tag or commit", "choose one with --ref: main;")
	}
}

// A tag that packed-refs has twice, which only a hand can write, is one tag, and which
// one does not depend on chance.
func TestPackedTwice(t *testing.T) {
	r := newRepo(t)
	a, b := r.put("rule.yaml", "1\n").String(), r.put("rule.yaml", "2\n").String()
	want := ""
	for _, order := range [][]string{{a, b}, {b, a}, {a, b, a}} {
		text := ""
		for _, id := range order {
			text += id + " refs/tags/v1.0.0\n"
		}
		writeFile(t, filepath.Join(r.dir, ".git/packed-refs"), text)
		refs, err := r.refs("")
		if err != nil || len(refs.Tags) != 1 {
			t.Fatalf("%d tags, %v", len(refs.Tags), err)
		}
		if want == "" {
			want = refs.Tags[0].OID.String()
		}
		if got := refs.Tags[0].OID.String(); got != want {
			t.Errorf("in the order %v it is %s, before it was %s", order, got, want)
		}
	}
}

// What serves nothing is not looked at, whatever it holds.
func TestOtherRefs(t *testing.T) {
	r := newRepo(t)
	head := r.put("rule.yaml", "1\n")
	r.git("tag", "v1.0.0")
	git := filepath.Join(r.dir, ".git")
	for file, text := range map[string]string{
		"refs/remotes/origin/main": "", "refs/notes/commits": "nothing", "refs/other": "",
		"refs/tags/v1.0.0-again": "ref: refs/tags/v1.0.0\n",
		"packed-refs": "# pack-refs with: peeled fully-peeled sorted \n\nnonsense\n" + head.String() +
			" refs/remotes/origin/x\nx refs/pull/1\n^" + head.String() + "\n" +
			strings.Repeat("1", 40) + " refs/tags/v1.0.0\n",
	} {
		t.Run(file, func(t *testing.T) {
			writeFile(t, filepath.Join(git, file), text)
		})
	}
	symlink(t, "main", filepath.Join(git, "refs/heads/link"))
	symlink(t, "nowhere", filepath.Join(git, "refs/heads/dangling"))
	for _, branch := range []string{"main", "link"} {
		refs, err := r.refs(branch)
		if err != nil || refs.Branch != branch || refs.Commit != head || len(refs.Tags) != 1 ||
			refs.Tags[0].OID != head {
			t.Errorf("%s: %+v, %v", branch, refs, err)
		}
	}
}

// The hash of the refs changes with what is served, and with nothing else; and whoever listed them is told.
func TestRefsHash(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "1\n")
	r.git("branch", "side")
	r.git("tag", "v1.0.0")
	r.git("tag", "v1.1.0")
	hash := func() string {
		t.Helper()
		refs, err := r.refs("main")
		if err != nil {
			t.Fatal(err)
		}
		return refs.Hash()
	}
	seen, last := map[string]string{}, ""
	for _, c := range []struct {
		what    string
		do      func()
		changes bool
	}{
		{"nothing", func() {}, true}, // the first hash there is
		{"a commit on the branch", func() { r.put("rule.yaml", "2\n") }, true},
		{"a commit on another branch", func() {
			r.git("checkout", "--quiet", "side")
			r.put("rule.yaml", "4\n")
		}, false},
		{"another HEAD", func() { r.git("checkout", "--quiet", "main") }, false},
		{"a collection", func() { r.git("gc", "--quiet", "--prune=now") }, false},
		{"a tag", func() { r.git("tag", "v2.0.0") }, true},
		{"the same tag, annotated", func() { r.git("tag", "--force", "-a", "-m", "message", "v2.0.0") }, true},
		{"a tag moved", func() { r.git("tag", "--force", "v1.1.0", "main") }, true},
		{"a tag deleted", func() { r.git("tag", "-d", "v2.0.0") }, true},
		{"a tag renamed", func() { r.git("tag", "v1.2.0", "v1.1.0"); r.git("tag", "-d", "v1.1.0") }, true},
		{"the branch set back", func() { r.git("reset", "--quiet", "--hard", "HEAD~1") }, true},
	} {
		before, repo := last, r.open()
		all := func(string) bool { return true }
		listed, err := repo.RefsOf("main", all)
		if err != nil {
			t.Fatal(err)
		}
		c.do()
		now := hash()
		if still, err := repo.Still(listed, "main", all); err != nil || still != (now == listed.Hash()) {
			t.Errorf("%s: the refs are still those that were listed: %t, %v", c.what, still, err)
		}
		if changed := now != before; changed != c.changes {
			t.Errorf("%s: the hash changed: %t, expected %t", c.what, changed, c.changes)
		}
		if other, ok := seen[now]; ok && c.changes {
			t.Errorf("%s: the hash is that of %q", c.what, other)
		}
		seen[now], last = c.what, now
	}

	a, err := r.refs("main")
	if err != nil {
		t.Fatal(err)
	}
	r.git("branch", "--force", "side", "main")
	b, err := r.refs("side")
	if err != nil || a.Commit != b.Commit || a.Hash() == b.Hash() {
		t.Errorf("two branches at one commit have the hashes %s and %s, %v", a.Hash(), b.Hash(), err)
	}
}

// A tag leads to a commit by itself, through tag objects, or not at all.
func TestTags(t *testing.T) {
	r := newRepo(t)
	r.write("folder/rule.yaml", "1\n")
	head := r.commit("first")
	r.git("tag", "light")
	r.now = r.now.Add(24 * 60 * 60 * 1e9)
	r.git("tag", "-a", "-m", "Subject\n\nBody\n\nTrailer: x", "annotated")
	inner := r.now
	r.now = r.now.Add(24 * 60 * 60 * 1e9)
	r.git("tag", "-a", "-m", "Outer", "outer", "annotated")
	r.git("tag", "blob", "HEAD:folder/rule.yaml")
	r.git("tag", "tree", "HEAD:folder")
	r.git("tag", "-a", "-m", "message", "of-blob", "blob")
	r.git("tag", "-a", "-m", "message", "of-of-blob", "of-blob")
	chain := "light"
	for i := range 8 {
		r.git("tag", "-a", "-m", "message", fmt.Sprint("chain", i), chain)
		chain = fmt.Sprint("chain", i)
	}
	object := fmt.Sprintf("object %s\ntype commit\ntag made-by-hand\n", head)
	untagged := r.gitInput(object+"\nwithout a tagger\n", "hash-object", "-t", "tag", "-w", "--literally", "--stdin")
	r.git("update-ref", "refs/tags/untagged", untagged)
	signed := r.gitInput(object+"tagger A <a@rulestore.example> 1770000000 +0300\n\nSigned\n"+
		"-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n", "hash-object",
		"-t", "tag", "-w", "--stdin")
	r.git("update-ref", "refs/tags/signed", signed)

	repo := r.open()
	for name, want := range map[string]git.Tag{
		"light":     {Commit: head},
		"annotated": {Commit: head, Annotated: true, Tagged: inner, Message: "Subject\n\nBody\n\nTrailer: x\n"},
		"outer":     {Commit: head, Annotated: true, Tagged: r.now, Message: "Outer\n"},
		"chain6":    {Commit: head, Annotated: true, Tagged: r.now, Message: "message\n"},
		"untagged":  {Commit: head, Annotated: true, Message: "without a tagger\n"},
		"signed":    {Commit: head, Annotated: true, Tagged: inner, Message: "Signed\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := repo.Tag(r.oid("refs/tags/" + name))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			if name == "signed" {
				want.Tagged = got.Tagged
				if got.Tagged.Unix() != 1770000000 {
					t.Errorf("signed at %s", got.Tagged)
				}
			}
			if !got.Tagged.Equal(want.Tagged) {
				t.Errorf("%s was tagged at %s, expected %s", name, got.Tagged, want.Tagged)
			}
			got.Tagged = want.Tagged
			if got != want {
				t.Errorf("%s is %+v, expected %+v", name, got, want)
			}
		})
	}
	for name, says := range map[string]string{"blob": "to a blob", "tree": "to a tree", "of-blob": "to a blob",
		"of-of-blob": "to a blob", "chain7": "more than 8 tags"} {
		t.Run(name, func(t *testing.T) {
			_, err := repo.Tag(r.oid("refs/tags/" + name))
			mustFail(t, err, "does not point to a commit", says)
			if git.IsTransient(err) {
				t.Errorf("%s: %v passes for transient", name, err)
			}
		})
	}
	if _, err := repo.Tag(git.BlobOID([]byte("nothing"))); !git.IsTransient(err) {
		t.Errorf("a tag of nothing: %v", err)
	}
}

func TestParseOID(t *testing.T) {
	r := newRepo(t)
	r.write("rule.yaml", "1\n")
	if id := git.BlobOID([]byte("1\n")); id != r.oid(r.git("hash-object", "-w", "rule.yaml")) {
		t.Errorf("%s is another id than git's", id)
	}
	for _, s := range []string{"", strings.Repeat("0", 39), strings.Repeat("0", 64), strings.Repeat("g", 40)} {
		if _, err := git.ParseOID(s); err == nil {
			t.Errorf("%q is an id", s)
		}
	}
}

// An error names some branches, not a million.
func TestManyBranches(t *testing.T) {
	r := newRepo(t)
	head := r.put("rule.yaml", "1\n")
	var list strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&list, "%s refs/heads/b%03d\n", head, i)
	}
	writeFile(t, filepath.Join(r.dir, ".git/packed-refs"), list.String())
	_, err := r.refs("gone")
	mustFail(t, err, `there is no branch, tag or commit "gone": choose one with --ref: b000, b001, `,
		"b019, and 981 more")
}

// Refs of others, such as those of pull requests, are not kept in memory: neither while
// packed-refs is read nor later, by the names of the tags between them.
func TestManyRefsOfOthers(t *testing.T) {
	r := newRepo(t)
	head := r.put("rule.yaml", "1\n")
	var list strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&list, "%s refs/pull/%06d/head\n", head, i)
	}
	fmt.Fprintf(&list, "%s refs/heads/main\n%s refs/tags/rules/v1.0.0\n", head, head)
	writeFile(t, filepath.Join(r.dir, ".git/packed-refs"), list.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	refs, err := r.refs("")
	runtime.ReadMemStats(&after)
	if err != nil || len(refs.Tags) != 1 {
		t.Fatalf("%v: %v", refs, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > uint64(list.Len())/4 {
		t.Errorf("%d bytes of memory for a file of %d", took, list.Len())
	}
}

// A line that is longer than the name of any ref is refused, not read to its end.
func TestLongLineOfPackedRefs(t *testing.T) {
	r := newRepo(t)
	head := r.put("rule.yaml", "1\n")
	writeFile(t, filepath.Join(r.dir, ".git/packed-refs"), head.String()+" refs/tags/"+strings.Repeat("a", 1<<20)+"\n")
	_, err := r.refs("")
	mustFail(t, err, "packed-refs has a line of more than 65536 bytes")
}
