package main

import (
	"net"
	"strings"
	"testing"
	"time"
)

// told waits for a state.
func told(t *testing.T, conn *net.UnixConn, want string) {
	t.Helper()
	buf := make([]byte, 1<<10)
	for {
		if err := conn.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
			t.Fatal(err)
		}
		n, err := conn.Read(buf)
		if err != nil {
			t.Fatalf("the process does not say %s: %v", want, err)
		}
		if strings.HasPrefix(string(buf[:n]), want) {
			return
		}
	}
}
