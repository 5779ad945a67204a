//go:build slow

package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
)

// following starts a server on a git host that looks every second.
func following(t *testing.T, h *host, cache string, args ...string) *running {
	t.Helper()
	return start(t, append([]string{
		"--repo", h.URL + "/rules.git", "--cache-dir", cache, "--poll", "1s", "--admin-addr", "127.0.0.1:0",
	}, args...)...)
}

// A change that is undone and made again comes each time, and a tag that is deleted and
// pushed again too.
func TestUndoneAndMadeAgain(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	s := following(t, newHost(t, filepath.Dir(bare)), t.TempDir(), "--max-loss", "all")
	first := a.git("rev-parse", "HEAD")
	a.retitle(common, "Сделано")
	second := a.git("rev-parse", "HEAD")
	tag := "guidelines/" + common + "/v8.0.0"
	a.git("tag", "-a", "-m", "Новое название", tag)
	id := a.git("rev-parse", tag)
	for range 3 {
		a.git("reset", "-q", "--hard", second)
		a.git("update-ref", "refs/tags/"+tag, id)
		a.push()
		s.await("what was made", func() bool { return s.title(common) == "Сделано" })
		a.git("tag", "-d", tag)
		a.git("reset", "-q", "--hard", first)
		a.push()
		s.await("that it is undone", func() bool { return s.title(common) != "Сделано" })
	}
	if strings.Contains(s.log.String(), "fetched anew") {
		t.Errorf("everything was fetched again:\n%s", s.log)
	}
}

// corruptions are what can become of the files of a mirror.
func corruptions() map[string]func(*testing.T, string) {
	each := func(pattern string, change func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, g string) { damage(t, filepath.Join(g, pattern), change) }
	}
	remove := func(pattern string) func(*testing.T, string) {
		return func(t *testing.T, g string) {
			files, err := filepath.Glob(filepath.Join(g, pattern))
			for _, f := range files {
				err = errors.Join(err, os.RemoveAll(f))
			}
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
		}
	}
	write := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, g string) {
			file := filepath.Join(g, name)
			_ = os.RemoveAll(file)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
				os.WriteFile(file, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	zeros := func(raw []byte) []byte { return make([]byte, len(raw)) }
	return map[string]func(*testing.T, string){
		"half a pack":                each("objects/pack/*.pack", half),
		"a scrambled pack":           each("objects/pack/*.pack", scrambled),
		"zeros for a pack":           each("objects/pack/*.pack", zeros),
		"no pack":                    remove("objects/pack/*.pack"),
		"half an index":              each("objects/pack/*.idx", half),
		"a scrambled index":          each("objects/pack/*.idx", scrambled),
		"no index":                   remove("objects/pack/*.idx"),
		"half of packed-refs":        each("packed-refs", half),
		"zeros for packed-refs":      each("packed-refs", zeros),
		"no packed-refs":             func(_ *testing.T, g string) { _ = os.Remove(filepath.Join(g, "packed-refs")) },
		"half of HEAD":               each("HEAD", half),
		"no HEAD":                    remove("HEAD"),
		"an unfinished config":       each("config", half),
		"a config of another format": write("config", "[extensions]\n\trefstorage = reftable\n"),
		"a loose ref of nothing":     write("refs/incoming/heads/main", ""),
		"a loose ref of an old commit": func(t *testing.T, g string) {
			write("refs/incoming/heads/main", gitIn(t, g, "rev-parse", "refs/incoming/heads/main~1")+"\n")(t, g)
		},
		"a damaged loose object": func(t *testing.T, g string) {
			id := gitIn(t, g, "rev-parse", "refs/incoming/heads/main^{tree}")
			write("objects/"+id[:2]+"/"+id[2:], "x")(t, g)
		},
		"a list of shallow commits":  write("shallow", strings.Repeat("1", 40)+"\n"),
		"objects borrowed of nobody": write("objects/info/alternates", "/nowhere/objects\n"),
		"a file in place of objects": write("objects", "x"),
		"a file in its place":        func(t *testing.T, g string) { write("", "x")(t, g) },
		"nothing in its place":       remove(""),
		"locks left behind":          write("packed-refs.lock", ""),
	}
}

// polled is what serve runs, but for the server: what it serves follows a remote when the
// test says so.
type polled struct {
	*follow.Follower
	*testing.T
	remote *follow.Remote
	log    *lockedBuffer
}

// opened loads what is served first.
func opened(t *testing.T, repo, cache string, more ...func(*serveFlags)) *polled {
	t.Helper()
	log := &lockedBuffer{}
	f := serveFlags{poll: time.Second, remote: remoteFlags{cacheDir: cache}}
	f.repo = repo
	for _, set := range more {
		set(&f)
	}
	e := &env{getenv: func(string) string { return "" }}
	c, err := f.publisherConfig(t.Context(), e, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	p := follow.New(c)
	t.Cleanup(p.Close)
	p.Site = site.Config{BaseURL: baseURL, Schemas: schemas.Embedded()}
	first, err := p.Begin(t.Context(), false)
	if err == nil {
		err = p.Serve(first, time.Now())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	return &polled{p, t, c.Remote, log}
}

// poll does what is done every --poll.
func (p *polled) poll() {
	if p.remote.Fetch(p.Context()) == nil {
		p.Look(p.Context())
	}
}

// serves tells which version is current.
func (p *polled) serves() string {
	return p.Current().Snapshot.Item(content.Guidelines, common).Current.Version.String()
}

// heals polls until a version is served and nothing is wrong, three times at most.
func (p *polled) heals(version string) {
	p.Helper()
	for range 4 {
		if p.serves() == version && p.Status().LastError == "" {
			return
		}
		p.poll()
	}
	s := p.Status()
	p.Errorf("%s is served, not %s; %q, %+v\n%s", p.serves(), version, s.LastError, s.Remote, p.log)
}

// Whatever becomes of the files of a mirror, while a server runs or before it starts, what
// was served goes on being served, and what is pushed then is served a few polls later.
func TestMirrorHeals(t *testing.T) {
	t.Parallel()
	template, publish := withNews(t)
	for name, corrupt := range corruptions() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, cache := t.TempDir(), t.TempDir()
			bare := filepath.Join(dir, "rules.git")
			if err := os.CopyFS(bare, os.DirFS(template)); err != nil {
				t.Fatal(err)
			}
			h := newHost(t, dir)
			p := opened(t, h.URL+"/rules.git", cache)
			publish(bare, "8.0.0") // so that there are two packs
			p.heals("8.0.0")
			corrupt(t, mirrorIn(t, cache))
			publish(bare, "8.1.0")
			p.poll()
			if got := p.serves(); got != "8.0.0" && got != "8.1.0" {
				t.Errorf("after the damage %q is served", got)
			}
			p.heals("8.1.0")
			p.Close()

			corrupt(t, mirrorIn(t, cache))
			publish(bare, "8.2.0")
			p = opened(t, h.URL+"/rules.git", cache)
			p.heals("8.2.0")
			t.Logf("%s: healed while a server ran and before it started", name)
		})
	}
}

