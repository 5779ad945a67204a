package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"

	"rulestore/server"
	"rulestore/server/api"
	"rulestore/server/site"
)

// warmed starts a server for a site that compresses what is asked for.
func warmed(t testing.TB, s *site.Site) client {
	return start(t, server.Config{Sites: serving(s), Encoder: encoding(t, s)})
}

// encoding returns an encoder at work on a site for as long as the test runs.
func encoding(t testing.TB, s *site.Site) *site.Encoder {
	e, stop := encoder(s)
	t.Cleanup(stop)
	return e
}

// encoder encodes what a site has, before it returns, and what is asked for, until stop has returned.
func encoder(s *site.Site) (e *site.Encoder, stop func()) {
	e = site.NewEncoder()
	settled := make(chan struct{})
	e.Settled = sync.OnceFunc(func() { close(settled) })
	e.Warm(s)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { e.Run(ctx) })
	<-settled
	return e, func() {
		cancel()
		wg.Wait()
	}
}

// unpack decodes a body by the name of its coding.
func unpack(coding string, body []byte) ([]byte, error) {
	var r io.Reader = bytes.NewReader(body)
	switch coding {
	case "br":
		r = brotli.NewReader(r)
	case "gzip":
		var err error
		if r, err = gzip.NewReader(r); err != nil {
			return nil, err
		}
	}
	return io.ReadAll(r)
}

// coded asks for a coding.
func (c client) coded(path, coding string, headers ...string) response {
	return c.get(path, append([]string{"Accept-Encoding", coding}, headers...)...)
}

// compressed are paths of the store of all kinds, with how they can be had.
var compressed = []struct{ path, accept string }{
	{"/api/v1/instructions/fraud-response", jsonType},
	{"/api/v1/instructions/fraud-response", markdownType},
	{"/api/v1/instructions/assistant/versions/1.0.0", jsonType}, // not current: when it is asked for
	{"/instructions/fraud-response.md", ""},
	{"/llms.txt", ""},
	{"/.well-known/service-for-robots.json", ""},
	{"/api/v1/external-parameters", ""}, // a time for each of its elements
}

// What is decoded is what is sent without a coding, to the last byte, with the
// time of the answer in its place; the headers agree, and so does HEAD.
func TestCompression(t *testing.T) {
	s := kindsSite()
	c := warmed(t, s)
	for _, test := range compressed {
		plain := c.get(test.path, "Accept", test.accept)
		for _, coding := range site.Encodings {
			r := c.coded(test.path, coding, "Accept", test.accept)
			body, err := unpack(coding, r.body)
			if err != nil || r.status != http.StatusOK || r.header.Get("Content-Encoding") != coding {
				t.Errorf("%s in %s: %d %v, %v", test.path, coding, r.status, r.header, err)
				continue
			}
			for _, rep := range s.Lookup(test.path).Representations {
				if rep.Ready().ETag != r.header.Get("Etag") {
					continue
				}
				at := ""
				if len(rep.Body.Stamps) > 0 {
					at = string(body[rep.Body.Stamps[0]:][:len(site.Blank)])
				}
				if want := rep.Body.Append(nil, at); !bytes.Equal(body, want) {
					t.Errorf("%s in %s: %d bytes came back of %d", test.path, coding, len(body), len(want))
				}
			}
			if len(r.body) >= len(plain.body) || !bytes.Equal((response{body: body}).blanked(), plain.blanked()) {
				t.Errorf("%s in %s: %d bytes in place of %d", test.path, coding, len(r.body), len(plain.body))
			}
			for name := range r.header {
				if same := slices.Equal(r.header[name], plain.header[name]); !same && name != "Content-Length" &&
					name != "Content-Encoding" && name != "Date" {
					t.Errorf("%s in %s: %s is %q, without it %q", test.path, coding, name,
						r.header[name], plain.header[name])
				}
			}
			if r.header.Get("Vary") != "Accept, Accept-Encoding" || len(r.header) != len(plain.header)+1 {
				t.Errorf("%s in %s: %v", test.path, coding, r.header)
			}
			checkCodedRequests(t, c, test.path, coding, test.accept, r)
		}
	}
}

