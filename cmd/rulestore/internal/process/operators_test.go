package process

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A second server on one machine does without operators, unless told where to
// answer them.
func TestAdminAddressTaken(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	first, err := net.Listen("tcp", OperatorsDefault)
	if err == nil {
		defer first.Close()
	}
	l, err := Operators{Addr: OperatorsDefault}.listen(logger)
	if l != nil || err != nil || !strings.Contains(log.String(), "choose one with --admin-addr") {
		t.Errorf("%v, %v, %s", l, err, &log)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if _, err := (Operators{Addr: taken.Addr().String()}).listen(slog.New(slog.DiscardHandler)); err == nil {
		t.Error("an address that is taken was accepted")
	}
}

// What operators are told over the loopback interface is for who asks for it by its name, and so are
// orders over every interface: a page whose name resolves to this machine has another one.
func TestOperatorsAskUnderOwnNames(t *testing.T) {
	const loopback, network = "127.0.0.1", "192.0.2.1"
	for _, test := range []struct {
		method, local string
		hosts         map[string]int
	}{
		{"GET", loopback, map[string]int{"127.0.0.1:8081": 200, "localhost": 200, "ops.example:8081": 200,
			"evil.example": 403, "0.0.0.0:8081": 403}},
		{"GET", network, map[string]int{"192.0.2.1:8081": 200, "metrics.example": 200}},
		{"POST", loopback, map[string]int{"localhost:8081": 200, "[::1]:8081": 200, "evil.example:8081": 403}},
		{"POST", network, map[string]int{"192.0.2.1:8081": 200, "localhost:8081": 200, "ops.example": 200,
			"evil.example:8081": 403, "192.0.2.1.evil.example": 403, "localhost.evil.example": 403, "": 403}},
	} {
		for host, want := range test.hosts {
			t.Run(test.method+" "+test.local+" as "+host, func(t *testing.T) {
				told := false
				h := Operators{Addr: "ops.example:8081"}.guarded(http.HandlerFunc(
					func(http.ResponseWriter, *http.Request) { told = true },
				))
				r := httptest.NewRequest(test.method, "/served/confirm", nil)
				r.Host = host
				r.Header.Set("Origin", "http://"+host)
				local := &net.TCPAddr{IP: net.ParseIP(test.local), Port: 8081}
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, local)))
				if w.Code != want || told != (want == 200) {
					t.Errorf("%d %s", w.Code, w.Body)
				}
			})
		}
	}
}
