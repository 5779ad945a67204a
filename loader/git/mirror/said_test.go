package mirror_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"rulestore/loader/git"
	"rulestore/loader/git/mirror"
)

func login(user, password string) mirror.Login {
	return func() (string, string, error) { return user, password, nil }
}

// signIn guards a server with a password.
func signIn(user, password string) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if u, p, _ := r.BasicAuth(); u != user || p != password {
				w.Header().Set("WWW-Authenticate", `Basic realm="rules"`)
				http.Error(w, "who are you", http.StatusUnauthorized)
				return
			}
			h.ServeHTTP(w, r)
		})
	}
}

func status(code int, kind, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	})
}

// What a host answers in place of a repository is said in our words, with what to do.
func TestWhatHostsSay(t *testing.T) {
	const page = "<html>SECRET\x1b[31m of the host</html>\n"
	set := login("anna", "s3cret")
	for name, c := range map[string]struct {
		answer  http.Handler
		login   mirror.Login
		says    string
		refused bool
	}{
		"a page":                 {status(200, "text/html", page), nil, "answers with a web page", false},
		"a page, signed in":      {status(200, "text/html", page), set, "answers with a web page", false},
		"forbidden":              {status(403, "text/html", page), nil, "RULESTORE_GIT_PASSWORD", true},
		"forbidden with a login": {status(403, "text/plain", page), set, "refuses the login that is set", true},
		"unknown":                {status(401, "text/html", page), nil, "RULESTORE_GIT_PASSWORD", true},
		"unknown with a login":   {status(401, "text/html", page), set, "refuses the login that is set", true},
		"not found":              {status(404, "text/html", page), nil, "check the address", true},
		"gone":                   {status(410, "text/html", page), nil, "check the address", true},
		"too often":              {status(429, "text/html", page), nil, "--poll", false},
		"out of order":           {status(502, "text/html", page), nil, "a fault of its own", false},
		"not now":                {status(503, "text/html", page), nil, "a fault of its own", false},
		"nothing":                {status(200, "application/x-git-upload-pack-advertisement", ""), nil, "fetch http", false},
		"another protocol": {status(200, "application/x-git-upload-pack-advertisement", "0004ERR"), nil,
			"not with a repository", false},
		"an error of its": {status(200, "application/x-git-upload-pack-advertisement",
			"001e# service=git-upload-pack\n00000011ERR no\x1b\x07 such"), nil, "git says", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := serve(t, c.answer)
			r.Login = c.login
			_, err := open(t, t.TempDir(), r).Fetch(t.Context())
			mustFail(t, err, "fetch "+r.Address.String(), c.says)
			if strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), "s3cret") ||
				mirror.IsRefused(err) != c.refused {
				t.Errorf("refused: %t, %v", mirror.IsRefused(err), err)
			}
		})
	}
	for address, says := range map[string]string{
		"https://127.0.0.1:1/rules.git":      "nobody answers",
		"https://rules.invalid/rules.git":    "nobody answers",
		"file:///nowhere/rules.git":          "check the address",
		"http://rules.example.org/rules.git": "anybody on the way could read it: use https",
	} {
		t.Run(address, func(t *testing.T) {
			r := remote(t, address)
			if strings.HasPrefix(address, "http:") {
				r.Login = set
			}
			_, err := open(t, t.TempDir(), r).Fetch(t.Context())
			mustFail(t, err, "fetch "+address, says)
		})
	}
}

// What a remote has that no mirror can have is said.
func TestWhatIsNoRepositoryOfRules(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*repo) string
		says   string
	}{
		"empty": {func(r *repo) string { r.git("init", "-q", "--bare", "../new.git"); return "../new.git" }, "is empty"},
		"shallow": {func(r *repo) string {
			r.put("2\n")
			r.git("clone", "-q", "--depth", "1", "file://"+r.dir, "../new.git")
			return "../new.git"
		}, "is shallow"},
		"sha256": {func(r *repo) string {
			r.git("init", "-q", "--object-format=sha256", "../new.git")
			gitIn(r, filepath.Join(r.dir, "../new.git"), "commit", "-q", "--allow-empty", "-m", "x")
			return "../new.git"
		}, "sha256"},
		"broken": {func(r *repo) string {
			id := r.git("rev-parse", "HEAD:a.yaml")
			if err := os.Remove(filepath.Join(r.dir, ".git/objects", id[:2], id[2:])); err != nil {
				r.Fatal(err)
			}
			return "."
		}, "git says"},
		"refused by git": {func(r *repo) string {
			tree := r.git("rev-parse", "HEAD^{tree}")
			text := "tree " + tree + "\nauthor A <a@example.org> x\ncommitter A <a@example.org> 1 +0000\n\nx\n"
			if err := os.WriteFile(filepath.Join(r.dir, "commit"), []byte(text), 0o644); err != nil {
				r.Fatal(err)
			}
			r.git("update-ref", "refs/heads/main", r.git("hash-object", "-t", "commit", "--literally", "-w", "commit"))
			return "."
		}, "refused as broken"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			dir := filepath.Join(r.dir, c.change(r))
			_, err := open(t, t.TempDir(), remote(t, "file://"+dir)).Fetch(t.Context())
			mustFail(t, err, "fetch file://", c.says)
		})
	}
}