// checkCodedRequests looks at HEAD and at conditional requests for what is served
// in a coding.
func checkCodedRequests(t *testing.T, c client, path, coding, accept string, r response) {
	t.Helper()
	head := c.do(http.MethodHead, path, "Accept-Encoding", coding, "Accept", accept)
	r.header.Del("Date")
	head.header.Del("Date")
	head.header["Content-Length"] = r.header["Content-Length"] // another coding may be ready meanwhile
	if head.status != http.StatusOK || !reflect.DeepEqual(head.header, r.header) {
		t.Errorf("HEAD %s in %s: %d %v, GET has %v", path, coding, head.status, head.header, r.header)
	}
	not := c.get(path, "Accept-Encoding", coding, "Accept", accept, "If-None-Match", r.header.Get("Etag"))
	if not.status != http.StatusNotModified || not.header.Get("Content-Encoding") != "" ||
		not.header.Get("Vary") != "Accept, Accept-Encoding" || not.header.Get("Etag") != r.header.Get("Etag") {
		t.Errorf("%s in %s: %d %v", path, coding, not.status, not.header)
	}
}

// What is made for one request is compressed too, a problem and a calculation among it;
// what is small is not.
func TestMadeIsCompressed(t *testing.T) {
	c := ask(t, kindsSite())
	for _, path := range []string{
		"/api/v1/changelog?limit=3", "/api/v1/search?q=%D0%BA%D0%BE%D0%B4", "/api/v1/health",
		"/compare/instructions/assistant?from=1.0.0&to=1.1.0", toolsPath + "loan_payment", api.SkillsPath + "index.json",
		"/nowhere", "/api/v1/instructions?x=1",
	} {
		for _, accept := range []string{jsonType, browser} {
			plain := c.get(path, "Accept", accept)
			for _, coding := range site.Encodings {
				r := c.get(path, "Accept", accept, "Accept-Encoding", coding)
				body, err := unpack(r.header.Get("Content-Encoding"), r.body)
				if err != nil || r.status != plain.status ||
					!bytes.Equal((response{body: body}).blanked(), plain.blanked()) {
					t.Errorf("%s as %s in %s: %d, %d bytes of %d, %v", path, accept, coding, r.status,
						len(body), len(plain.body), err)
				}
				if want := len(plain.body) >= 1<<10; r.header.Get("Content-Encoding") == "" && want {
					t.Errorf("%s as %s in %s: %d bytes, %v", path, accept, coding, len(r.body), r.header)
				}
				head := c.do(http.MethodHead, path, "Accept", accept, "Accept-Encoding", coding)
				if head.status != r.status || head.header.Get("Content-Encoding") != r.header.Get("Content-Encoding") {
					t.Errorf("HEAD %s as %s in %s: %d %v", path, accept, coding, head.status, head.header)
				}
			}
		}
	}
	if r := c.get(api.MCPPath, "Accept-Encoding", "gzip"); r.header.Get("Content-Encoding") != "gzip" {
		t.Errorf("what says how to connect: %v", r.header)
	}
	const loan = `{"inputs":{"principal":"1000000","annual_rate_pct":"18","term_months":60,` +
		`"payment_type":"annuity"},"options":{"include_schedule":true}}`
	r := c.post(toolsPath+"loan_payment", loan, "Accept-Encoding", "gzip")
	if body, err := unpack("gzip", r.body); err != nil || r.header.Get("Content-Encoding") != "gzip" ||
		!bytes.Contains(body, []byte(`"receipt"`)) {
		t.Errorf("a calculation: %v %v", r.header, err)
	}
}

// What need not or cannot be compressed is sent as it is.
func TestNotCompressed(t *testing.T) {
	c := warmed(t, kindsSite())
	c.coded("/api/v1/instructions/assistant", "br")                                              // all is ready
	for _, path := range []string{"/api/v1/registries/currencies/EUR", "/healthz", "/nowhere"} { // small
		r := c.get(path, "Accept-Encoding", "gzip, br")
		if r.header.Get("Content-Encoding") != "" || r.body[0] != '{' {
			t.Errorf("%s: %d %v", path, r.status, r.header)
		}
	}
	for _, accept := range []string{"", "identity", "deflate", "gzip;q=0", "*;q=0", "identity;q=1, gzip;q=0.5"} {
		r := c.get("/api/v1/instructions/assistant", "Accept-Encoding", accept)
		if r.status != http.StatusOK || r.header.Get("Content-Encoding") != "" || r.body[0] != '{' {
			t.Errorf("%s: %d %v", accept, r.status, r.header)
		}
	}
	if r := c.do(http.MethodOptions, "/api/v1/instructions/assistant", "Accept-Encoding",
		"gzip"); r.header.Get("Content-Encoding") != "" {
		t.Errorf("%v", r.header)
	}
}
