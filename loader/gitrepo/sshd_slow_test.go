//go:build slow

package gitrepo_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"rulestore/loader/gitrepo"
)

// The mirror follows a repository behind OpenSSH's own server.
func TestRealSSHD(t *testing.T) {
	r, origin := overSSHD(t)
	m := openMirror(t, r)
	fetch(t, m, true)
	same(t, m, origin)
	fetch(t, m, false)
	origin.put("rule.yaml", "2\n")
	origin.git("tag", "-a", "-m", "two", "v1.0.0")
	fetch(t, m, true)
	same(t, m, origin)
	r.Path += " '; echo evil; '"
	_, err := openMirror(t, r).Fetch(t.Context())
	mustFail(t, err, "fetch ssh://")
}

// overSSHD starts sshd for one key on a free port.
func overSSHD(t *testing.T) (gitrepo.Remote, *repo) {
	t.Helper()
	const program = "/usr/sbin/sshd"
	if _, err := os.Stat(program); err != nil {
		t.Skip("sshd is not installed: ", err)
	}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	host, hostFile := newKey(t)
	own, ownFile := newKey(t)
	dir := t.TempDir()
	l := listen(t)
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	keys, config := filepath.Join(dir, "keys"), filepath.Join(dir, "config")
	text := fmt.Sprintf("ListenAddress 127.0.0.1:%d\nHostKey %s\nAuthorizedKeysFile %s\nPidFile none\n"+
		"StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin prohibit-password\n", port, hostFile,
		keys)
	if err := os.WriteFile(keys, ssh.MarshalAuthorizedKey(own.PublicKey()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = os.MkdirAll("/run/sshd", 0o755) // what it wants when it runs as root
	cmd := exec.Command(program, "-D", "-e", "-f", config)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines, ready := bufio.NewScanner(stderr), false
	for !ready && lines.Scan() {
		t.Log(lines.Text())
		ready = strings.Contains(lines.Text(), "Server listening")
	}
	if !ready {
		t.Skip("sshd does not start here")
	}
	go func() {
		for lines.Scan() { // else it would wait for a reader
		}
	}()
	origin := newRepo(t)
	origin.put("rule.yaml", "1\n")
	r := remote(t, fmt.Sprintf("ssh://%s@127.0.0.1:%d%s", me.Username, port, filepath.ToSlash(origin.dir)))
	r.SSHKey = ownFile
	r.KnownHosts = knownHosts(t, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}, host.PublicKey())
	return r, origin
}