// withNews makes a bare repository that has the objects of three versions more than it
// publishes, and what publishes one of them in a copy of it.
func withNews(t *testing.T) (bare string, publish func(bare, version string)) {
	t.Helper()
	bare, a := newYoung(t)
	first := a.git("rev-parse", "HEAD")
	refs := map[string]string{}
	for _, version := range []string{"8.0.0", "8.1.0", "8.2.0"} {
		tag := "guidelines/" + common + "/v" + version
		a.retitle(common, "Издание "+version)
		a.git("tag", "-a", "-m", version, tag)
		refs[version] = "update refs/heads/main " + a.git("rev-parse", "HEAD") + "\nupdate refs/tags/" + tag + " " +
			a.git("rev-parse", tag) + "\n"
		a.push()
		gitIn(t, bare, "update-ref", "-d", "refs/tags/"+tag)
	}
	gitIn(t, bare, "update-ref", "refs/heads/main", first)
	return bare, func(bare, version string) {
		t.Helper()
		cmd := exec.Command("git", "-C", bare, "update-ref", "--stdin")
		cmd.Stdin = strings.NewReader(refs[version])
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// A damaged mirror is served as far as it can be while the host is away.
func TestDamagedMirrorWithoutItsHost(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	h, cache := newHost(t, filepath.Dir(bare)), t.TempDir()
	p := opened(t, h.URL+"/rules.git", cache)
	version := p.serves()
	p.Close()
	h.away.Store(true)
	for name, corrupt := range corruptions() {
		if !slices.Contains([]string{"half of packed-refs", "locks left behind", "an unfinished config"}, name) {
			continue
		}
		corrupt(t, mirrorIn(t, cache))
		p := opened(t, h.URL+"/rules.git", cache)
		p.poll()
		if got, s := p.serves(), p.Status(); got != version || s.Remote.Error == "" {
			t.Errorf("%s: %s is served, %+v", name, got, s.Remote)
		}
		p.Close()
	}
	h.away.Store(false)
	p = opened(t, h.URL+"/rules.git", cache)
	p.heals(version)
	if s := p.Status().Remote; s.State != server.RemoteFollowing {
		t.Errorf("%+v", s)
	}
}

// What is served is as old as the fetch that it is from: the remote may change before that ends.
func TestAgeIsThatOfTheFetch(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	direct := newHost(t, filepath.Dir(bare))
	spoil := sync.OnceValue(func() time.Time {
		gitIn(t, bare, "update-ref", "-d", "refs/heads/main")
		spoilt := time.Now()
		<-time.After(time.Until(spoilt.Truncate(time.Second).Add(time.Second))) // health tells moments in seconds
		return spoilt
	})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		objects := asksForPack(r)
		direct.Config.Handler.ServeHTTP(answer, r)
		if objects {
			spoil()
		}
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}))
	t.Cleanup(slow.Close)
	s := following(t, &host{Server: slow}, t.TempDir())
	s.await("bad health", func() bool { return s.health().Status == "degraded" })
	if got, limit := s.health().CheckedAt, spoil().UTC().Format(time.RFC3339); got > limit {
		t.Errorf("what is served was last found there at %s, after %s", got, limit)
	}
}

