package main

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

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
