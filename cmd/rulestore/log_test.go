package main

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
)

// At its most talkative the log says what was wrong with a connection, and not
// whose it was.
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
	s.await("the complaint", func() bool { return strings.Contains(s.log.String(), "TLS handshake error") })
	if log := s.log.String(); strings.Contains(log, conn.LocalAddr().String()) {
		t.Errorf("the log:\n%s", log)
	}
}

func TestErrorLog(t *testing.T) {
	for text, want := range map[string]string{
		"http: TLS handshake error from 192.0.2.7:1234: EOF":                                                    "http: TLS handshake error from …: EOF",
		"http: TLS handshake error from [2001:db8::7]:1234: tls: unsupported versions: [301]":                   "http: TLS handshake error from …: tls: unsupported versions: [301]",
		"http2: server connection error from [fe80::1%eth0]:1: PROTOCOL_ERROR":                                  "http2: server connection error from …: PROTOCOL_ERROR",
		"read tcp [::1]:8080->[::ffff:192.0.2.7]:1: use of closed connection":                                   "read tcp …->…: use of closed connection",
		"http: Accept error: accept tcp 0.0.0.0:8080: accept4: too many open files; retrying in 5ms":            "http: Accept error: accept tcp …: accept4: too many open files; retrying in 5ms",
		"http: superfluous response.WriteHeader call from rulestore/server.(*handler).ServeHTTP (server.go:90)": "http: superfluous response.WriteHeader call from rulestore/server.(*handler).ServeHTTP (server.go:90)",
	} {
		var log lockedBuffer
		errorLog(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))).Print(text)
		if want = `level=DEBUG msg="` + want + "\"\n"; !strings.HasSuffix(log.String(), want) {
			t.Errorf("%s: %s", text, log.String())
		}
	}
}
