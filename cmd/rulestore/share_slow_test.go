//go:build slow

package main

import (
	"net"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// TestFaultSlowSenders has one client send requests that never arrive, over more
// connections than there may be, again and again. Others are answered, and so is what
// else comes from its address.
func TestFaultSlowSenders(t *testing.T) {
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

// A proxy that is named has as many connections as there are, and the clients behind it
// share them.
func TestProxiesHaveNoLimit(t *testing.T) {
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

func TestRateOfRequests(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--rate", "5", "--trusted-proxies", "127.0.0.0/8")
	p.await("too many requests", func() bool {
		return p.ask("/", "X-Forwarded-For", "198.51.100.1").status == http.StatusTooManyRequests
	})
	if got := p.ask("/", "X-Forwarded-For", "198.51.100.2").status; got != http.StatusOK {
		t.Errorf("another client gets %d", got)
	}
}
