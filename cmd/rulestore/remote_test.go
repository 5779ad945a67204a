package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

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
		cmd := exec.Command(program, "check", "--repo", h.URL+"/rules.git", "--cache-dir", t.TempDir())
		cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
			return strings.HasPrefix(v, "GIT_SSL_CAINFO=") || strings.HasPrefix(v, "SSL_CERT_FILE=")
		}), env...)
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
	a.publish("8.0.0", "Опубликовано с новым паролем")
	s.await("what was pushed", func() bool { return s.title(common) == "Опубликовано с новым паролем" })
	if strings.Contains(s.log.String(), "s3cret") {
		t.Errorf("the log gives a secret away:\n%s", s.log)
	}
}

// What the host refuses no waiting mends.
func TestFirstStartRefuses(t *testing.T) {
	t.Parallel()
	h := newHost(t, filepath.Dir(young(t)))
	out, err := rulestoreIn(t.TempDir(), nil, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off", "--repo",
		h.URL+"/nowhere.git", "--cache-dir", t.TempDir())
	if exitCode(err) != exitFailed || !strings.Contains(out, "check the address") {
		t.Errorf("%v\n%s", err, out)
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
	a.publish("1.8.0", "Опубликовано по звонку")
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

// heldHost is a host that lets nobody fetch before it is released.
type heldHost struct {
	*httptest.Server
	asked   chan struct{}
	release func()
}

func newHeldHost(t *testing.T, root string) *heldHost {
	t.Helper()
	released, inner := make(chan struct{}), newHost(t, root).Config.Handler
	h := &heldHost{asked: make(chan struct{}, 10), release: sync.OnceFunc(func() { close(released) })}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			h.asked <- struct{}{}
			<-released
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { h.release(); h.Close() })
	return h
}
