package gitrepo_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
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

// A bundle of git is followed like a repository; one that builds on commits changes what it
// names and leaves everything else.
func TestBundle(t *testing.T) {
	r := published(t)
	file := r.bundleOf("rules.bundle", "--all", "HEAD")
	m := follow(t, file)
	fetch(t, m, true)
	same(t, m, r)
	fetch(t, m, false)

	before := r.oid("HEAD")
	r.put("a.yaml", strings.Repeat("a line of a\n", 200)+"and another\n") // made from the one before, in a thin pack
	r.git("tag", "-am", "a", "rules/a/v1.1.0")
	replace(t, file, r.bundleOf("news.bundle", "main", "rules/a/v1.1.0", "^"+before.String()))
	fetch(t, m, true)
	same(t, m, r)
	fetch(t, m, false)

	r.git("reset", "--quiet", "--hard", "HEAD~1")
	r.git("tag", "-d", "rules/a/v1.1.0")
	replace(t, file, r.bundleOf("again.bundle", "--all", "HEAD"))
	fetch(t, m, true)
	same(t, m, r)
}

// A bundle that builds on what is not here is refused, whatever is here stays.
func TestBundleWithoutBase(t *testing.T) {
	r := published(t)
	before := r.oid("HEAD")
	r.put("a.yaml", "new\n")
	news := r.bundleOf("news.bundle", "main", "^"+before.String())
	_, err := follow(t, news).Fetch(t.Context())
	mustFail(t, err, "the bundle builds on commits that are not here", before.String())

	other := newRepo(t)
	other.put("x", "x")
	file := other.bundleOf("rules.bundle", "--all")
	m := follow(t, file)
	fetch(t, m, true)
	replace(t, file, news)
	_, err = m.Fetch(t.Context())
	mustFail(t, err, "the bundle builds on commits that are not here")
	same(t, m, other)
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

// offered answers as a server that offers a bundle, and counts what it sends.
type offered struct {
	r    *repo
	sent int
	full int
}

func (o *offered) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	opened, err := gitrepo.OnDisk(o.r.dir).Open()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer opened.Close()
	refs, err := opened.Refs("")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	b := opened.Bundle(refs)
	if req.Header.Get("If-None-Match") == b.State() {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	var have gitrepo.OID
	var without []string
	var git gitcmd.Environ
	if text := req.URL.Query().Get(gitrepo.HaveParameter); text != "" && git.Has(req.Context(), b.Dir, text) {
		have, _ = gitrepo.ParseOID(text)
		without = []string{text}
	} else {
		o.full++
	}
	o.sent++
	var wants []string
	for _, ref := range b.Refs {
		wants = append(wants, ref.OID.String())
	}
	if err := b.WriteHeader(w, have); err == nil {
		_ = git.Pack(req.Context(), b.Dir, wants, without, w)
	}
}

// A server that offers a bundle is followed by what is new: tags that are gone go, and a
// branch that is set back is.
func TestBundleOffered(t *testing.T) {
	r := published(t)
	o := &offered{r: r}
	s := httptest.NewServer(o)
	t.Cleanup(s.Close)
	m := follow(t, s.URL+"/")
	fetch(t, m, true)
	same(t, m, r)
	fetch(t, m, false)
	r.put("a.yaml", strings.Repeat("a line of a\n", 200)+"and another\n")
	r.git("tag", "-am", "a", "rules/a/v1.1.0")
	r.git("tag", "-d", "rules/b/v1.0.0")
	fetch(t, m, true)
	same(t, m, r)
	if o.sent != 2 || o.full != 1 {
		t.Errorf("%d bundles were sent, %d of them whole", o.sent, o.full)
	}
	r.git("reset", "--quiet", "--hard", "HEAD~2")
	fetch(t, m, true)
	same(t, m, r)
	fetch(t, m, false)
}

// Who redirects a request, refuses it or has a page in the place of a bundle is named so.
func TestBundleElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		says   string
	}{
		"not offered": {http.NotFound, "--offer-bundle"},
		"redirected": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://example.org/rules.bundle", http.StatusFound)
		}, "redirect"},
		"a page": {func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("<html>")) }, "no git bundle"},
		"away":   {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusBadGateway) }, "502"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(c.answer)
			t.Cleanup(s.Close)
			_, err := follow(t, s.URL).Fetch(t.Context())
			mustFail(t, err, c.says)
		})
	}
}
