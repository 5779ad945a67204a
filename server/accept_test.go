package server_test

import (
	"net/http"
	"strings"
	"testing"
)

const deposit = "/api/v1/guidelines/product.deposit.001"

// What FuzzNegotiate says of weights, and what a browser is given.
func TestAccept(t *testing.T) {
	c := ask(t, storeSite())
	const none = "" // 406
	for _, test := range []struct{ accept, want string }{
		{"application/json", jsonType},
		{"TEXT/Markdown; charset=utf-8", markdownType},
		{"*/*", jsonType},
		{"text/*", markdownType},
		{"application/json;q=0.5, text/markdown", markdownType},
		{"text/markdown, application/json", markdownType}, // a tie: what is named first
		{"text/markdown, text/html, */*", markdownType},
		{"text/markdown, */*", markdownType},
		{"*/*, text/markdown", jsonType},
		{"text/markdown ; q = 0.9 , application/json ; q=0.1", markdownType},
		{"text/markdown;q=0.1, text/*;q=0.9, application/json;q=0.5", htmlType},
		{"application/json;q=0", none},
		{"*/*, application/*;q=0.0", markdownType},
		{"*/*;q=0, text/markdown;q=0.1", markdownType},

		// What clients send.
		{browser, htmlType},
		{"text/html, */*", htmlType},
		{"application/json, text/plain, */*", jsonType},
		{"text/html;q=0.9, application/json;q=0.8", htmlType},
		{"text/markdown, text/html;q=0.9, text/plain;q=0.8", markdownType},

		{"application/jsonp", none},
		{"text/markdown;q=0, text/html;q=0, text/*", none},

		// What says nothing intelligible asks for nothing in particular; part of it may be intelligible.
		{"", jsonType},
		{"text/markdown;q=2", jsonType},
		{";;;q=1,,\xff", jsonType},
		{"application/json;q=x, text/markdown;q=0.1", markdownType},

		// However long it is, what it excludes at its end is excluded.
		{strings.Repeat("image/png;q=0.3, ", 1800) + "application/json;q=0, */*;q=0.1", markdownType},
		{strings.Repeat("a", 20000), jsonType},
	} {
		r := c.get(deposit, "Accept", test.accept)
		got, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
		if test.want == none {
			r.want(t, http.StatusNotAcceptable, "not_acceptable")
			if d := r.asProblem().Detail; !strings.Contains(d, jsonType) || !strings.Contains(d, markdownType) {
				t.Errorf("Accept: %.80s: the problem does not list what there is: %s", test.accept, d)
			}
		} else if r.status != http.StatusOK || got != test.want {
			t.Errorf("Accept: %.80s: %d %s, want %s", test.accept, r.status, got, test.want)
		}
		if r.header.Get("Vary") != "Accept, Accept-Encoding" {
			t.Errorf("Accept: %.80s: Vary is %q", test.accept, r.header.Get("Vary"))
		}
	}
	r := c.get(deposit, "Accept", "application/json;q=0.2", "Accept", "text/markdown;q=0.3")
	if got := r.header.Get("Content-Type"); got != "text/markdown; charset=utf-8" {
		t.Errorf("a header in several lines is one list: got %s", got)
	}
}