// A pack that does not come whole, and a commit that is listed and does not come, are said as what they are.
func TestWhatDoesNotCome(t *testing.T) {
	main := regexp.MustCompile(`[0-9a-f]{40} refs/heads/main`)
	for name, c := range map[string]struct {
		spoil func(answer []byte, isPack bool) []byte
		says  string
	}{
		"half a pack": {func(answer []byte, isPack bool) []byte {
			if isPack {
				return answer[:len(answer)*2/3]
			}
			return answer
		}, "the host broke off"},
		"a commit that is not there": {func(answer []byte, _ bool) []byte {
			return main.ReplaceAll(answer, []byte(strings.Repeat("1", 40)+" refs/heads/main"))
		}, "lists what it does not have"},
	} {
		t.Run(name, func(t *testing.T) {
			h := backend(t, filepath.Dir(newRepo(t).dir))
			r := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				rec := httptest.NewRecorder()
				h.ServeHTTP(rec, r)
				maps.Copy(w.Header(), rec.Header())
				w.Header().Del("Content-Length")
				_, _ = w.Write(c.spoil(rec.Body.Bytes(), bytes.Contains(rec.Body.Bytes(), []byte("PACK"))))
			}))
			_, err := open(t, t.TempDir(), r).Fetch(t.Context())
			mustFail(t, err, "fetch "+r.Address.String(), c.says)
		})
	}
}

// A login of the operator is used, one of git's helpers else; neither is an argument, or said.
func TestLogin(t *testing.T) {
	origin := newRepo(t)
	guarded := func() mirror.Remote {
		return serve(t, signIn("anna", "s3cret")(backend(t, filepath.Dir(origin.dir))))
	}
	for name, c := range map[string]struct {
		login  mirror.Login
		helper string
		ok     bool
	}{
		"right":                     {login("anna", "s3cret"), "", true},
		"wrong":                     {login("anna", "s3crets"), "", false},
		"wrong, and right helpers":  {login("anna", "s3crets"), "!f() { echo username=anna; echo password=s3cret; }; f", false},
		"none":                      {nil, "", false},
		"none that is set":          {login("", ""), "", false},
		"helpers":                   {nil, "!f() { echo username=anna; echo password=s3cret; }; f", true},
		"helpers that do not know":  {nil, "!f() { echo username=anna; echo password=s3crets; }; f", false},
		"helpers where none is set": {login("git", ""), "!f() { echo username=anna; echo password=s3cret; }; f", true},
	} {
		t.Run(name, func(t *testing.T) {
			r := guarded()
			r.Login = c.login
			r.Environ = git.Environ(append(os.Environ(), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=credential.helper",
				"GIT_CONFIG_VALUE_0="+c.helper))
			_, err := open(t, t.TempDir(), r).Fetch(t.Context())
			if c.ok != (err == nil) {
				t.Error(err)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Error("the error gives the password away")
			}
		})
	}
}

// A remote does not choose whom this machine speaks to: a redirect reaches nobody, and the error says so.
func TestRedirects(t *testing.T) {
	asked := new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(s.Close)
	to := strings.Replace(s.URL, "http://", "http://anna:s3cret@", 1)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for name, method := range map[string]string{"refs": http.MethodGet, "pack": http.MethodPost} {
			t.Run(fmt.Sprint(status, " of the ", name), func(t *testing.T) {
				h := backend(t, filepath.Dir(newRepo(t).dir))
				r := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == method {
						http.Redirect(w, r, to+r.URL.Path, status)
						return
					}
					h.ServeHTTP(w, r)
				}))
				r.Login = login("anna", "s3cret")
				_, err := open(t, t.TempDir(), r).Fetch(t.Context())
				mustFail(t, err, "fetch "+r.Address.String(), "redirects are not followed", fmt.Sprint(status))
				if strings.Contains(err.Error(), "s3cret") {
					t.Errorf("the error gives the password away: %v", err)
				}
			})
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the other server got %d requests", n)
	}
}

// Without git, what is missing is said.
func TestNoGit(t *testing.T) {
	r := newRepo(t).overFile()
	t.Setenv("PATH", t.TempDir())
	_, err := open(t, t.TempDir(), r).Fetch(t.Context())
	mustFail(t, err, "the git command is not installed", "install it")
	if !mirror.IsRefused(err) {
		t.Error("it is waited for")
	}
}
