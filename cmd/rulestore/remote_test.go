package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rulestore/content"
)

// host is a git host: git's own http-backend, which can be away, and which knows
// one user.
type host struct {
	*httptest.Server
	away     atomic.Bool
	password atomic.Pointer[string]
}

func newHost(t *testing.T, root string) *host {
	t.Helper()
	path := gitIn(t, root, "--exec-path")
	program := filepath.Join(path, "git-http-backend")
	if _, err := os.Stat(program); err != nil {
		t.Skip("git has no http-backend here: ", err)
	}
	backend := &cgi.Handler{Path: program, Stderr: io.Discard,
		Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1"}}
	h := &host{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		want := h.password.Load()
		switch _, given, _ := r.BasicAuth(); {
		case h.away.Load():
			http.Error(w, "the host is being moved", http.StatusBadGateway)
		case want != nil && given != *want:
			w.Header().Set("WWW-Authenticate", `Basic realm="rules"`)
			http.Error(w, "who are you", http.StatusUnauthorized)
		default:
			backend.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(h.Close)
	return h
}

// remoteHealth is what the health document says of the remote.
type remoteHealth struct {
	Status    string
	Reason    string
	CheckedAt string `json:"checked_at"`
	WatchMode string `json:"watch_mode"`
	Remote    *struct {
		LastSuccess *string `json:"last_success"`
		LastFailure *string `json:"last_failure"`
		LastError   *string `json:"last_error"`
		State       string
	}
}

// toOperators is the health document that operators see.
func (s *running) toOperators() string {
	s.Helper()
	_, body := s.operator("/api/v1/health")
	return body
}

func (s *running) health() (h remoteHealth) {
	s.Helper()
	if err := json.Unmarshal(s.mustGet("/api/v1/health", "*/*").body, &h); err != nil {
		s.Fatal(err)
	}
	return h
}

func (s *running) title(id string) string {
	s.Helper()
	var item content.Object
	if err := json.Unmarshal(s.mustGet("/api/v1/guidelines/"+id, "application/json").body, &item); err != nil {
		s.Fatal(err)
	}
	return item.Text("title")
}

// A server follows a repository elsewhere: it serves what is pushed, goes on
// while the host is away, says so, starts without it, and catches up.
func TestRemote(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	h := newHost(t, filepath.Dir(bare))
	password, file := "s3cret-token", filepath.Join(t.TempDir(), "token")
	h.password.Store(&password)
	if err := os.WriteFile(file, []byte(password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--repo", h.URL + "/rules.git", "--cache-dir", t.TempDir(), "--git-password-file", file, "--poll", "1s",
		"--base-url", baseURL, "--admin-addr", "127.0.0.1:0",
	}
	s := start(t, args...)
	if got := s.health(); got.Status != "ok" || got.WatchMode != "fetch" || got.Remote == nil ||
		got.Remote.LastSuccess == nil || got.Remote.LastError != nil {
		t.Errorf("the health is %+v", got)
	}
	publish := func(version, title string) {
		t.Helper()
		a.retitle(common, title)
		a.git("tag", "-a", "-m", title, "guidelines/"+common+"/v"+version)
		a.push()
	}
	publish("1.8.0", "Опубликовано издалека")
	s.await("the first push", func() bool { return s.title(common) == "Опубликовано издалека" })

	h.away.Store(true)
	s.await("the failure", func() bool { return s.health().Status == "degraded" })
	got := s.health()
	if got.Remote.LastFailure == nil || got.Remote.State != "unreachable" {
		t.Errorf("the health is %+v", got.Remote)
	}
	public, operators := string(s.mustGet("/api/v1/health", "*/*").body), s.toOperators()
	for _, private := range []string{h.URL, "502", args[3]} {
		if strings.Contains(public, private) || !strings.Contains(operators, private) {
			t.Errorf("%s is for operators alone; clients see\n%s\noperators\n%s", private, public, operators)
		}
	}
	if got.CheckedAt != *got.Remote.LastSuccess {
		t.Errorf("checked at %s, last fetched at %s", got.CheckedAt, *got.Remote.LastSuccess)
	}
	before := s.everything()
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}

	again := start(t, args...)
	if after := again.everything(); len(after) != len(before) {
		t.Errorf("%d answers before, %d after", len(before), len(after))
	} else {
		for path, want := range before {
			if after[path] != want {
				t.Errorf("%s was\n%s\nand is\n%s", path, want, after[path])
			}
		}
	}
	publish("1.9.0", "Опубликовано, пока связи не было")
	h.away.Store(false)
	again.await("what was pushed meanwhile", func() bool {
		return again.title(common) == "Опубликовано, пока связи не было"
	})
	again.await("good health", func() bool { return again.health().Status == "ok" })

	t.Log("the token is rotated")
	rotated := "another-s3cret"
	h.password.Store(&rotated)
	again.await("the refusal", func() bool { return again.health().Status == "degraded" })
	if err := os.WriteFile(file, []byte(rotated+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	again.await("the new token", func() bool { return again.health().Status == "ok" })
	for _, log := range []string{s.log.String(), again.log.String()} {
		if strings.Contains(log, "s3cret") {
			t.Errorf("the log gives a secret away:\n%s", log)
		}
	}
}

// A restart while the host is away is as stale as the mirror is, not more.
func TestStaleAfterRestart(t *testing.T) {
	inTurn(t)
	t.Parallel()
	bare, _ := newYoung(t)
	h := newHost(t, filepath.Dir(bare))
	cache := t.TempDir()
	args := []string{"--repo", h.URL + "/rules.git", "--cache-dir", cache, "--poll", "1s", "--stale-after", "1h"}
	s := start(t, args...)
	fetched := s.health().Remote.LastSuccess
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	h.away.Store(true)
	again := start(t, args...)
	again.await("the failure", func() bool { return again.health().Remote.LastError != nil })
	got := again.health()
	if got.Status != "degraded" || got.Remote.LastSuccess == nil || *got.Remote.LastSuccess < *fetched ||
		got.CheckedAt != *got.Remote.LastSuccess {
		t.Errorf("within the time the health is %+v %+v; fetched at %s", got, got.Remote, *fetched)
	}
	if err := again.stop(); err != nil {
		t.Fatal(err)
	}
	mirrors, err := filepath.Glob(filepath.Join(cache, "*", "*.git", "FETCH_HEAD"))
	if err != nil || len(mirrors) != 1 {
		t.Fatal(mirrors, err)
	}
	past := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(mirrors[0], past, past); err != nil {
		t.Fatal(err)
	}
	late := start(t, args...)
	if got := late.health(); got.Status != "unavailable" || got.Reason != "stale" ||
		got.CheckedAt != past.UTC().Format(time.RFC3339) {
		t.Errorf("beyond the time the health is %+v", got)
	}
	h.away.Store(false)
	late.await("good health", func() bool { return late.health().Status == "ok" })
}

// A server on a mirror serves the bytes that a server on the repository itself
// serves, under the same X-Snapshot.
func TestMirrorServesTheSame(t *testing.T) {
	inTurn(t)
	t.Parallel()
	bare, a := newYoung(t)
	a.retitle(common, "Одно и то же")
	a.git("tag", "-a", "-m", "Новое название", "guidelines/"+common+"/v8.0.0")
	a.push()
	gitIn(t, bare, "gc", "-q", "--prune=now")
	here := start(t, "--repo", bare, "--base-url", baseURL)
	there := start(t, "--repo", "file://"+filepath.ToSlash(bare), "--cache-dir", t.TempDir(), "--base-url", baseURL)
	want, got := here.everything(), there.everything()
	if len(got) != len(want) {
		t.Errorf("%d answers, expected %d", len(got), len(want))
	}
	for path := range want {
		if got[path] != want[path] {
			t.Errorf("%s is\n%s\nexpected\n%s", path, got[path], want[path])
		}
	}
}

// A git host may have a certificate from an authority of its own.
func TestOwnAuthority(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	plain := newHost(t, filepath.Dir(bare))
	h := httptest.NewTLSServer(plain.Config.Handler)
	t.Cleanup(h.Close)
	authority := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.Certificate().Raw}),
		0o644); err != nil {
		t.Fatal(err)
	}
	program := rulestore(t)
	load := func(env ...string) (string, error) {
		cmd := exec.Command(program, "serve", "--check", "--repo", h.URL+"/rules.git", "--cache-dir", t.TempDir())
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := load(); err == nil || !strings.Contains(out, "certificate") {
		t.Errorf("a stranger's certificate: %v\n%s", err, out)
	}
	if out, err := load("SSL_CERT_FILE=" + authority); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Without a login of its own the server signs in as the user's git would, and
// asks again when the password has changed.
func TestCredentialHelper(t *testing.T) {
	bare, a := newYoung(t)
	h := newHost(t, filepath.Dir(bare))
	old, changed := "s3cret-old", "s3cret-new"
	h.password.Store(&old)
	stored, config := filepath.Join(t.TempDir(), "credentials"), filepath.Join(t.TempDir(), "gitconfig")
	store := func(password string) {
		t.Helper()
		line := strings.Replace(h.URL, "://", "://anna:"+password+"@", 1) + "\n"
		if err := os.WriteFile(stored, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(config, []byte("[credential]\n\thelper = store --file="+stored+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	store(old)
	s := start(t, "--repo", h.URL+"/rules.git", "--cache-dir", t.TempDir(), "--poll", "1s")
	h.password.Store(&changed)
	s.await("the refusal", func() bool { return s.health().Status == "degraded" })
	store(changed)
	a.retitle(common, "Опубликовано с новым паролем")
	a.git("tag", "-a", "-m", "Новое название", "guidelines/"+common+"/v8.0.0")
	a.push()
	s.await("what was pushed", func() bool { return s.title(common) == "Опубликовано с новым паролем" })
	if strings.Contains(s.log.String(), "s3cret") {
		t.Errorf("the log gives a secret away:\n%s", s.log)
	}
}

var hookAddr = regexp.MustCompile(`listening for webhooks" addr=(\S+)`)

// A signed call from the git host has the server fetch long before the poll.
func TestWebhook(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "--repo", "file://"+filepath.ToSlash(bare), "--cache-dir", t.TempDir(), "--poll", "1h",
		"--webhook-addr", "127.0.0.1:0", "--webhook-secret-file", secret)
	if mode := s.health().WatchMode; mode != "fetch+webhook" {
		t.Errorf("the mode is %s", mode)
	}
	m := hookAddr.FindStringSubmatch(s.log.String())
	if m == nil {
		t.Fatalf("no address in\n%s", s.log)
	}
	a.retitle(common, "Опубликовано по звонку")
	a.git("tag", "-a", "-m", "Новое название", "guidelines/"+common+"/v1.8.0")
	a.push()
	body := `{"ref": "refs/heads/main"}`
	mac := hmac.New(sha256.New, []byte("0123456789abcdef"))
	mac.Write([]byte(body))
	call := func(signature string) int {
		req, err := http.NewRequest(http.MethodPost, "http://"+m[1]+"/", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Hub-Signature-256", signature)
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	if got := call("sha256=" + hex.EncodeToString(make([]byte, 32))); got != http.StatusUnauthorized {
		t.Errorf("a wrong signature: %d", got)
	}
	if got := call("sha256=" + hex.EncodeToString(mac.Sum(nil))); got != http.StatusAccepted {
		t.Errorf("a right signature: %d", got)
	}
	s.await("what was pushed", func() bool { return s.title(common) == "Опубликовано по звонку" })
	for _, path := range []string{"/metrics", "/debug/pprof/", "/api/v1/health"} {
		res, err := client.Get("http://" + m[1] + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s is answered with %d", path, res.StatusCode)
		}
	}
}

// A check with the flags of a server that runs needs nothing that the server
// holds: neither its addresses nor its mirror.
func TestCheckBesideAServer(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := func(cache string) []string {
		return []string{"--repo", "file://" + filepath.ToSlash(bare), "--cache-dir", cache, "--poll", "1s",
			"--webhook-addr", "127.0.0.1:0", "--webhook-secret-file", secret}
	}
	cache := t.TempDir()
	s := start(t, args(cache)...)
	taken := hookAddr.FindStringSubmatch(s.log.String())[1]
	check := func(cache string, more ...string) (string, error) {
		var out lockedBuffer
		all := append([]string{"serve", "--check", "--addr", strings.TrimPrefix(s.url, "http://")}, args(cache)...)
		err := run(t.Context(), append(append(all, "--webhook-addr", taken), more...),
			func(string) string { return "" }, nil, &out, &out)
		return out.String(), err
	}
	for name, cache := range map[string]string{"its mirror": cache, "no mirror yet": t.TempDir()} {
		if out, err := check(cache); err != nil || !strings.Contains(out, "0 refused, 0 held") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	if out, err := check(cache, "--webhook-secret-file", secret+".gone"); err == nil ||
		!strings.Contains(out, "read the secret") {
		t.Errorf("without the secret: %v\n%s", err, out)
	}
	a.retitle(common, "После проверки")
	a.git("tag", "-a", "-m", "Новое название", "guidelines/"+common+"/v1.8.0")
	a.push()
	s.await("what was pushed", func() bool { return s.title(common) == "После проверки" })
}

// A process that is killed in the middle of a fetch loses nothing: whatever was
// served before is served again, and the fetch succeeds in the end.
func TestKilledWhileFetching(t *testing.T) {
	takesLong(t)
	t.Parallel()
	program := rulestore(t)
	bare, a := newYoung(t)
	cache := t.TempDir()
	slow := newSlowHost(t, filepath.Dir(bare))
	args := []string{"serve", "--addr", "127.0.0.1:0", "--repo", slow.URL + "/rules.git",
		"--cache-dir", cache, "--poll", "1s"}
	ready := func(cmd *exec.Cmd) {
		t.Helper()
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal("no server: ", err)
		}
	}
	cmd := exec.Command(program, args...)
	ready(cmd)
	kill := func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	for i := range 6 {
		a.retitle(common, fmt.Sprint("Название ", i))
		a.git("tag", "-a", "-m", "Новое название", fmt.Sprintf("guidelines/%s/v2.%d.0", common, i))
		stopAt := int64(150 * i) // bytes of the pack that come before the silence
		slow.after.Store(stopAt)
		a.push()
		<-slow.stuck
		kill()
		slow.after.Store(-1)
		cmd = exec.Command(program, args...)
		ready(cmd)
		if i%2 == 0 { // else it is killed again on top of what the last one left
			waitForFetch(t, slow)
		}
	}
	kill()
	s := start(t, "--repo", slow.URL+"/rules.git", "--cache-dir", cache, "--poll", "1s")
	s.await("the last title", func() bool { return s.title(common) == "Название 5" })
	if err := s.stop(); err != nil { // it would replace and remove what is looked at below
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(cache, "*", "new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
	mirrors, err := filepath.Glob(filepath.Join(cache, "*", "*.git"))
	if err != nil || len(mirrors) == 0 {
		t.Fatal(mirrors, err)
	}
	for _, m := range mirrors {
		gitIn(t, m, "fsck", "--full", "--strict")
	}
}

// slowHost takes its time before a pack, and goes silent after so many bytes of it.
type slowHost struct {
	*httptest.Server
	pause   atomic.Int64 // nanoseconds
	after   atomic.Int64 // -1: never
	stuck   chan struct{}
	fetched chan struct{}
}

func newSlowHost(t *testing.T, root string) *slowHost {
	t.Helper()
	h := &slowHost{stuck: make(chan struct{}, 1), fetched: make(chan struct{}, 1)}
	h.after.Store(-1)
	inner := newHost(t, root).Config.Handler
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			inner.ServeHTTP(w, r)
			return
		}
		time.Sleep(time.Duration(h.pause.Load()))
		rec := httptest.NewRecorder()
		inner.ServeHTTP(rec, r)
		for k, v := range rec.Header() {
			w.Header()[k] = v
		}
		after := h.after.Load()
		if after < 0 {
			_, _ = w.Write(rec.Body.Bytes())
			notify(h.fetched)
			return
		}
		_, _ = w.Write(rec.Body.Bytes()[:min(int(after), rec.Body.Len())])
		_ = http.NewResponseController(w).Flush()
		notify(h.stuck)
		<-r.Context().Done()
	}))
	t.Cleanup(h.Server.Close)
	return h
}

func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func waitForFetch(t *testing.T, h *slowHost) {
	t.Helper()
	select {
	case <-h.fetched:
	case <-time.After(stuck):
		t.Fatal("nothing is fetched")
	}
}
