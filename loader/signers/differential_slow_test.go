//go:build slow

package signers_test

import (
	"bytes"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"

	"rulestore/loader/signers"
)

// against is a repository with git's own judgement: who is trusted there is trusted here.
type against struct {
	dir     string
	env     []string
	set     *signers.Set
	objects []object // signed, as git made them
}

type object struct{ kind, raw string }

// newAgainst makes the repository, with objects that an SSH key and an OpenPGP key
// signed. What is not installed is left out; without git and ssh-keygen there is
// nothing to compare with.
func newAgainst(t testing.TB) *against {
	t.Helper()
	for _, program := range []string{"git", "ssh-keygen"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program, " is not installed")
		}
	}
	dir, err := os.MkdirTemp("", "rs") // a short path: gpg's socket has little room for one
	if err != nil {
		t.Fatal(err)
	}
	a := &against{dir: dir, env: append(os.Environ(), "HOME="+dir, "GNUPGHOME="+dir, "TZ=UTC",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.org",
		"GIT_AUTHOR_DATE=2026-05-01T12:00:00+0300", "GIT_COMMITTER_DATE=2026-05-01T12:00:00-0330")}
	t.Cleanup(func() {
		_, _ = a.run("", "gpgconf", "--homedir", dir, "--kill", "all")
		_ = os.RemoveAll(dir)
	})
	a.must(t, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", dir+"/ssh")
	trusted := "anna@example.org " + read(t, dir+"/ssh.pub")
	if err := os.WriteFile(dir+"/allowed", []byte(trusted), 0o600); err != nil {
		t.Fatal(err)
	}
	a.must(t, "git", "init", "-q", "-b", "main")
	a.must(t, "git", "config", "gpg.ssh.allowedSignersFile", dir+"/allowed")
	a.sign(t, "ssh", dir+"/ssh")
	if _, err := exec.LookPath("gpg"); err == nil {
		a.must(t, "gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", "Boris <boris@example.org>",
			"ed25519", "sign", "never")
		trusted += a.must(t, "gpg", "--armor", "--export", "boris@example.org")
		a.sign(t, "openpgp", "boris@example.org")
	} else {
		t.Log("gpg is not installed: nothing is signed with OpenPGP")
	}
	if a.set, err = signers.Parse([]byte(trusted)); err != nil {
		t.Fatal(err)
	}
	return a
}

// sign makes objects of all layouts that git has, signed with a key.
func (a *against) sign(t testing.TB, format, key string) {
	t.Helper()
	a.must(t, "git", "config", "gpg.format", format)
	a.must(t, "git", "config", "user.signingKey", key)
	commit := func(args ...string) {
		a.must(t, "git", append([]string{"commit", "-q", "-S", "--allow-empty"}, args...)...)
		a.keep(t, "commit", "HEAD")
	}
	commit("-m", "First")
	a.must(t, "git", "-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "-S", "--allow-empty", "-m", "Latin")
	a.keep(t, "commit", "HEAD")
	a.must(t, "git", "tag", "-s", "-m", "Signed\n\nTwice", format+"/v1")
	a.keep(t, "tag", format+"/v1")
	a.must(t, "git", "tag", "-s", "-m", "Of a tag", format+"/v2", format+"/v1")
	a.keep(t, "tag", format+"/v2")
	a.must(t, "git", "checkout", "-q", "-b", format, "HEAD~")
	commit("-m", "Beside\n\n-----BEGIN PGP SIGNATURE-----\n\nnone\n")
	a.must(t, "git", "merge", "-q", "-S", "--no-ff", "-m", "Merge a tag", format+"/v1")
	a.keep(t, "commit", "HEAD")
	commit("--amend", "-m", "Merge it anew")
}

// keep remembers an object, which has to count here as it does for git.
func (a *against) keep(t testing.TB, kind, name string) {
	t.Helper()
	raw, err := a.run("", "git", "cat-file", kind, name)
	if err != nil {
		t.Fatal(err, raw)
	}
	a.objects = append(a.objects, object{kind, raw})
}

func (a *against) run(stdin string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = a.dir, a.env, strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return stderr.String(), err
	}
	return string(out), nil
}

func (a *against) must(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := a.run("", name, args...)
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return out
}

// judge checks an object against git, if it counts here: then it has to count there, and
// say the same. It returns whether it counts.
func (a *against) judge(t *testing.T, o object) bool {
	t.Helper()
	if _, _, err := a.set.Judge(o.kind, []byte(o.raw)); err != nil {
		return false
	}
	id, err := a.run(o.raw, "git", "hash-object", "-t", o.kind, "--literally", "-w", "--stdin")
	if err != nil {
		t.Fatal(err, id)
	}
	id = strings.TrimSpace(id)
	if says, err := a.run("", "git", "verify-"+o.kind, id); err != nil {
		t.Errorf("it counts, and git says %v\n%s\n%q", err, says, o.raw)
	}
	here, there := describe(t, o), a.describe(t, o.kind, id)
	if here != there {
		t.Errorf("it says\n%s\nfor git it says\n%s\n%q", here, there, o.raw)
	}
	return true
}

