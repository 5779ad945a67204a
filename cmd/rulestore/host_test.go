package main

import (
	"fmt"
	"io"
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
	for foreign, args := range map[int][]string{
		http.StatusForbidden: {"--base-url", baseURL}, http.StatusOK: nil,
	} {
		s := start(t, append(args, "--repo", young(t), "--addr", "0.0.0.0:0")...)
		s.url = "http://" + net.JoinHostPort(at, s.url[strings.LastIndexByte(s.url, ':')+1:])
		for host, want := range map[string]int{at: 200, "rules.example.org": 200, "evil.example": foreign} {
			req, err := http.NewRequest(http.MethodPost, s.url+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
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
			if res.StatusCode != want {
				t.Errorf("%v: an assistant that asks %s: %d, want %d", args, host, res.StatusCode, want)
			}
			if got := s.ask("/api/v1/guidelines", "Host", host).status; got != http.StatusOK {
				t.Errorf("%v: a reader that asks %s: %d", args, host, got)
			}
		}
	}
}

// A server that listens on every address says which one its content names if nobody
// told it: one that can be connected to, and not from elsewhere.
func TestListensEverywhere(t *testing.T) {
	t.Parallel()
	const warning = "clients elsewhere"
	s := start(t, "--repo", young(t), "--addr", ":0")
	own := strings.Replace(s.url, "127.0.0.1", "localhost", 1)
	if body := string(s.mustGet("/", "*/*").body); !strings.Contains(body, `"canonical_base_url":"`+own+`"`) {
		t.Errorf("the manifest: %s", body)
	}
	if log := s.log.String(); !strings.Contains(log, warning) || !strings.Contains(log, own) {
		t.Errorf("no warning in\n%s", log)
	}
	for _, args := range [][]string{{"--addr", ":0", "--base-url", baseURL}, {}} {
		if log := start(t, append(args, "--repo", young(t))...).log.String(); strings.Contains(log, warning) {
			t.Errorf("%v: a warning in\n%s", args, log)
		}
	}
}

// Not even at its most talkative the log says whose a connection was.
func TestClientsAreNotLogged(t *testing.T) {
	t.Parallel()
	cert, key := writeCertificate(t, t.TempDir(), 1)
	s := start(t, "--repo", young(t), "--admin-addr", "127.0.0.1:0", "--log-level", "debug", "--access-log",
		"--tls-cert", cert, "--tls-key", key)
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "this is no TLS\r\n\r\n")
	_, _ = io.ReadAll(conn)
	if log := s.log.String(); strings.Contains(log, conn.LocalAddr().String()) {
		t.Errorf("the log:\n%s", log)
	}
}
