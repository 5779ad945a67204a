package main

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestFaultSlowSenders has one client send requests that never arrive, over more
// connections than there may be, again and again. Others are answered, and so is what
// else comes from its address.
func TestFaultSlowSenders(t *testing.T) {
	takesLong(t)
	t.Parallel()
	for name, begun := range map[string]string{
		"bodies":                 "POST /api/v1/math/tools/loan_payment HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
		"messages":               "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
		"bodies that none reads": "POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{",
		"chunks":                 "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n{",
		"headers":                "GET /healthz HTTP/1.1\r\nHost: a\r\nX-",
		"nothing":                "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const most, clients = 50, 120
			p := spawnYoung(t, nil, "--max-connections", strconv.Itoa(most), "--read-timeout", "10m")
			for range clients {
				go p.keepSending(begun)
			}
			for from, times := range map[string]int{"127.0.0.2": 10, "127.0.0.1": 2} {
				for range times {
					d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
					c, err := d.DialContext(t.Context(), "tcp", p.addr())
					if err != nil {
						t.Skip(from, "is not of this machine:", err)
					}
					if status, err := request(c, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"); status != http.StatusOK {
						t.Errorf("from %s: %d, %v", from, status, err)
					}
					c.Close()
				}
			}
			if open, _ := strconv.Atoi(p.metric("rulestore_http_connections")); open > most {
				t.Errorf("%d connections are open", open)
			}
		})
	}
}

// TestFaultSlowloris has one client hold as many connections as it gets, on each of which
// it sends a byte now and then. It has no more than its share, and everybody else is
// answered, as if it were not there.
func TestFaultSlowloris(t *testing.T) {
	manyProcesses(t)
	t.Parallel()
	const most, connections, honest = 200, 1000, 10
	p := spawnYoung(t, nil, "--max-connections", strconv.Itoa(most))
	for range connections {
		go p.drip()
	}
	p.await("the attack", func() bool { return p.metric("rulestore_http_connections") == strconv.Itoa(most/2) })
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}, Timeout: 5 * time.Second}
	by := &http.Client{
		Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}, Timeout: 10 * time.Second,
	}
	for range honest {
		res, err := by.Get(p.url + "/healthz")
		if err != nil {
			t.Fatalf("an honest request: %v", err)
		}
		res.Body.Close()
		p.await("the share of one client", func() bool { // one that ends may be counted a moment longer
			open, _ := strconv.Atoi(p.metric("rulestore_http_connections"))
			return open <= most/2+1
		})
	}
	t.Logf(
		"one address kept %d connections busy with headers that never end: it had %d places, and %d of %d requests "+
			"of another were answered",
		connections, most/2, honest, honest,
	)
}

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

// A proxy that is named has as many connections as there are, and the clients behind it
// share them.
func TestProxiesHaveNoLimit(t *testing.T) {
	manyProcesses(t)
	t.Parallel()
	const most = 20
	p := spawnYoung(t, nil, "--max-connections", strconv.Itoa(most), "--trusted-proxies", "127.0.0.1/32")
	for range most - 1 {
		c := crowd(t, p.url, 1)[0]
		if status, err := request(c, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"); status != http.StatusOK {
			t.Fatalf("%d, %v", status, err)
		}
	}
	if got := p.metric("rulestore_http_connections"); got != strconv.Itoa(most-1) {
		t.Errorf("%s connections are open", got)
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

func TestRateOfRequests(t *testing.T) {
	manyProcesses(t)
	t.Parallel()
	p := spawnYoung(t, nil, "--rate", "5", "--trusted-proxies", "127.0.0.0/8")
	p.await("too many requests", func() bool {
		return p.ask("/", "X-Forwarded-For", "198.51.100.1").status == http.StatusTooManyRequests
	})
	if got := p.ask("/", "X-Forwarded-For", "198.51.100.2").status; got != http.StatusOK {
		t.Errorf("another client gets %d", got)
	}
}
