package server_test

import (
	"net/http"
	"strings"
	"testing"
)

// An address selects the media type of its answer, whatever the client accepts: the answer is that
// of the same address for a client that accepts only this type.
func TestFormatOfAddresses(t *testing.T) {
	c := ask(t, kindsSite())
	for _, path := range []string{
		"/", "/api/v1/guidelines", "/api/v1/guidelines?scenario=fraud_risk", "/api/v1/guidelines/fraud.code.001", "/api/v1/health",
		"/api/v1/search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4", "/api/v1/math/tools/loan_payment",
		"/api/v1/guidelines/nothing", "/api/v1/log",
	} {
		for format, mediaType := range map[string]string{"json": jsonType, "markdown": "text/markdown"} {
			want := c.get(path, "Accept", mediaType)
			to := path + "?format=" + format
			if strings.Contains(path, "?") {
				to = path + "&format=" + format
			}
			for _, accept := range []string{"", "*/*", browser, "text/html", "text/plain", "image/png"} {
				headers := []string{"Accept", accept}
				if accept == "" {
					headers = nil
				}
				r := c.get(to, headers...)
				if r.status != want.status || r.header.Get("Content-Type") != want.header.Get("Content-Type") ||
					r.header.Get("Etag") != want.header.Get("Etag") {
					t.Errorf("%s for %q: %d %s, want %d %s", to, accept, r.status, r.header.Get("Content-Type"),
						want.status, want.header.Get("Content-Type"))
				}
			}
		}
	}
	for _, query := range []string{"format=xml", "format=", "format=json&format=markdown"} {
		c.get("/api/v1/guidelines?"+query).want(t, http.StatusBadRequest, "invalid_query")
	}
	if r := c.get("/api/v1/guidelines?format=json&status=zz", "Accept", browser); r.status != http.StatusBadRequest ||
		r.isPage() {
		t.Errorf("an error is a page: %d", r.status)
	}
}
