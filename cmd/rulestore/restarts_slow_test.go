//go:build slow

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestFaultRestarts restarts replicas one after the other, as an upgrade does, behind nginx
// as it is shipped: no request is lost, also of those that nginx never sends twice.
func TestFaultRestarts(t *testing.T) {
	need(t, "nginx")
	bare, _ := newYoung(t)
	replicas, servers := make([]*child, 3), ""
	begin := func(addr string) *child {
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
	begin := func() *child {
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

// times returns how often a fault is tried: more often by scripts/faults/run, which sets
// FAULTS.
func times(few, many int) int {
	if os.Getenv("FAULTS") != "" {
		return many
	}
	return few
}

// A call is a request that changes nothing, though a proxy cannot know that of a POST.
type call struct{ name, method, path, body string }

var calls = []call{
	{"GET", http.MethodGet, "/api/v1/search?q=1", ""},
	{"calculation", http.MethodPost, "/api/v1/math/tools/loan_payment",
		`{"inputs":{"principal":"100000","annual_rate_pct":"12","term_months":12}}`},
	{"MCP", http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`},
}

// once sends a call; of number n, so that no answer comes from a cache.
func (c call) once(by *http.Client, url string, n int64) error {
	path := c.path
	if c.method == http.MethodGet {
		path += strconv.FormatInt(n, 10)
	}
	req, err := http.NewRequest(c.method, url+path, strings.NewReader(c.body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	res, err := by.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK {
		return fmt.Errorf("%d, %v: %.200s", res.StatusCode, err, body)
	}
	return nil
}

// restarts has clients call while servers are restarted so many times.
func (s *running) restarts(n int, restart func(i int)) {
	s.Helper()
	const clients = 4 // of each kind
	patient := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 3 * clients}}
	defer patient.CloseIdleConnections()
	asked := make([]atomic.Int64, len(calls))
	var over atomic.Bool
	var work sync.WaitGroup
	for i, c := range calls {
		for range clients {
			work.Go(func() {
				for !over.Load() {
					if err := c.once(patient, s.url, asked[i].Add(1)); err != nil {
						s.Errorf("%s: %v", c.name, err)
					}
				}
			})
		}
	}
	for i := range n {
		restart(i)
	}
	over.Store(true)
	work.Wait()
	for i, c := range calls {
		if asked[i].Load() < int64(n) {
			s.Errorf("only %d of %s were sent", asked[i].Load(), c.name)
		}
	}
	s.Logf("%d restarts behind nginx: of %d, %d and %d requests none was to fail", n, asked[0].Load(), asked[1].Load(),
		asked[2].Load())
}
