package server_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"rulestore/server"
	"rulestore/server/observe"
)

// read is how a guideline is read.
type read struct {
	name   string
	header http.Header
	logged bool
}

// reads are the ways whose costs are compared.
func reads(etag string) []read {
	inJSON := func(header, value string) http.Header { return http.Header{"Accept": {jsonType}, header: {value}} }
	markdown := func(coding string) http.Header {
		return http.Header{"Accept": {markdownType}, "Accept-Encoding": {coding}}
	}
	return []read{
		{"200", inJSON("Accept-Encoding", "identity"), false},
		{"304", inJSON("If-None-Match", etag), false},
		{"gzip", inJSON("Accept-Encoding", "gzip"), false},
		{"br", inJSON("Accept-Encoding", "br"), false},
		{"markdown", markdown("identity"), false},
		{"markdown-gzip", markdown("gzip"), false},
		{"markdown-br", markdown("br"), false},
		{"logged", inJSON("Accept-Encoding", "identity"), true},
	}
}

// text is the request as it is sent.
func (r read) text() string {
	var b strings.Builder
	b.WriteString("GET " + benchmarked + " HTTP/1.1\r\nHost: rules.example.org\r\n")
	_ = r.header.Write(&b)
	return b.String() + "\r\n"
}

// answered is what a handler answers.
func (r read) answered(h http.Handler) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodGet, benchmarked, nil)
	req.Header = r.header
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec
}

// BenchmarkOverhead compares the processor time that a request for a guideline
// costs over real connections with that of a bare net/http handler, which
// writes the same bytes and headers (design, section 12: at most 1.00; with an
// access log, which the bare handler has not, 1.35). Each handler has a process of its own, so that
// nothing but the server is measured; they take turns, so that whatever else the
// machine does falls on both; see compare.
func BenchmarkOverhead(b *testing.B) {
	for _, r := range reads(ask(b, starterSite()).get(benchmarked).header.Get("Etag")) {
		b.Run(r.name, func(b *testing.B) {
			role := "rulestore"
			if r.logged {
				role += " logged"
			}
			ours, bare := startProcess(b, role, connections), startProcess(b, "bare "+r.name, connections)
			ours.request, bare.request = r.text(), r.text()
			if n := ours.measure(b); n != bare.measure(b) {
				b.Fatalf("the answers differ in length: ours has %d bytes", n)
			}
			compare(b, ours, bare, "bare")
		})
	}
}

// logged is the handler as the command makes it for --access-log. The log is a file
// that nobody else sees.
func logged(c server.Config) http.Handler {
	f := must(os.CreateTemp("", "access-*.log"))
	_ = os.Remove(f.Name()) // it goes with the process
	return observe.Handler(server.New(c), observe.Config{Requests: counted,
		Access: slog.New(slog.NewTextHandler(f, nil))})
}

// bare returns a handler that writes what another one answered, and does nothing
// else.
func bare(rec *httptest.ResponseRecorder) http.Handler {
	status, header, body := rec.Code, rec.Header(), rec.Body.Bytes()
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range header {
			for _, v := range values {
				w.Header().Add(name, v)
			}
		}
		w.WriteHeader(status)
		if len(body) > 0 {
			_, _ = w.Write(body)
		}
	})
}
