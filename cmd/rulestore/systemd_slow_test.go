//go:build slow

package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// manager stands in for systemd: it listens for what the process says.
func manager(t *testing.T) (*net.UnixConn, string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn, name
}

// The process tells the service manager when it is ready, reloading and stopping.
func TestNotify(t *testing.T) {
	t.Parallel()
	conn, name := manager(t)
	p := spawnYoung(t, func(c *exec.Cmd) { c.Env = append(os.Environ(), "NOTIFY_SOCKET="+name) })
	told(t, conn, "READY=1\nSTATUS=serving snapshot ")
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	told(t, conn, "RELOADING=1")
	told(t, conn, "READY=1")
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	told(t, conn, "STOPPING=1")
}

// systemd's own program hands over the socket, so that a restart loses no connection.
func TestSocketActivation(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("systemd-socket-activate"); err != nil {
		t.Skip("systemd-socket-activate is missing")
	}
	addr := freeAddr(t)
	cmd := exec.Command("systemd-socket-activate", "-l", addr, rulestore(t), "serve", "--addr", "256.0.0.1:1",
		"--admin-addr", "off")
	log := &lockedBuffer{}
	cmd.Stderr, cmd.Stdout = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	s := &running{T: t, url: "http://" + addr, log: log}
	s.await("the socket", func() bool { a, err := s.get("/healthz", "*/*"); return err == nil && a.status == 200 })
	if got := s.mustGet("/", "*/*").status; got != 200 {
		t.Errorf("status %d", got)
	}
}

// told waits for a state.
func told(t *testing.T, conn *net.UnixConn, want string) {
	t.Helper()
	buf := make([]byte, 1<<10)
	for {
		if err := conn.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
			t.Fatal(err)
		}
		n, err := conn.Read(buf)
		if err != nil {
			t.Fatalf("the process does not say %s: %v", want, err)
		}
		if strings.HasPrefix(string(buf[:n]), want) {
			return
		}
	}
}

// A signal while a fetch hangs abandons it, health says so at once, and the service manager is told that the
// service is ready when what the next one brought is served.
func TestNotifyOfARemote(t *testing.T) {
	t.Parallel()
	conn, name := manager(t)
	bare, a := newYoung(t)
	inner := newHost(t, filepath.Dir(bare)).Config.Handler
	var hangs atomic.Bool
	asked := make(chan struct{}, 100)
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hangs.Load() {
			asked <- struct{}{}
			<-r.Context().Done()
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	p := spawn(t, func(c *exec.Cmd) { c.Env = append(os.Environ(), "NOTIFY_SOCKET="+name) },
		"--repo", h.URL+"/rules.git", "--cache-dir", t.TempDir(), "--poll", "1h")
	told(t, conn, "READY=1\nSTATUS=serving snapshot ")
	hangs.Store(true)
	hangup := func() {
		t.Helper()
		if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	hangup()
	<-asked
	told(t, conn, "RELOADING=1")
	a.publish("8.0.0", "Опубликовано, пока ничего не шло")
	hangup()
	p.await("the next fetch", func() bool { return len(asked) > 0 })
	if got := p.health(); got.Status != "degraded" || got.Remote.LastError == nil {
		t.Errorf("health is %+v", got)
	}
	hangs.Store(false)
	hangup()
	told(t, conn, "READY=1")
	if got := p.title(common); got != "Опубликовано, пока ничего не шло" {
		t.Errorf("ready with %q", got)
	}
}
