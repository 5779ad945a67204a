package mirror_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"rulestore/loader/git/mirror"
)

// overSSH serves a repository as sshd would, to one key.
func overSSH(t *repo) mirror.Remote {
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
	r := remote(t, fmt.Sprintf("ssh://git@%s%s", l.Addr(), filepath.ToSlash(t.dir)))
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

// What is wrong with a key or a host is said, with what to do.
func TestSSHKeys(t *testing.T) {
	origin := newRepo(t)
	for name, c := range map[string]struct {
		change func(*mirror.Remote)
		says   string
	}{
		"a missing key":       {func(r *mirror.Remote) { r.SSHKey += ".gone" }, "refuses the ssh key"},
		"a stranger's key":    {func(r *mirror.Remote) { _, r.SSHKey = newKey(t) }, "refuses the ssh key"},
		"no hosts":            {func(r *mirror.Remote) { r.KnownHosts += ".gone" }, "--known-hosts"},
		"another host":        {func(r *mirror.Remote) { r.KnownHosts = otherHost(t, *r) }, "--known-hosts"},
		"no such repository":  {func(r *mirror.Remote) { r.Path += ".gone" }, "check the address"},
		"a word of the shell": {func(r *mirror.Remote) { r.Path += "'; touch evil; '" }, "check the address"},
		"nobody there":        {func(r *mirror.Remote) { r.Host = "127.0.0.1:1" }, "nobody answers"},
	} {
		t.Run(name, func(t *testing.T) {
			r := overSSH(origin)
			c.change(&r)
			_, err := open(t, t.TempDir(), r).Fetch(t.Context())
			mustFail(t, err, "fetch ssh://", c.says)
		})
	}
}

// otherHost is a file that knows the host by another key.
func otherHost(t *testing.T, r mirror.Remote) string {
	key, _ := newKey(t)
	at, err := net.ResolveTCPAddr("tcp", r.Host)
	if err != nil {
		t.Fatal(err)
	}
	return knownHosts(t, at, key.PublicKey())
}