// What the remote has become of which nothing can be served keeps nothing from being
// served that was, in a process that runs and in one that starts.
func TestRestartOnWhatCannotBeServed(t *testing.T) {
	for name, c := range map[string]struct {
		state server.RemoteState
		spoil func(a *clone, bare string)
	}{
		"the branch is deleted": {server.RemoteFollowing, func(_ *clone, bare string) {
			gitIn(t, bare, "update-ref", "-d", "refs/heads/main")
		}},
		// held, if a poll comes while the tags go
		"it is emptied": {"", func(_ *clone, bare string) {
			dropTags(t, bare)
			gitIn(t, bare, "update-ref", "-d", "refs/heads/main")
		}},
		"the branch begins anew": {server.RemoteFollowing, func(a *clone, _ string) {
			a.git("checkout", "-q", "--orphan", "new")
			a.git("rm", "-q", "-rf", ".")
			a.write("README", "empty\n")
			a.git("add", "README")
			a.git("commit", "-q", "-m", "anew")
			a.git("push", "-q", "--force", "origin", "new:main")
		}},
		"nothing is published": {server.RemoteFollowing, func(a *clone, bare string) {
			dropTags(t, bare)
			a.git("checkout", "-q", "--orphan", "new")
			a.git("rm", "-q", "-rf", content.SealsFolder)
			a.git("commit", "-q", "-m", "withdrawn")
			a.git("push", "-q", "--force", "origin", "new:main")
		}},
		"its settings are gone and its tags": {server.RemoteHeld, func(a *clone, bare string) {
			dropTags(t, bare)
			a.git("rm", "-q", "rulestore.yaml")
			a.git("commit", "-q", "-m", "gone")
			a.git("push", "-q", "--force", "origin", "main")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bare, a := newYoung(t)
			keep := filepath.Join(filepath.Dir(bare), "kept.git")
			gitIn(t, bare, "clone", "-q", "--mirror", bare, keep)
			h, cache := newHost(t, filepath.Dir(bare)), t.TempDir()
			s := following(t, h, cache)
			title := s.title(common)
			c.spoil(a, bare)
			spoilt := time.Now().UTC().Format(time.RFC3339)
			s.await("bad health", func() bool {
				h := s.health()
				return h.Status == "degraded" && (c.state == "" || h.Remote.State == string(c.state))
			})
			for range 2 {
				if got := s.title(common); got != title {
					t.Errorf("%q is served, not %q", got, title)
				}
				if err := s.stop(); err != nil {
					t.Fatal(err)
				}
				s = following(t, h, cache)
				s.await("bad health after a start", func() bool {
					h := s.health()
					return h.Status == "degraded" && (c.state == "" || h.Remote.State == string(c.state))
				})
				if h := s.health(); c.state != server.RemoteHeld && h.CheckedAt > spoilt {
					t.Errorf("what is served was last found there at %s, after %s", h.CheckedAt, spoilt)
				}
			}
			gitIn(t, keep, "push", "-q", "--mirror", bare)
			s.await("good health", func() bool { return s.health().Status == "ok" })
			if got := s.title(common); got != title {
				t.Errorf("%q is served, not %q", got, title)
			}
		})
	}
}

// dropTags deletes all tags of a bare repository.
func dropTags(t *testing.T, bare string) {
	t.Helper()
	for tag := range strings.Lines(gitIn(t, bare, "tag")) {
		gitIn(t, bare, "update-ref", "-d", "refs/tags/"+strings.TrimSpace(tag))
	}
}

// The first start waits for a host that is away: it listens, says that it is not ready, and
// serves as soon as the host is back.
func TestFirstStartWaits(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	h := newHost(t, filepath.Dir(bare))
	h.away.Store(true)
	addr, operators := freeAddr(t), freeAddr(t)
	out, in := io.Pipe()
	log := &lockedBuffer{}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, []string{
			"serve", "--addr", addr, "--admin-addr", operators, "--repo", h.URL + "/rules.git", "--cache-dir",
			t.TempDir(), "--poll", "1s",
		},
			func(string) string { return "" }, nil, in, log)
		in.Close()
	}()
	s := &running{T: t, url: "http://" + addr, log: log}
	status := func(url string) int {
		res, err := client.Get(url)
		if err != nil {
			return 0
		}
		defer res.Body.Close()
		return res.StatusCode
	}
	s.await("that it waits", func() bool { return strings.Contains(log.String(), "nothing to serve until") })
	for url, want := range map[string]int{
		s.url + "/api/v1/health": 503, s.url + "/healthz": 503,
		s.url + "/api/v1/guidelines/" + common: 503, s.url + "/mcp": 503,
		"http://" + operators + "/readyz": 503, "http://" + operators + "/livez": 200,
	} {
		t.Run(url, func(t *testing.T) {
			if got := status(url); got != want {
				t.Errorf("%s is answered with %d, not %d", url, got, want)
			}
		})
	}
	h.away.Store(false)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	s.await("readiness", func() bool { return status("http://"+operators+"/readyz") == http.StatusOK })
	if err := agree(s.mustGet("/api/v1/guidelines/"+common, "*/*")); err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
