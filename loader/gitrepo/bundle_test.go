package gitrepo_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rulestore/loader/gitcmd"
	"rulestore/loader/gitrepo"
)

// published is a repository with some history and a few tags.
func published(t *testing.T) *repo {
	t.Helper()
	r := newRepo(t)
	for _, name := range []string{"a", "b", "c"} {
		r.put(name+".yaml", strings.Repeat("a line of "+name+"\n", 200))
		r.git("tag", "-am", name, "rules/"+name+"/v1.0.0")
	}
	return r
}

// bundleOf writes a bundle by git itself.
func (r *repo) bundleOf(name string, revisions ...string) string {
	r.t.Helper()
	file := filepath.Join(r.t.TempDir(), name)
	r.git(append([]string{"bundle", "create", "--quiet", file}, revisions...)...)
	return file
}

func follow(t *testing.T, address string) *gitrepo.Mirror {
	t.Helper()
	a, err := gitrepo.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	if !a.Bundled() {
		t.Fatalf("%s is not taken for a bundle", address)
	}
	return openMirror(t, gitrepo.Remote{Address: a, Local: gitcmd.Environ(nil).UploadPack})
}

// replace puts one bundle in the place of another.
func replace(t *testing.T, file, by string) {
	t.Helper()
	if err := os.Rename(by, file); err != nil {
		t.Fatal(err)
	}
}

// A bundle of git is followed like a repository.
func TestBundle(t *testing.T) {
	r := published(t)
	file := r.bundleOf("rules.bundle", "--all", "HEAD")
	m := follow(t, file)
	fetch(t, m, true)
	same(t, m, r)
	fetch(t, m, false)

	r.put("a.yaml", strings.Repeat("a line of a\n", 200)+"and another\n")
	r.git("tag", "-am", "a", "rules/a/v1.1.0")
	replace(t, file, r.bundleOf("news.bundle", "--all", "HEAD"))
	fetch(t, m, true)
	same(t, m, r)
	fetch(t, m, false)

	r.git("reset", "--quiet", "--hard", "HEAD~1")
	r.git("tag", "-d", "rules/a/v1.1.0")
	replace(t, file, r.bundleOf("again.bundle", "--all", "HEAD"))
	fetch(t, m, true)
	same(t, m, r)
}

// A bundle that builds on commits that it does not have is refused, as git does not clone it
// either, and what was there stays.
func TestBundleWithoutBase(t *testing.T) {
	r := published(t)
	file := r.bundleOf("rules.bundle", "--all", "HEAD")
	m := follow(t, file)
	fetch(t, m, true)
	before := r.oid("HEAD").String()
	r.put("a.yaml", "new\n")
	replace(t, file, r.bundleOf("news.bundle", "main", "^"+before))
	_, err := m.Fetch(t.Context())
	mustFail(t, err, "builds on commits that it does not have")
	r.git("reset", "--quiet", "--hard", before)
	same(t, m, r)
}

// Whatever is in the place of a bundle, it is an error that says so, and nothing is lost.
func TestBundleBroken(t *testing.T) {
	r := published(t)
	good, err := os.ReadFile(r.bundleOf("good.bundle", "--all", "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	head, pack, _ := bytes.Cut(good, []byte("\n\n"))
	file := filepath.Join(t.TempDir(), "rules.bundle")
	m := func(content []byte) *gitrepo.Mirror {
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
		return follow(t, file)
	}
	first := m(good)
	fetch(t, first, true)
	for name, c := range map[string]struct {
		content []byte
		says    string
	}{
		"empty":         {nil, "this is no git bundle"},
		"text":          {[]byte("hello\n"), "this is no git bundle"},
		"only a header": {head, "cut off"},
		"no pack":       {append(bytes.Clone(head), "\n\n"...), "empty pack"},
		"half a pack":   {good[:len(good)-len(pack)/2], "refused"},
		"a changed byte": {
			append(append(bytes.Clone(good[:len(good)-len(pack)/2]), good[len(good)-len(pack)/2]^0x40),
				good[len(good)-len(pack)/2+1:]...), "",
		},
		"an id too short": {[]byte("# v2 git bundle\n1234 refs/heads/main\n\n"), "malformed"},
		"a ref to nowhere": {
			append([]byte("# v2 git bundle\n1111111111111111111111111111111111111111 refs/heads/main\n\n"), pack...),
			"1111111111",
		},
		"a filter":    {[]byte("# v3 git bundle\n@filter=blob:none\n\n"), "blob:none"},
		"no refs":     {append([]byte("# v2 git bundle\n\n"), pack...), ""},
		"a long line": {[]byte("# v2 git bundle\n" + strings.Repeat("1", 1<<20)), "malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := m(c.content).Fetch(t.Context())
			mustFail(t, err, c.says)
			if err := os.WriteFile(file, c.content, 0o644); err != nil {
				t.Fatal(err)
			}
			_, _ = first.Fetch(t.Context()) // the pack is not read where the refs are the same
			same(t, first, r)
		})
	}
}

// What opens without an end, as a pipe does, is refused, and the next bundle is taken.
func TestBundleThatIsNoFile(t *testing.T) {
	r := published(t)
	good := r.bundleOf("good.bundle", "--all", "HEAD")
	file := filepath.Join(t.TempDir(), "rules.bundle")
	for name, put := range map[string]func() error{
		"a pipe":   func() error { return syscall.Mkfifo(file, 0o644) },
		"a device": func() error { return os.Symlink("/dev/zero", file) },
		"a folder": func() error { return os.Mkdir(file, 0o755) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.Link(good, file); err != nil {
				t.Fatal(err)
			}
			m := follow(t, file)
			fetch(t, m, true)
			if err := errors.Join(os.Remove(file), put()); err != nil {
				t.Fatal(err)
			}
			_, err := m.Fetch(t.Context())
			mustFail(t, err, "rules.bundle: ")
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			same(t, m, r)
		})
	}
}
