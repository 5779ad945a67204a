//go:build slow

package main

import (
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// keepSending sends the beginning of a request and waits until it is cut off, and then
// again, until the test ends.
func (p *child) keepSending(begun string) {
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

// TestFaultSlowSenders has clients send requests that never arrive, again and again. They end by the time for a
// request, and others are answered in between.
func TestFaultSlowSenders(t *testing.T) {
	t.Parallel()
	for name, begun := range map[string]string{
		"bodies": "POST /api/v1/math/tools/loan_payment HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" +
			"Content-Length: 1000\r\n\r\n{",
		"messages": "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
			"Content-Length: 1000\r\n\r\n{",
		"bodies that none reads": "POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{",
		"chunks":                 "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n{",
		"headers":                "GET /healthz HTTP/1.1\r\nHost: a\r\nX-",
		"nothing":                "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const clients = 220
			p := spawnYoung(t, nil)
			for range clients {
				go p.keepSending(begun)
			}
			for range 3 {
				c := crowd(t, p.url, 1)[0]
				if status, err := request(c, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"); status != http.StatusOK {
					t.Errorf("%d, %v", status, err)
				}
				c.Close()
			}
		})
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
