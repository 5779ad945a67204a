package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

const deposit = "/api/v1/guidelines/product.deposit.001"

func TestAccept(t *testing.T) {
	c := ask(t, storeSite())
	const none = "" // 406
	for i, test := range []struct{ accept, want string }{
		{"application/json", jsonType},
		{"text/markdown", markdownType},
		{"TEXT/Markdown", markdownType},
		{"text/markdown; charset=utf-8", markdownType},
		{"*/*", jsonType},
		{"application/*", jsonType},
		{"text/*", markdownType},
		{" text/markdown ", markdownType},

		// Weights.
		{"application/json;q=0.5, text/markdown", markdownType},
		{"application/json;q=0.5, text/markdown;q=0.4", jsonType},
		{"application/json;q=0.4, text/markdown;q=0.5", markdownType},
		{"application/json;q=0.001, text/markdown;q=0.002", markdownType},
		{"text/markdown, application/json", jsonType}, // a tie: ours decides, not the order of the header
		{"text/markdown;q=0.8, application/json;q=0.8", jsonType},
		{"text/markdown ; q = 0.9 , application/json ; q=0.1", markdownType},

		// Specificity.
		{"text/markdown;q=0.1, text/*;q=0.9, application/json;q=0.5", htmlType},
		{"*/*;q=0.1, text/markdown", markdownType},
		{"*/*, application/json;q=0.1", markdownType},
		{"application/*;q=0.2, */*;q=0.3", markdownType},

		// Exclusion.
		{"application/json;q=0", none},
		{"application/json;q=0, */*", markdownType},
		{"*/*, application/*;q=0.0", markdownType},
		{"text/markdown;q=0.000, */*;q=0.1", jsonType},
		{"*/*;q=0", none},
		{"*/*;q=0, text/markdown;q=0.1", markdownType},

		// What clients send.
		{"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8", htmlType},
		{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", htmlType},
		{"text/html, */*", jsonType}, // likes both alike
		{"text/html;q=0.9, application/json;q=0.8", htmlType},
		{"application/json, text/plain, */*", jsonType},
		{"text/markdown, text/html;q=0.9, text/plain;q=0.8", markdownType},
		{"application/json, text/event-stream", jsonType},

		// What there is not.
		{"application/xhtml+xml", none},
		{"text/plain", none},
		{"image/*", none},
		{"application/ld+json", none},
		{"application/jsonp", none},
		{"text/markdown;q=0, text/html;q=0, text/*", none},

		// What says nothing intelligible asks for nothing in particular.
		{"", jsonType},
		{",,,", jsonType},
		{"json", jsonType},
		{"/", jsonType},
		{"*/json", jsonType},
		{"text/markdown;q=2", jsonType},
		{"text/markdown;q=-1", jsonType},
		{"text/markdown;q=NaN", jsonType},
		{"text/markdown;q=high", jsonType},
		{";;;q=1,,\xff", jsonType},

		// Part of it may be intelligible.
		{"garbage, text/markdown", markdownType},
		{"application/json;q=x, text/markdown;q=0.1", markdownType},

		// However long it is, what it excludes at its end is excluded.
		{strings.Repeat("image/png;q=0.3, ", 1800) + "application/json;q=0, */*;q=0.1", markdownType},
		{strings.Repeat("a", 20000), jsonType},
		{strings.Repeat(",", 20000), jsonType},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := c.do(http.MethodGet, deposit, "Accept", test.accept)
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
		})
	}
}

// A header in several lines is one list.
func TestAcceptInLines(t *testing.T) {
	c := ask(t, storeSite())
	r := c.get(deposit, "Accept", "application/json;q=0.2", "Accept", "text/markdown;q=0.3")
	if got := r.header.Get("Content-Type"); got != "text/markdown; charset=utf-8" {
		t.Errorf("got %s", got)
	}
}

func TestAcceptOfResources(t *testing.T) {
	c := ask(t, storeSite())
	for i, test := range []struct {
		path, accept string
		status       int
		want         string
	}{
		// The path names the format, so the header has no say.
		{"/guidelines/product.deposit.001/current.json", "text/markdown", 200, "application/json"},
		{"/guidelines/product.deposit.001/current.json", "image/png", 200, "application/json"},
		{"/guidelines/product.deposit.001/current.md", "application/json", 200, "text/markdown; charset=utf-8"},
		{"/guidelines/product.deposit.001/current.md", "*/*;q=0", 200, "text/markdown; charset=utf-8"},
		{"/scenarios/fraud_risk/current.md", "application/json", 200, "text/markdown; charset=utf-8"},
		{"/llms.txt", "application/json", 200, "text/plain; charset=utf-8"},
		{"/api/v1/checksums", "application/json", 200, "text/plain; charset=utf-8"},
		{"/api/v1/health", "text/markdown", 200, "application/json"},
		{"/api/v1/checksums", "text/html", 200, "text/plain; charset=utf-8"},

		// Lists and the manifest are JSON, and pages.
		{"/", "text/html,*/*;q=0.1", 200, "text/html; charset=utf-8"},
		{"/", "text/html,*/*", 200, "application/json"},
		{"/api/v1/health", "text/html", 200, "text/html; charset=utf-8"},
		{"/", "text/markdown", 406, "application/problem+json"},
		{"/api/v1/guidelines", "text/markdown", 406, "application/problem+json"},
		{"/api/v1/guidelines?status=current", "text/markdown", 406, "application/problem+json"},
		{"/api/v1/changelog?limit=1", "text/markdown", 406, "application/problem+json"},
		{deposit + "/versions", "text/markdown", 406, "application/problem+json"},
		{deposit + "/versions/1.0.0", "text/markdown", 200, "text/markdown; charset=utf-8"},
		{"/api/v1/scenarios/fraud_risk", "text/markdown", 200, "text/markdown; charset=utf-8"},

		// An error is a problem whatever the client accepts, and a page in a browser.
		{"/nowhere", "text/html,*/*;q=0.8", 404, "text/html; charset=utf-8"},
		{"/api/v1/guidelines/investment.secret.001", "text/html", 410, "text/html; charset=utf-8"},
		{"/api/v1/guidelines?x=1", "text/html", 400, "text/html; charset=utf-8"},
		{"/nowhere", "text/markdown", 404, "application/problem+json"},
		{"/api/v1/guidelines/investment.secret.001", "image/png", 410, "application/problem+json"},
		{"/api/v1/guidelines?x=1", "image/png", 400, "application/problem+json"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := c.get(test.path, "Accept", test.accept)
			if got := r.header.Get("Content-Type"); r.status != test.status || got != test.want {
				t.Errorf("%s as %s: %d %s, want %d %s", test.path, test.accept, r.status, got, test.status, test.want)
			}
		})
	}
}
