//go:build slow

package clients_test

import (
	"testing"
	"time"

	"rulestore/server/clients"
)

// Headers have the less time the more connections are open.
func TestHeadersUnderPressure(t *testing.T) {
	s := serveWithin(t, clients.Limits{Connections: 10, Client: 10, Waiting: 16, Headers: 3 * time.Second}, 10)
	for range 9 {
		s.send(s.dial("127.0.0.1"), half)
	}
	s.await("time again", func() bool { return s.Shed() >= 4 })
	time.Sleep(300 * time.Millisecond) // nobody else is ended
	if s.Open() != 5 {
		t.Errorf("%d are open", s.Open())
	}
}
