package process

import (
	"log/slog"
	"strings"
	"testing"
)

func TestErrorLog(t *testing.T) {
	for text, want := range map[string]string{
		"http: TLS handshake error from 192.0.2.7:1234: EOF":                                                    "http: TLS handshake error from …: EOF",
		"http: TLS handshake error from [2001:db8::7]:1234: tls: unsupported versions: [301]":                   "http: TLS handshake error from …: tls: unsupported versions: [301]",
		"http2: server connection error from [fe80::1%eth0]:1: PROTOCOL_ERROR":                                  "http2: server connection error from …: PROTOCOL_ERROR",
		"read tcp [::1]:8080->[::ffff:192.0.2.7]:1: use of closed connection":                                   "read tcp …->…: use of closed connection",
		"http: Accept error: accept tcp 0.0.0.0:8080: accept4: too many open files; retrying in 5ms":            "http: Accept error: accept tcp …: accept4: too many open files; retrying in 5ms",
		"http: superfluous response.WriteHeader call from rulestore/server.(*handler).ServeHTTP (server.go:90)": "http: superfluous response.WriteHeader call from rulestore/server.(*handler).ServeHTTP (server.go:90)",
	} {
		t.Run(text, func(t *testing.T) {
			var log strings.Builder
			errorLog(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))).Print(text)
			if want = `level=DEBUG msg="` + want + "\"\n"; !strings.HasSuffix(log.String(), want) {
				t.Errorf("%s: %s", text, log.String())
			}
		})
	}
}
