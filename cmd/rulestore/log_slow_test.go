//go:build slow

package main

import (
	"fmt"
	"io"
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
