package life

import (
	"bytes"
	"io"
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
	l, err := Operators{Addr: OperatorsDefault}.listen(nil, logger)
	if l != nil || err != nil || !strings.Contains(log.String(), "choose one with --admin-addr") {
		t.Errorf("%v, %v, %s", l, err, &log)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if _, err := (Operators{Addr: taken.Addr().String()}).listen(nil, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("an address that is taken was accepted")
	}
}

// What operators are told is for them: over the loopback interface its name counts.
func TestOperatorsAskUnderOwnNames(t *testing.T) {
	o := Operators{Addr: "ops.example:8081"}
	h := o.guarded(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "told") }))
	s := httptest.NewServer(h)
	defer s.Close()
	for host, want := range map[string]int{"": 200, "localhost": 200, "ops.example:8081": 200,
		"evil.example": 403, "0.0.0.0:8081": 403} {
		t.Run("asked as "+host, func(t *testing.T) {
			req, err := http.NewRequest(http.MethodGet, s.URL+"/metrics", nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != want || want == 403 && strings.Contains(string(body), "told") {
				t.Errorf("%d %s, %v", res.StatusCode, body, err)
			}
		})
	}
}
