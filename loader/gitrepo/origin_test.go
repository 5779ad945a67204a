package gitrepo_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// elsewhere is a server that nobody has any business with.
func elsewhere(t *testing.T, makeServer func(http.Handler) *httptest.Server) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	s := makeServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// A remote does not choose whom this machine speaks to: a redirect that leaves its
// origin reaches nobody, and the error says what to configure instead.
func TestRedirectsStayOnTheirOrigin(t *testing.T) {
	other, asked := elsewhere(t, httptest.NewServer)
	secure, askedSecurely := elsewhere(t, httptest.NewTLSServer)
	long := strings.Repeat("long/", 1000)
	for name, c := range map[string]struct{ to, says string }{
		"another port": {other + "/rules.git/info/refs?service=git-upload-pack",
			"configure " + other + "/rules.git"},
		"https": {secure + "/rules.git/info/refs", "configure " + secure + "/rules.git"},
		"another name": {strings.Replace(other, "127.0.0.1", "localhost", 1) + "/",
			"configure http://localhost"},
		"a login and a query": {strings.Replace(other, "http://", "http://anna:s3cret@", 1) +
			"/a?token=s3cret#s3cret", "configure " + other + "/a"},
		"a long address":     {other + "/" + long, "…"},
		"marks of direction": {other + "/\u202egnp.exe", "%E2%80%AEgnp.exe"},
		"a host of an address": {"http://[::ffff:127.0.0.1]" + other[strings.LastIndex(other, ":"):] + "/",
			"configure http://[::ffff:127.0.0.1]"},
		"without a scheme": {"//" + strings.TrimPrefix(other, "http://") + "/rules.git/info/refs",
			"configure " + other + "/rules.git"},
		"the metadata of a cloud": {"http://169.254.169.254/latest/meta-data/",
			"configure http://169.254.169.254/latest/meta-data/"},
		"a file":           {"file:///etc/passwd", "not followed"},
		"another protocol": {"gopher://127.0.0.1:70/1", "not followed"},
		"opaque":           {"http:rules.git/info/refs", "not followed"},
		"no address":       {"http://[::1/%zz", "what is no address"},
	} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprintf("%s/%d", name, status), func(t *testing.T) {
				r := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Location", c.to)
					w.WriteHeader(status)
				}))
				r.Login = &login{pairs: [][2]string{{"anna", "s3cret"}}}
				_, err := openMirror(t, r).Fetch(t.Context())
				mustFail(t, err, "fetch "+r.Address.String(), c.says)
				if said := err.Error(); len(said) > 600 || strings.Contains(said, "s3cret") ||
					strings.ContainsRune(said, '\u202e') {
					t.Errorf("the error repeats too much: %q", said)
				}
			})
		}
	}
	if n := asked.Load() + askedSecurely.Load(); n != 0 {
		t.Errorf("the other servers got %d requests", n)
	}
}

// Nor does it when the pack is asked for, or at the end of a walk on its own origin.
func TestLateRedirects(t *testing.T) {
	other, asked := elsewhere(t, httptest.NewServer)
	t.Run("of the pack", func(t *testing.T) {
		for _, status := range []int{301, 302, 303, 307, 308} {
			s := server{refs: []string{someID + " refs/heads/main"}, head: "refs/heads/main"}
			r := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					http.Redirect(w, r, other+r.URL.Path, status)
					return
				}
				s.ServeHTTP(w, r)
			}))
			_, err := openMirror(t, r).Fetch(t.Context())
			mustFail(t, err, "configure "+other+"/rules.git")
		}
	})
	t.Run("after some steps", func(t *testing.T) {
		r := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Count(r.URL.Path, "x") == 3 {
				http.Redirect(w, r, other+"/rules.git/info/refs", http.StatusFound)
				return
			}
			http.Redirect(w, r, "/x"+r.URL.Path+"?"+r.URL.RawQuery, http.StatusFound)
		}))
		_, err := openMirror(t, r).Fetch(t.Context())
		mustFail(t, err, "configure "+other+"/rules.git")
	})
	t.Run("too many steps", func(t *testing.T) {
		n := 0
		r := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n++
			http.Redirect(w, r, "/x"+r.URL.Path+"?"+r.URL.RawQuery, http.StatusFound)
		}))
		_, err := openMirror(t, r).Fetch(t.Context())
		mustFail(t, err, "too many redirects")
		if n > 10 {
			t.Errorf("%d steps were taken", n)
		}
	})
	if n := asked.Load(); n != 0 {
		t.Errorf("the other server got %d requests", n)
	}
}

// A repository that moved within its origin is followed there, with the login.
func TestRedirectWithinTheOrigin(t *testing.T) {
	origin := newRepo(t)
	origin.put("guidelines/a.yaml", "1\n")
	bare := filepath.Join(t.TempDir(), "new.git")
	origin.git("clone", "--quiet", "--mirror", origin.dir, bare)
	for name, location := range map[string]func(*http.Request) string{
		"a path": func(r *http.Request) string { return strings.Replace(r.URL.String(), "/old.git", "/new.git", 1) },
		"an address": func(r *http.Request) string {
			return "http://" + r.Host + strings.Replace(r.URL.String(), "/old.git", "/new.git", 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := backend(t, filepath.Dir(bare))
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch _, password, _ := r.BasicAuth(); {
				case password != "s3cret":
					w.WriteHeader(http.StatusUnauthorized)
				case strings.HasPrefix(r.URL.Path, "/old.git/"):
					http.Redirect(w, r, location(r), http.StatusMovedPermanently)
				default:
					h.ServeHTTP(w, r)
				}
			}))
			t.Cleanup(s.Close)
			r := remote(t, s.URL+"/old.git")
			r.Login = &login{pairs: [][2]string{{"anna", "s3cret"}}}
			m := openMirror(t, r)
			fetch(t, m, true)
			same(t, m, origin)
		})
	}
}
