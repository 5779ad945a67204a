package gitrepo_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"

	"rulestore/loader/gitcmd"
	"rulestore/loader/gitrepo"
)

// backend is git's own server, behind net/http.
func backend(t testing.TB, root string) http.Handler {
	t.Helper()
	out, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, err := os.Stat(program); err != nil {
		t.Skip("git has no http-backend here: ", err)
	}
	return &cgi.Handler{Path: program, Stderr: io.Discard, Env: []string{
		"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_CONFIG_SYSTEM=" + os.DevNull,
	}}
}

// overHTTP serves the folder of a repository and returns its address.
func overHTTP(t testing.TB, dir string, wrap func(http.Handler) http.Handler) gitrepo.Remote {
	t.Helper()
	h := backend(t, filepath.Dir(dir))
	if wrap != nil {
		h = wrap(h)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return remote(t, s.URL+"/"+filepath.Base(dir))
}

func overFile(t testing.TB, dir string) gitrepo.Remote {
	r := remote(t, "file://"+filepath.ToSlash(dir))
	r.Local = gitcmd.Environ(nil).UploadPack
	return r
}

func remote(t testing.TB, url string) gitrepo.Remote {
	t.Helper()
	a, err := gitrepo.ParseAddress(url)
	if err != nil {
		t.Fatal(err)
	}
	return gitrepo.Remote{Address: a}
}

// overSSH serves a repository as sshd would, to one key.
func overSSH(t testing.TB, dir string) gitrepo.Remote {
	t.Helper()
	host, _ := newKey(t)
	user, file := newKey(t)
	l := listen(t)
	config := &ssh.ServerConfig{PublicKeyCallback: func(c ssh.ConnMetadata,
		key ssh.PublicKey) (*ssh.Permissions, error) {
		if c.User() != "git" || string(key.Marshal()) != string(user.PublicKey().Marshal()) {
			return nil, errors.New("nobody known")
		}
		return nil, nil
	}}
	config.AddHostKey(host)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serveSSH(conn, config)
		}
	}()
	r := remote(t, fmt.Sprintf("ssh://git@%s%s", l.Addr(), filepath.ToSlash(dir)))
	r.SSHKey = file
	r.KnownHosts = knownHosts(t, l.Addr(), host.PublicKey())
	return r
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func knownHosts(t testing.TB, addr net.Addr, key ssh.PublicKey) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "known_hosts")
	if err := os.WriteFile(file, []byte(knownhosts.Line([]string{addr.String()}, key)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func newKey(t testing.TB) (ssh.Signer, string) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	return signer, file
}

// serveSSH runs what one connection asks for, as a login shell would.
func serveSSH(conn net.Conn, config *ssh.ServerConfig) {
	defer conn.Close()
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for c := range channels {
		channel, requests, err := c.Accept()
		if err != nil {
			return
		}
		for req := range requests {
			if req.Type != "exec" {
				continue
			}
			_ = req.Reply(true, nil)
			cmd := exec.Command("sh", "-c", string(req.Payload[4:]))
			cmd.Stdout, cmd.Stderr = channel, channel.Stderr()
			in, _ := cmd.StdinPipe()
			go func() { _, _ = io.Copy(in, channel); _ = in.Close() }()
			_ = cmd.Run()
			_, _ = channel.SendRequest("exit-status", false,
				ssh.Marshal(struct{ Status uint32 }{uint32(cmd.ProcessState.ExitCode())}))
			_ = channel.Close()
		}
	}
}

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.org/rules.git":            "https://example.org/rules.git",
		"https://example.org:8443/a/b":             "https://example.org:8443/a/b",
		"http://[::1]:3000/rules":                  "http://[::1]:3000/rules",
		"https://[::1]/rules":                      "https://[::1]/rules",
		"ssh://git@example.org:2222/srv/rules.git": "ssh://git@example.org:2222/srv/rules.git",
		"git@example.org:team/rules.git":           "ssh://git@example.org/team/rules.git",
		"file:///srv/rules.git":                    "file:///srv/rules.git",
		"file://localhost/srv/rules.git":           "file:///srv/rules.git",
		"https://example.org/правила.git":          "https://example.org/%D0%BF%D1%80%D0%B0%D0%B2%D0%B8%D0%BB%D0%B0.git",
	} {
		t.Run(in, func(t *testing.T) {
			a, err := gitrepo.ParseAddress(in)
			if err != nil || a.String() != want || !gitrepo.IsAddress(in) {
				t.Errorf("%s is read as %s, %v", in, a, err)
			}
		})
	}
	for in, says := range map[string]string{
		"https://anna:s3cret@example.org/rules.git":  "must not say who signs in",
		"https://s3cret@example.org/rules.git":       "must not say who signs in",
		"ssh://git:s3cret@example.org/rules.git":     "must not say who signs in",
		"https://example.org/rules?token=s3cret":     "no query",
		"https://example.org/rules#s3cret":           "no fragment",
		"https://anna:s3cret@exa mple.org/rules.git": "is no URL",
		"https:///rules.git":                         "is no address of a repository",
		"https://example.org":                        "is no address of a repository",
		"http://localhost:8080/":                     "is no address of a repository",
		"https://example.org:99999/rules":            `the port "99999"`,
		"git://example.org/rules.git":                "neither signs nor encrypts",
		"ftp://example.org/rules.git":                `begins with "ftp"`,
		"file://elsewhere/srv/rules.git":             "is no path on this machine",
	} {
		t.Run(in, func(t *testing.T) {
			_, err := gitrepo.ParseAddress(in)
			mustFail(t, err, says)
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error gives the secret away: %v", err)
			}
		})
	}
	for _, path := range []string{".", "rules", "/srv/rules.git", "../a:b", `C:\rules`, "C:/rules", "user/name"} {
		if gitrepo.IsAddress(path) {
			t.Errorf("%s is a path", path)
		}
	}
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

