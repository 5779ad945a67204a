package main

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// drip sends the headers of a request byte by byte, again and again, until the test ends.
func (p *process) drip() {
	for p.Context().Err() == nil {
		c, err := net.DialTimeout("tcp", p.addr(), time.Second)
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		for _, b := range []byte("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: " + strings.Repeat("a", 1000)) {
			if _, err := c.Write([]byte{b}); err != nil || p.Context().Err() != nil {
				break
			}
			time.Sleep(100 * time.Millisecond) // the slowness is the subject
		}
		c.Close()
	}
}

// keepSending sends the beginning of a request and waits until it is cut off, and then
// again, until the test ends.
func (p *process) keepSending(begun string) {
	for p.Context().Err() == nil {
		c, err := net.DialTimeout("tcp", p.addr(), time.Minute)
		if err != nil {
			time.Sleep(10 * time.Millisecond) // the server is gone, or has no room
			continue
		}
		stop := make(chan struct{})
		go func() {
			select {
			case <-p.Context().Done():
			case <-stop:
			}
			c.Close()
		}()
		_, _ = io.WriteString(c, begun)
		_, _ = io.Copy(io.Discard, c)
		close(stop)
	}
}

// elsewhere returns an address of this machine that others reach it by.
func elsewhere(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no address but loopback's")
	return ""
}

// Who listens to the whole network and knows its name answers assistants by it and by
// its address alone; whatever name is used, what is public can be read.
func TestHostOnTheNetwork(t *testing.T) {
	at := elsewhere(t)
	for name, test := range map[string]struct {
		args    []string
		foreign int
	}{
		"with a base URL":    {[]string{"--base-url", baseURL}, http.StatusForbidden},
		"without a base URL": {nil, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, append(test.args, "--repo", young(t), "--addr", "0.0.0.0:0")...)
			addr := net.JoinHostPort(at, s.url[strings.LastIndexByte(s.url, ':')+1:])
			ask := func(method, path, host string) int {
				req, err := http.NewRequestWithContext(t.Context(), method, "http://"+addr+path,
					strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
				if err != nil {
					t.Fatal(err)
				}
				req.Host = host
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Accept", "application/json, text/event-stream")
				res, err := client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				res.Body.Close()
				return res.StatusCode
			}
			for host, want := range map[string]int{addr: 200, at: 200, "rules.example.org": 200,
				"evil.example": test.foreign} {
				t.Run(host, func(t *testing.T) {
					if got := ask(http.MethodPost, "/mcp", host); got != want {
						t.Errorf("an assistant that asks %s: %d, want %d", host, got, want)
					}
					if got := ask(http.MethodGet, "/api/v1/guidelines", host); got != http.StatusOK {
						t.Errorf("a reader that asks %s: %d", host, got)
					}
				})
			}
		})
	}
}
