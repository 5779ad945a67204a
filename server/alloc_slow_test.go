//go:build slow

package server_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"rulestore/server"
	"rulestore/server/site"
)

// A request costs a look-up and a copy: what a handler allocates, the collector
// has to find again.
func TestAllocations(t *testing.T) {
	const most = 8
	e, stop := encoder(starterSite())
	defer stop()
	h := handler(server.Config{Sites: serving(starterSite()), Encoder: e, Log: slog.New(slog.DiscardHandler)})
	c := start(t, server.Config{Sites: serving(starterSite()), Encoder: e})
	first := c.get(benchmarked).header
	tag, date := first.Get("Etag"), first.Get("Last-Modified")
	for _, coding := range site.Encodings { // until all is encoded that is asked for below
		c.coded(benchmarked, coding)
		c.coded(benchmarked+"/versions/1.0.0", coding)
	}
	stop() // what it encodes for others would be counted too
	for _, test := range []struct {
		name, path, header, value string
		status                    int
	}{
		{"JSON", benchmarked, "Accept", "application/json", 200},
		{"no preference", benchmarked, "Accept", "*/*", 200},
		{"Markdown", benchmarked, "Accept", "text/markdown", 200},
		{"browser", benchmarked, "Accept",
			"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", 200},
		{"static", "/guidelines/product.common.001/current.md", "Accept", "text/html", 200},
		{"version", benchmarked + "/versions/1.0.0", "Accept", "application/json", 200},
		{"list", "/api/v1/guidelines", "Accept", "application/json", 200},
		{"gzip", benchmarked, "Accept-Encoding", "gzip", 200},
		{"br", benchmarked, "Accept-Encoding", "br", 200},
		{"zstd", benchmarked, "Accept-Encoding", "zstd", 200},
		{"coding of a browser", benchmarked, "Accept-Encoding", "gzip, deflate, br, zstd", 200},
		{"coding with weights", benchmarked, "Accept-Encoding", "gzip;q=0.8, br;q=0.1, *;q=0", 200},
		{"coding of a version", benchmarked + "/versions/1.0.0", "Accept-Encoding", "gzip", 200},
		{"304", benchmarked, "If-None-Match", tag, 304},
		{"304 of several", benchmarked, "If-None-Match", `"a", "b", ` + tag, 304},
		{"304 by date", benchmarked, "If-Modified-Since", date, 304},
	} {
		t.Run(test.name, func(t *testing.T) {
			req := httptest.NewRequest(http.MethodGet, test.path, nil)
			req.Header.Set(test.header, test.value)
			w := &sink{header: http.Header{}, status: http.StatusOK}
			n := testing.AllocsPerRun(200, func() {
				clear(w.header)
				h.ServeHTTP(w, req)
			})
			t.Logf("%s: %v", test.name, n)
			if n > most || w.status != test.status || test.status == 200 && w.length == 0 {
				t.Errorf("%s: %v allocations, at most %d are expected (status %d, %d bytes)", test.name, n,
					most, w.status, w.length)
			}
			if asked := test.header == "Accept-Encoding"; asked != (len(w.header["Content-Encoding"]) > 0) {
				t.Errorf("%s: %v", test.name, w.header)
			}
		})
	}
}