// hostKey is a server that is not who it was: the key is refused before anybody
// signs in.
func TestUnknownHost(t *testing.T) {
	origin := newRepo(t)
	origin.put("rule.yaml", "1\n")
	r := overSSH(t, origin.dir)
	other, _ := newKey(t)
	port := strconv.Itoa(r.Port)
	for name, line := range map[string]string{
		"unknown": "",
		"changed": knownhosts.Line([]string{"[127.0.0.1]:" + port}, other.PublicKey()) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(r.KnownHosts, []byte(line), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := openMirror(t, r).Fetch(t.Context())
			mustFail(t, err, "the host key of 127.0.0.1:"+port, "is not a known one", "--known-hosts")
		})
	}
}

// Without a key file the agent's keys sign, and it is not held for longer than
// that takes.
func TestSSHAgent(t *testing.T) {
	origin := newRepo(t)
	origin.put("rule.yaml", "1\n")
	r := overSSH(t, origin.dir)
	raw, err := os.ReadFile(r.SSHKey)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.ParseRawPrivateKey(raw)
	if err != nil {
		t.Fatal(err)
	}
	keys := agent.NewKeyring()
	if err := keys.Add(agent.AddedKey{PrivateKey: key}); err != nil {
		t.Fatal(err)
	}
	socket, err := os.MkdirTemp("", "agent") // a short path: there is little room for one
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(socket)
	l, err := net.Listen("unix", filepath.Join(socket, "s"))
	if err != nil {
		t.Skip("no sockets here: ", err)
	}
	defer l.Close()
	served := make(chan error, 1)
	go func() {
		conn, err := l.Accept()
		if err == nil {
			err = agent.ServeAgent(keys, conn) // until the other side closes
		}
		served <- err
	}()
	r.SSHKey, r.SSHAgent = "", l.Addr().String()
	m := openMirror(t, r)
	fetch(t, m, true)
	same(t, m, origin)
	if err := <-served; !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// An agent that takes the call and then says nothing holds nobody up for good.
func TestSilentSSHAgent(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "agent"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	origin := newRepo(t)
	origin.put("rule.yaml", "1\n")
	r := overSSH(t, origin.dir)
	r.SSHKey, r.SSHAgent = "", l.Addr().String()
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = io.ReadFull(conn, make([]byte, 5)) // what it is asked
		cancel(errors.New("enough"))
		_, _ = io.Copy(io.Discard, conn)
	}()
	_, err = openMirror(t, r).Fetch(ctx)
	mustFail(t, err, "enough")
}

func TestSSHKeys(t *testing.T) {
	origin := newRepo(t)
	origin.put("rule.yaml", "1\n")
	for name, c := range map[string]struct {
		change func(*gitrepo.Remote)
		says   string
	}{
		"none": {func(r *gitrepo.Remote) { r.SSHKey = "" },
			"no ssh agent answers: name a private key with --ssh-key"},
		"missing":            {func(r *gitrepo.Remote) { r.SSHKey += ".gone" }, "read the ssh key"},
		"garbage":            {func(r *gitrepo.Remote) { r.SSHKey = r.KnownHosts }, "read the ssh key"},
		"stranger":           {func(r *gitrepo.Remote) { _, r.SSHKey = newKey(t) }, "unable to authenticate"},
		"no hosts":           {func(r *gitrepo.Remote) { r.KnownHosts += ".gone" }, "read the known host keys"},
		"no such repository": {func(r *gitrepo.Remote) { r.Path += ".gone" }, "repository not found"},
	} {
		t.Run(name, func(t *testing.T) {
			r := overSSH(t, origin.dir)
			c.change(&r)
			_, err := openMirror(t, r).Fetch(t.Context())
			mustFail(t, err, c.says)
		})
	}
}
