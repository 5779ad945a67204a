//go:build slow

package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"rulestore/content/log"
)

// severable is a line to a server that can be cut.
func severable(t *testing.T, to string) (address string, cut *atomic.Bool) {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	cut = &atomic.Bool{}
	proxy := httputil.NewSingleHostReverseProxy(target)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if cut.Load() {
			panic(http.ErrAbortHandler)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/", cut
}

// Three regions follow a server that offers its repository, one of them by way of another:
// all serve the same bytes. One that is cut off goes on, says so, and catches up.
func TestPeers(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	base := []string{"--base-url", baseURL, "--poll", "1s", "--admin-addr", "127.0.0.1:0"}
	origin := start(t, append(base, "--repo", bare, "--offer-bundle")...)
	peer := func(of string) *running {
		return start(t, append(base, "--repo", of, "--cache-dir", t.TempDir(), "--offer-bundle")...)
	}
	far, cut := severable(t, origin.url)
	regions := []*running{peer(origin.url + "/"), peer(far)}
	regions = append(regions, peer(regions[0].url+"/"))
	agree := func(all ...*running) {
		t.Helper()
		want := origin.get1("/api/v1/guidelines/" + common)
		for _, r := range all {
			r.await("the same as the origin", func() bool { return r.get1("/api/v1/guidelines/"+common) == want })
		}
	}
	agree(regions...)

	cut.Store(true)
	a.retitle(common, "Опубликовано для всех")
	a.git("tag", "-a", "-m", "Для всех", "guidelines/"+common+"/v1.8.0")
	a.push()
	origin.await("the publication", func() bool { return origin.title(common) == "Опубликовано для всех" })
	agree(regions[0], regions[2])
	regions[1].await("the failure", func() bool { return regions[1].health().Status == "degraded" })
	if got := regions[1].title(common); got == "Опубликовано для всех" {
		t.Error("who was cut off has what is new")
	}
	cut.Store(false)
	agree(regions...)
	regions[1].await("the end of the failure", func() bool { return regions[1].health().Status == "ok" })
}

// What is offered is what git makes of it: clients of git clone it, and what is not served is
// not in it.
func TestOfferedBundle(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	a.retitle(common, "Второй коммит")
	a.push()
	a.git("checkout", "-q", "-b", "secret")
	a.retitle(common, "Ещё тайна")
	secret := a.git("rev-parse", "HEAD:guidelines/"+common+".yaml")
	a.git("push", "-q", "origin", "secret")
	a.git("checkout", "-q", "main")
	s := start(t, "--repo", bare, "--offer-bundle", "--admin-addr", "off")
	r := s.mustGet("/rules.bundle", "*/*")
	file := filepath.Join(t.TempDir(), "rules.bundle")
	if err := os.WriteFile(file, r.body, 0o644); err != nil {
		t.Fatal(err)
	}
	clone := filepath.Join(t.TempDir(), "clone")
	gitIn(t, t.TempDir(), "clone", "-q", file, clone)
	gitIn(t, clone, "fsck", "--full", "--strict")
	if got, want := gitIn(t, clone, "rev-parse", "HEAD"), a.git("rev-parse", "main"); got != want {
		t.Errorf("the head is %s, not %s", got, want)
	}
	if out := gitIn(t, clone, "cat-file", "--batch-all-objects",
		"--batch-check=%(objectname)"); strings.Contains(out, secret) {
		t.Error("another branch is given away")
	}
	if r, err := s.getWith("/rules.bundle", "If-None-Match", r.header.Get("Etag")); err != nil ||
		r.status != http.StatusNotModified {
		t.Errorf("%d, %v", r.status, err)
	}
	for query, status := range map[string]int{
		"?have=" + strings.Repeat("1", 40):      http.StatusOK,
		"?have=" + a.git("rev-parse", "main~1"): http.StatusOK,
		"?since=3":                              http.StatusOK,
		"?since=1000000":                        http.StatusOK,
		"?since=-1":                             http.StatusBadRequest,
		"?have=main":                            http.StatusBadRequest,
		"?have=":                                http.StatusBadRequest,
		"?have=--upload-pack":                   http.StatusBadRequest,
		"?other=1":                              http.StatusBadRequest,
		"?since=1&have=" + strings.Repeat("1", 40):             http.StatusBadRequest,
		"?since=1&since=2":                                     http.StatusBadRequest,
		"?have=" + a.git("rev-parse", "HEAD:") + "&since=1":    http.StatusBadRequest,
		"?have=" + a.git("rev-parse", "HEAD:"):                 http.StatusOK, // no commit: all of it
		"?have=" + strings.ToUpper(strings.Repeat("a", 40)):    http.StatusOK,
		"?have=" + strings.Repeat("a", 40) + "%0a--all":        http.StatusBadRequest,
		"?have=" + strings.Repeat("a", 40) + "%5e%7bcommit%7d": http.StatusBadRequest,
	} {
		t.Run(query, func(t *testing.T) {
			if r := s.mustGet("/rules.bundle"+query, "*/*"); r.status != status {
				t.Errorf("%s: %d %.200s", query, r.status, r.body)
			}
		})
	}
	if head := s.mustGet("/rules.bundle?have="+a.git("rev-parse", "main~1"), "*/*").body; len(head) >= len(r.body) {
		t.Errorf("what came after a commit has %d bytes, all of it %d", len(head), len(r.body))
	}
	plain := start(t, "--repo", bare, "--admin-addr", "off")
	if r := plain.mustGet("/rules.bundle", "*/*"); r.status != http.StatusNotFound {
		t.Errorf("not offered: %d", r.status)
	}
}

// Who says what it has gets the tags that it has not, and no others; also those that came after
// a commit that it has. A state that nobody remembers costs all tags, and is no less complete.
func TestOfferedTags(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	a.retitle(common, "Второй коммит")
	a.push()
	s := start(t, "--repo", bare, "--offer-bundle", "--poll", "1s", "--admin-addr", "off")
	whole := s.mustGet("/rules.bundle", "*/*")
	had, state := a.git("rev-parse", "main"), whole.header.Get("Etag")
	a.git("tag", "-a", "-m", "Позже", "guidelines/"+common+"/v1.7.0", "main~1")
	a.retitle(common, "Новое")
	a.git("tag", "-a", "-m", "Новое", "guidelines/"+common+"/v1.8.0")
	a.push()
	s.await("the publication", func() bool { return s.title(common) == "Новое" })
	ask := func(state string) answer {
		r, err := s.getWith("/rules.bundle?have="+had, "If-None-Match", state)
		if err != nil || r.status != http.StatusOK || r.header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%d %v, %v", r.status, r.header, err)
		}
		clone := filepath.Join(t.TempDir(), "clone")
		for name, body := range map[string][]byte{"whole": whole.body, "news": r.body} {
			if err := os.WriteFile(filepath.Join(filepath.Dir(clone), name), body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		gitIn(t, t.TempDir(), "clone", "-q", "--mirror", filepath.Join(filepath.Dir(clone), "whole"), clone)
		gitIn(t, clone, "fetch", "-q", filepath.Join(filepath.Dir(clone), "news"), "+refs/*:refs/*")
		gitIn(t, clone, "fsck", "--full", "--strict")
		if got, want := gitIn(t, clone, "show-ref", "--tags"), a.git("show-ref", "--tags"); got != want {
			t.Errorf("the tags are\n%s\nnot\n%s", got, want)
		}
		return r
	}
	objects := func(r answer) int { // which a pack counts in the second four bytes after its name
		_, pack, _ := bytes.Cut(r.body, []byte("\n\nPACK"))
		return int(pack[6])<<8 + int(pack[7])
	}
	few, many := objects(ask(state)), objects(ask(`"0123456789abcdef0123456789abcdef"`))
	tags := len(strings.Fields(a.git("tag")))
	if many < tags || few > many-tags+2 {
		t.Errorf("%d objects for who says what it has, %d for who does not, of %d tags", few, many, tags)
	}
}

// A file that `rulestore bundle` wrote is served, verified against, and goes on with what came
// after a checkpoint.
func TestBundleCommand(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "rules.bundle")
	a.signLog()
	a.push()
	if out, err := rulestoreIn(a.dir, nil, "bundle", file); err != nil {
		t.Fatal(err, out)
	}
	device := filepath.Join(dir, "device")
	if err := os.Symlink(os.DevNull, device); err != nil {
		t.Fatal(err)
	}
	if out, err := rulestoreIn(a.dir, nil, "bundle", device); err != nil {
		t.Error(err, out)
	}
	if at, err := os.Readlink(device); at != os.DevNull { // as root it would replace /dev/stdout
		t.Errorf("a device was replaced by a file: %v", err)
	}
	s := start(t, "--repo", file, "--cache-dir", t.TempDir(), "--poll", "1s", "--admin-addr", "off")
	origin := start(t, "--repo", bare, "--admin-addr", "off")
	if out, err := rulestoreIn(dir, nil, "verify", origin.url, "--repo", file, "--without-mcp"); err != nil {
		t.Error(err, out)
	}
	var held struct{ Size json.Number }
	err := json.Unmarshal(origin.mustGet("/api/v1/log", "application/json").body, &held)
	if err != nil || held.Size == "0" {
		t.Fatal(held, err)
	}
	a.retitle(common, "После копии")
	if out, err := rulestoreIn(a.dir, nil, "publish", common); err != nil {
		t.Fatal(err, out)
	}
	if out, err := rulestoreIn(a.dir, nil, "bundle", "--since", held.Size.String(), file); err != nil {
		t.Fatal(err, out)
	}
	s.await("what came after", func() bool { return s.title(common) == "После копии" })
	a.retitle(common, "Ещё позже")
	if out, err := rulestoreIn(a.dir, nil, "publish", common); err != nil {
		t.Fatal(err, out)
	}
	size, err := held.Size.Int64()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := rulestoreIn(a.dir, nil, "bundle", "--since", held.Size.String(), file); err != nil {
		t.Fatal(err, out)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if header, _, _ := bytes.Cut(raw, []byte("\n\nPACK")); !bytes.Contains(header, []byte("\n-")) {
		t.Fatalf("it needs nothing: %.200s", header)
	}
	s.await("what came later", func() bool { return s.title(common) == "Ещё позже" })
	other := log.Checkpoint{Origin: "rules.example.org/log", Size: size, Root: log.Hash{1}}
	foreign := filepath.Join(dir, "foreign.checkpoint")
	if err := os.WriteFile(foreign, []byte(other.Text()+"\n— "+other.Origin+" AAAAAAAA\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for args, says := range map[string]string{
		"--since " + foreign:      "of another log",
		"--since 0":               "from 1 on",
		"--since 100000":          "the log has",
		"--since nothing.there":   "nothing.there",
		"--repo " + dir + "/none": "none",
	} {
		t.Run(args, func(t *testing.T) {
			out, err := rulestoreIn(a.dir, nil, append([]string{"bundle", "-"}, strings.Fields(args)...)...)
			if err == nil || !strings.Contains(out, says) {
				t.Errorf("bundle %s: %v\n%s", args, err, out)
			}
		})
	}
}

// A copy that is told whose signatures count serves nothing that the log does not hold, signed
// to its end.
func TestPolicyOfACopy(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	dir := t.TempDir()
	key, policy := filepath.Join(dir, "log.key"), filepath.Join(dir, "policy.yaml")
	public, err := rulestoreIn(dir, nil, "log", "key", "rules.example.org/log", key)
	if err != nil {
		t.Fatal(err, public)
	}
	if err := os.WriteFile(policy, []byte("log: "+strings.Fields(public)[0]+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	sign := func() {
		t.Helper()
		if out, err := rulestoreIn(a.dir, nil, "log", "sign", "--key-file", key); err != nil {
			t.Fatal(err, out)
		}
		a.push()
	}
	copied := []string{"serve", "--repo", "file://" + bare, "--cache-dir", t.TempDir(), "--policy", policy, "--check"}
	if out, err := rulestoreIn(dir, nil, copied...); err == nil || !strings.Contains(out, "nobody has signed") {
		t.Errorf("%v\n%s", err, out)
	}
	sign()
	s := start(t, "--repo", "file://"+bare, "--cache-dir", t.TempDir(), "--poll", "1s", "--policy", policy,
		"--admin-addr", "127.0.0.1:0")
	before := s.title(common)
	a.retitle(common, "Запечатано, но не подписано")
	if out, err := rulestoreIn(a.dir, nil, "publish", common); err != nil {
		t.Fatal(err, out)
	}
	a.push()
	s.await("that the state is not signed", func() bool {
		return s.health().Status == "degraded" && strings.Contains(s.toOperators(), "the log lacks 1 of the seals")
	})
	if got := s.title(common); got != before {
		t.Errorf("unsigned content is served: %s", got)
	}
	sign()
	s.await("what is signed now", func() bool { return s.title(common) == "Запечатано, но не подписано" })
	a.retitle(common, "Без печати")
	a.git("tag", "-am", "Без печати", "guidelines/"+common+"/v9.0.0")
	a.push()
	s.await("that a version is not sealed", func() bool {
		return strings.Contains(s.toOperators(), "is not in the log")
	})
	if got := s.title(common); got != "Запечатано, но не подписано" {
		t.Errorf("unsealed content is served: %s", got)
	}
}

// A state that was accepted goes on being served however long ago it was signed, also after a restart: its
// age is a finding, until it is signed again.
func TestOldSignaturesAreAFinding(t *testing.T) {
	t.Parallel()
	_, a := newYoung(t)
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	done := func(args ...string) string {
		t.Helper()
		out, err := rulestoreIn(a.dir, nil, args...)
		if err != nil {
			t.Fatal(err, out)
		}
		return out
	}
	own := strings.Fields(done("log", "key", "rules.example.org/log", file("log.key")))[0]
	witness := strings.Fields(done("log", "key", "audit.example.org", file("audit.key")))[1]
	done("log", "sign", "--key-file", file("log.key"))
	done("log", "witness", "--key-file", file("audit.key"), "--verify-key", own, "--state", file("audit.state"))
	for age, old := range map[string]bool{"1ns": true, "48h": false} {
		policy := "log: " + own + "\nwitnesses:\n  - " + witness + "\nquorum: 1\nmax_age: " + age + "\n"
		if err := os.WriteFile(file("policy.yaml"), []byte(policy), 0o644); err != nil {
			t.Fatal(err)
		}
		served := []string{"--repo", a.dir, "--policy", file("policy.yaml")}
		out, err := rulestoreIn(dir, nil, append([]string{"serve", "--check"}, served...)...)
		if found := err != nil && err.Error() == "exit status 1"; found != old || err != nil && !found ||
			strings.Contains(out, "the witnesses have signed the log last at") != old {
			t.Errorf("--check, %s: %v\n%s", age, err, out)
		}
		if !old {
			continue
		}
		s := start(t, append(served, "--admin-addr", "off")...)
		if health := s.health(); health.Status != "degraded" || s.mustGet("/", "*/*").status != 200 {
			t.Errorf("%+v", health)
		}
		s.await("the log", func() bool { return strings.Contains(s.log.String(), "have signed the log last at") })
	}
}

// A region follows each of several repositories by a server that offers them, and goes on
// serving one while what it follows another by does not answer.
func TestPeerOfSeveral(t *testing.T) {
	t.Parallel()
	baseBare, base := newYoung(t)
	houseBare, house := newHouse(t, base, "house")
	shared := []string{"--base-url", baseURL, "--poll", "1s", "--admin-addr", "off", "--offer-bundle"}
	origin := start(t, append(shared, "--repo", baseBare, "--repo", "house="+houseBare)...)
	peer := func(of string) *running {
		return start(t, append(shared, "--repo", of, "--repo", "house="+of+"sources/house/rules.bundle",
			"--cache-dir", t.TempDir())...)
	}
	region := peer(origin.url + "/")
	further, cut := severable(t, region.url)
	last := peer(further)
	house.git("checkout", "-q", "-b", "secret")
	house.retitle("house."+common, "Тайна дома")
	secret := house.git("rev-parse", "HEAD")
	house.git("push", "-q", "origin", "secret")
	house.git("checkout", "-q", "main")
	agree := func(all ...*running) {
		t.Helper()
		for _, path := range []string{commonPath, housePath, "/api/v1/sources"} {
			for _, r := range all {
				r.await("the same as the origin at "+path, func() bool { return r.get1(path) == origin.get1(path) })
			}
		}
	}
	agree(region, last)
	bundle := origin.mustGet("/sources/house/rules.bundle", "*/*")
	if bundle.status != http.StatusOK || bytes.Contains(bundle.body, []byte(secret)) ||
		!bytes.Contains(bundle.body, []byte(house.git("rev-parse", "main"))) {
		t.Errorf("%d, or not what is served: %.300q", bundle.status, bundle.body)
	}
	for path, status := range map[string]int{
		"/sources/base/rules.bundle": http.StatusNotFound, // the first is at /rules.bundle
		"/sources/none/rules.bundle": http.StatusNotFound,
		"/sources//rules.bundle":     http.StatusNotFound,
		"/sources/house/rules.bundle?have=" + house.git("rev-parse", "main"): http.StatusOK,
		"/sources/house/rules.bundle?have=main":                              http.StatusBadRequest,
	} {
		t.Run(path, func(t *testing.T) {
			if r := origin.mustGet(path, "*/*"); r.status != status {
				t.Errorf("%s: %d %.200s", path, r.status, r.body)
			}
		})
	}

	cut.Store(true)
	house.retitle("house."+common, "Новое в доме")
	house.publish("guidelines/house."+common, "1.0.1")
	house.push()
	base.retitle(common, "Новое в общем")
	base.publish("guidelines/"+common, "9.0.0")
	base.push()
	origin.await("both", func() bool {
		return origin.title("house."+common) == "Новое в доме" && origin.title(common) == "Новое в общем"
	})
	agree(region)
	last.await("the failure", func() bool { return last.health().Status == "degraded" })
	if last.title(common) == "Новое в общем" {
		t.Error("who was cut off has what is new")
	}
	cut.Store(false)
	agree(last)
}

// A tag that was made before the log had so many leaves and pushed after is in a bundle of what
// came since: nobody knows which tags who has these leaves has.
func TestLateTagInBundle(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	a.retitle(common, "Помечено, но не отправлено")
	a.git("tag", "-am", "Отправят потом", "guidelines/"+common+"/v8.0.0")
	const other = deposit
	a.retitle(other, "Опубликовано")
	if out, err := rulestoreIn(a.dir, nil, "publish", other); err != nil {
		t.Fatal(err, out)
	}
	a.signLog()
	a.git("push", "-q", "origin", "HEAD")
	file := filepath.Join(t.TempDir(), "rules.bundle")
	bundle := func(args ...string) {
		t.Helper()
		if out, err := rulestoreIn(t.TempDir(), nil, append([]string{"bundle", "--repo", bare, file},
			args...)...); err != nil {
			t.Fatal(err, out)
		}
	}
	bundle()
	s := start(t, "--repo", file, "--cache-dir", t.TempDir(), "--poll", "1s", "--base-url",
		baseURL, "--admin-addr", "off")
	origin := start(t, "--repo", bare, "--poll", "1s", "--base-url", baseURL, "--admin-addr", "off")
	size := origin.document("/api/v1/log")["size"].(float64)
	a.git("push", "-q", "origin", "--tags")
	bundle("--since", strconv.Itoa(int(size)))
	origin.await("the tag", func() bool { return origin.title(common) == "Помечено, но не отправлено" })
	s.await("the tag", func() bool {
		return s.get1("/api/v1/guidelines/"+common) == origin.get1("/api/v1/guidelines/"+common)
	})
}

// get1 is an answer without the time it was given: its snapshot, headers and body.
func (s *running) get1(path string) string {
	s.Helper()
	r := s.mustGet(path, "application/json")
	return r.header.Get("X-Snapshot") + r.header.Get("Etag") + string(fetchedAt.ReplaceAll(r.body, nil))
}
