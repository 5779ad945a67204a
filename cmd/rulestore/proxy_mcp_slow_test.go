//go:build slow

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestAssistantsBehindNginx(t *testing.T) {
	need(t, "nginx")
	t.Parallel()
	p := behind(t)
	s, _ := startNginx(t, deployed(t, "nginx/rulestore.conf", "127.0.0.1:8080", p.addr()))
	assistants(t, p, s)
	if strings.Contains(p.log.String(), "request_id=of-the-client") {
		t.Error("the client chose the id of its request")
	}
}

// behind starts a server that believes a proxy on this machine.
func behind(t *testing.T) *child {
	t.Helper()
	return spawnYoung(t, nil, "--base-url", baseURL, "--rate", "5", "--trusted-proxies", "127.0.0.1/32", "--access-log")
}

// assistants tries what a proxy has to leave as it is on the way to /mcp: the
// size of messages, the service's own name, and who the client is.
func assistants(t *testing.T, p *child, s *running) {
	t.Helper()
	// A client on another machine than the proxy.
	elsewhere := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	from := &http.Client{Transport: &http.Transport{DialContext: elsewhere.DialContext}}
	post := func(size int, forwarded string) (int, string) {
		t.Helper()
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"padding":"%s"}}}`,
			strings.Repeat("x", size))
		req, err := http.NewRequest(http.MethodPost, s.url+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{"Content-Type": "application/json",
			"Accept": "application/json, text/event-stream", "X-Request-Id": "of-the-client",
			"X-Forwarded-For": forwarded} {
			req.Header.Set(name, value)
		}
		res, err := from.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		answer, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(answer)
	}
	if status, answer := post(70<<10, "198.51.100.1"); status != http.StatusOK {
		t.Errorf("a message of 70 KB: %d %s", status, answer)
	}
	if status, _ := post(300<<10, "198.51.100.1"); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a message of 300 KB: %d", status)
	}
	n := 1
	s.await("too many requests of one client, whoever it says it is", func() bool {
		n++
		status, _ := post(0, fmt.Sprintf("198.51.%d.%d", n/256%256, n%256))
		return status == http.StatusTooManyRequests
	})
	if got := p.ask("/").status; got != http.StatusOK {
		t.Errorf("another client gets %d", got)
	}
}
