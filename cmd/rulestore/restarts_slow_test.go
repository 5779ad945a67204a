//go:build slow

package main

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestFaultRestarts restarts replicas one after the other, as an upgrade does, behind nginx
// as it is shipped: no request is lost, also of those that nginx never sends twice.
func TestFaultRestarts(t *testing.T) {
	need(t, "nginx")
	bare, _ := newYoung(t)
	replicas, servers := make([]*process, 3), ""
	begin := func(addr string) *process {
		return spawn(t, nil, "--repo", bare, "--base-url", baseURL, "--addr", addr, "--trusted-proxies", "127.0.0.1/32")
	}
	for i := range replicas {
		replicas[i] = begin(freeAddr(t))
		servers += strings.Replace(shippedServer, "127.0.0.1:8080", replicas[i].addr(), 1) + "\n"
	}
	proxy, _ := startNginx(t, deployed(t, "nginx/rulestore.conf", shippedServer, servers))
	proxy.restarts(times(3, 20), func(i int) {
		at := &replicas[i%len(replicas)]
		if err := (*at).end(syscall.SIGTERM); err != nil {
			t.Errorf("restart %d: %v\n%s", i, err, (*at).log)
		}
		*at = begin((*at).addr())
	})
}

// shippedServer is who nginx asks, as it is shipped.
const shippedServer = "server 127.0.0.1:8080 max_fails=0;"

// TestFaultRestartsOfOne restarts the only server behind nginx, whose socket a service
// manager keeps, as the shipped units have it.
func TestFaultRestartsOfOne(t *testing.T) {
	need(t, "nginx")
	bare, _ := newYoung(t)
	var plain net.ListenConfig
	plain.SetMultipathTCP(false) // as systemd opens it
	l, err := plain.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	socket, err := l.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	begin := func() *process {
		return spawn(t, func(c *exec.Cmd) {
			c.Args = append([]string{"sh", "-c", `LISTEN_PID=$$ exec "$0" "$@"`, c.Path}, c.Args[1:]...)
			c.Path, c.ExtraFiles = "/bin/sh", []*os.File{socket}
			c.Env = append(os.Environ(), "LISTEN_FDS=1")
		}, "--repo", bare, "--base-url", baseURL, "--trusted-proxies", "127.0.0.1/32")
	}
	p := begin()
	proxy, _ := startNginx(t, deployed(t, "nginx/rulestore.conf", "127.0.0.1:8080", p.addr()))
	proxy.restarts(times(2, 20), func(i int) {
		if err := p.end(syscall.SIGTERM); err != nil {
			t.Errorf("restart %d: %v\n%s", i, err, p.log)
		}
		p = begin()
	})
}