// describe says what an object says.
func describe(t *testing.T, o object) string {
	t.Helper()
	if o.kind == "tag" {
		tag, err := signers.ReadTag([]byte(o.raw))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s %x %s %d\n", tag.Name, tag.Object, tag.Kind, tag.Tagged.Unix())
	}
	c, err := signers.ReadCommit([]byte(o.raw))
	if err != nil {
		t.Fatal(err)
	}
	parents := make([]string, len(c.Parents))
	for i, p := range c.Parents {
		parents[i] = fmt.Sprintf("%x", p)
	}
	return fmt.Sprintf("%x %s %d %s\n", c.Tree, strings.Join(parents, " "), c.Committed.Unix(),
		c.Committed.Format("-0700"))
}

// describe says what git says of an object.
func (a *against) describe(t *testing.T, kind, id string) string {
	t.Helper()
	if kind == "tag" {
		if err := os.WriteFile(filepath.Join(a.dir, ".git", "refs", "tags", "it"), []byte(id+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return a.must(t, "git", "for-each-ref", "--format=%(tag) %(object) %(type) %(taggerdate:unix)", "refs/tags/it")
	}
	return a.must(t, "git", "log", "-1", "--date=raw", "--format=%T %P %cd", id)
}

// edits are what can be done to a text, given two lines of it and a place in the first.
var edits = []func(lines []string, i, j, at int) []string{
	func(l []string, i, j, _ int) []string { // move a line
		line := l[i]
		l = append(l[:i:i], l[i+1:]...)
		j = min(j, len(l))
		return append(l[:j:j], append([]string{line}, l[j:]...)...)
	},
	func(l []string, i, j, _ int) []string { return append(l[:j:j], append([]string{l[i]}, l[j:]...)...) },
	func(l []string, i, _, _ int) []string { return append(l[:i:i], l[i+1:]...) },
	func(l []string, i, _, at int) []string { // split a line
		at = min(at, len(l[i]))
		return append(l[:i:i], append([]string{l[i][:at], l[i][at:]}, l[i+1:]...)...)
	},
	func(l []string, i, _, _ int) []string { // make one line of two
		if i+1 == len(l) {
			return l
		}
		return append(l[:i:i], append([]string{l[i] + l[i+1]}, l[i+2:]...)...)
	},
	func(l []string, i, j, at int) []string { return with(l, i, at, insertions[j%len(insertions)]) },
	func(l []string, i, j, _ int) []string {
		return append(l[:i:i], append([]string{insertions[j%len(insertions)]}, l[i:]...)...)
	},
	func(l []string, i, j, at int) []string { // change a byte
		if at = min(at, len(l[i])-1); at < 0 {
			return l
		}
		return with(append(l[:i:i], append([]string{l[i][:at] + l[i][at+1:]}, l[i+1:]...)...), i, at, string(rune(j)))
	},
	func(l []string, i, _, _ int) []string { // move the signature of a commit
		text := strings.Join(l, "\n")
		begin := strings.Index(text, "gpgsig ")
		if begin < 0 {
			return l
		}
		end := begin + strings.Index(text[begin:], "\n\n") + 1
		rest := strings.Split(text[:begin]+text[end:], "\n")
		i = min(i, len(rest))
		return append(rest[:i:i], append(strings.Split(strings.TrimSuffix(text[begin:end], "\n"), "\n"),
			rest[i:]...)...)
	},
}

func with(l []string, i, at int, text string) []string {
	at = min(at, len(l[i]))
	return append(l[:i:i], append([]string{l[i][:at] + text + l[i][at:]}, l[i+1:]...)...)
}

var insertions = []string{
	"", " ", "\r", "\t", "\x00", "x", ">", "<", "-", "+", "0", "=", "gpgsig x", "gpgsig-sha256 x", " x", "x y",
	"parent 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	"author A <a@example.org> 1 +0000", "committer A <a@example.org> 1 +0000", "tagger A <a@example.org> 1 +0000",
	"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	"object 4b825dc642cb6eb9a060e54bf8d69288fbee4904", "type commit", "tag v9", "encoding UTF-8",
	"-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----",
	"-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----", "Comment: x",
	"-----BEGIN PGP MESSAGE-----", "\u00a0", "я",
}

// edit does to an object what a script says, four bytes for each step.
func (o object) edit(script []byte) object {
	lines := strings.Split(o.raw, "\n")
	for ; len(script) >= 4 && len(lines) > 0 && len(lines) < 1000; script = script[4:] {
		i, j := int(script[1])%len(lines), int(script[2])%len(lines)
		op := edits[int(script[0])%len(edits)]
		if int(script[0])%len(edits) >= 5 {
			j = int(script[2])
		}
		lines = op(lines, i, j, int(script[3]))
	}
	o.raw = strings.Join(lines, "\n")
	return o
}

// What git signs counts here, in every layout that it has; and whatever is done to that,
// what counts here counts for git, which reads it as it is read here.
func TestAgainstGit(t *testing.T) {
	a := newAgainst(t)
	for i, o := range a.objects {
		if !a.judge(t, o) {
			_, _, err := a.set.Judge(o.kind, []byte(o.raw))
			t.Errorf("object %d does not count: %v\n%s", i, err, o.raw)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	const tries = 20_000
	counted := 0
	for n := 0; n < tries && !t.Failed(); n++ {
		script := make([]byte, 4*(1+random.IntN(3)))
		for i := range script {
			script[i] = byte(random.Uint32())
		}
		o := a.objects[random.IntN(len(a.objects))]
		if edited := o.edit(script); edited.raw != o.raw && a.judge(t, edited) {
			counted++
		}
	}
	t.Logf("%d of %d count although they were changed", counted, tries)
}

// Each line of each object: moved and repeated to every place, dropped, split, joined to
// the next, and with all that could mislead a reader in it and above it.
func TestEveryLineAgainstGit(t *testing.T) {
	a := newAgainst(t)
	for _, o := range a.objects {
		seen := map[string]bool{o.raw: true}
		lines := len(strings.Split(o.raw, "\n"))
		for op := range edits {
			for i := range lines {
				for j := range max(lines, len(insertions)) {
					for _, at := range []byte{0, 7} {
						if e := o.edit([]byte{byte(op), byte(i), byte(j), at}); !seen[e.raw] {
							seen[e.raw] = true
							a.judge(t, e)
						}
					}
				}
			}
		}
	}
}

func FuzzAgainstGit(f *testing.F) {
	a := newAgainst(f)
	for n := range a.objects {
		f.Add(n, []byte{8, 1, 0, 0})
		f.Add(n, []byte{0, 3, 1, 0, 6, 2, 12, 0})
	}
	f.Fuzz(func(t *testing.T, n int, script []byte) {
		o := a.objects[uint(n)%uint(len(a.objects))]
		if e := o.edit(script[:min(len(script), 40)]); e.raw != o.raw {
			a.judge(t, e)
		}
	})
}

// Each bit of each byte of a signature itself, in armor that fits: what counts here
// counts for ssh-keygen and for gpg.
func TestEveryBitOfSignatures(t *testing.T) {
	a := newAgainst(t)
	if err := os.WriteFile(a.dir+"/payload", []byte(payload), 0o600); err != nil {
		t.Fatal(err)
	}
	sshSig := a.must(t, "ssh-keygen", "-Y", "sign", "-n", "git", "-f", a.dir+"/ssh", a.dir+"/payload")
	if sshSig == "" {
		sshSig = read(t, a.dir+"/payload.sig")
	}
	t.Run("ssh", func(t *testing.T) {
		block, _ := pem.Decode([]byte(sshSig))
		a.flip(t, block.Bytes, func(raw []byte) string {
			return string(pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: raw}))
		}, "ssh-keygen", "-Y", "verify", "-n", "git", "-I", "anna@example.org", "-f", a.dir+"/allowed", "-s")
	})
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip("gpg is not installed")
	}
	t.Run("gpg", func(t *testing.T) {
		block, err := armor.Decode(strings.NewReader(a.must(t, "gpg", "--batch", "--armor", "--detach-sign",
			"--local-user", "boris@example.org", "--output", "-", a.dir+"/payload")))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(block.Body)
		if err != nil {
			t.Fatal(err)
		}
		a.flip(t, raw, func(raw []byte) string {
			var b bytes.Buffer
			w, err := armor.Encode(&b, openpgp.SignatureType, nil)
			if err == nil {
				_, err = w.Write(raw)
			}
			if err := errors.Join(err, w.Close()); err != nil {
				t.Fatal(err)
			}
			return b.String() + "\n"
		}, "gpg", "--batch", "--verify", "-", a.dir+"/payload")
	})
}

// flip changes a signature bit by bit, cuts it and adds to it. The program verifies what
// counts: ssh-keygen has the signature in a file and gpg from its input.
func (a *against) flip(t *testing.T, raw []byte, armored func([]byte) string, program string, args ...string) {
	try := func(raw []byte) bool {
		signature := armored(raw)
		if _, err := a.set.Verify([]byte(payload), []byte(signature), time.Now()); err != nil {
			return false
		}
		in, args := signature, args
		if program == "ssh-keygen" {
			file := a.dir + "/tried"
			if err := os.WriteFile(file, []byte(signature), 0o600); err != nil {
				t.Fatal(err)
			}
			in, args = payload, append(slices.Clone(args), file)
		}
		if says, err := a.run(in, program, args...); err != nil {
			t.Errorf("it counts, and %s says %v\n%s\n%s", program, err, says, signature)
		}
		return true
	}
	if !try(raw) {
		t.Fatal("the signature itself does not count")
	}
	for i := range raw {
		for bit := range 8 {
			changed := bytes.Clone(raw)
			changed[i] ^= 1 << bit
			try(changed)
		}
		try(raw[:i])
		try(append(raw[:i:i], append([]byte{0}, raw[i:]...)...))
	}
	try(append(bytes.Clone(raw), 0))
	try(append(bytes.Clone(raw), raw...))
}
