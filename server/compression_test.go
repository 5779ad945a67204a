package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"rulestore/content"
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

// encoder encodes what a site has, and what is asked for, until stop has returned.
func encoder(s *site.Site) (e *site.Encoder, stop func()) {
	e = site.NewEncoder()
	e.Warm(s)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { e.Run(ctx) })
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
	case "zstd":
		z, err := zstd.NewReader(r)
		if err != nil {
			return nil, err
		}
		defer z.Close()
		r = z
	case "gzip":
		var err error
		if r, err = gzip.NewReader(r); err != nil {
			return nil, err
		}
	}
	return io.ReadAll(r)
}

// ready says whether what came is the coding that is kept, and not a quick one.
func (c client) ready(path string, r response) bool {
	coding := slices.Index(site.Encodings, r.header.Get("Content-Encoding"))
	if coding < 0 || c.config == nil || c.config.Encoder == nil {
		return coding >= 0
	}
	s := c.config.Sites.Current()
	for _, rep := range slices.Concat(s.Lookup(path).Representations, s.LookupPage(path).Representations) {
		if rep.Ready().ETag == r.header.Get("Etag") {
			return c.config.Encoder.Encode(rep, coding, "") != nil || len(rep.Body.Stamps) > 1
		}
	}
	return false
}

// coded asks for a coding until it is ready.
func (c client) coded(path, coding string, headers ...string) response {
	c.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		r := c.get(path, append([]string{"Accept-Encoding", coding}, headers...)...)
		if r.status != http.StatusOK || c.ready(path, r) {
			return c.get(path, append([]string{"Accept-Encoding", coding}, headers...)...)
		}
		if time.Now().After(deadline) {
			c.Fatalf("%s is not served in %s", path, coding)
		}
	}
}

// compressed are paths of the starter content, with how they can be had.
var compressed = []struct{ path, accept string }{
	{benchmarked, jsonType},
	{benchmarked, markdownType},
	{benchmarked + "/versions/1.0.0", jsonType}, // not current: when it is asked for
	{benchmarked + "/versions/1.0.0", markdownType},
	{"/guidelines/product.common.001/current.md", ""},
	{"/instructions/assistant.md", ""},
	{"/instructions/fraud-response.json", ""},
	{"/api/v1/instructions/fallback-policy", jsonType},
	{"/api/v1/fraud/signals", jsonType},
	{"/api/v1/glossary", markdownType},
	{"/api/v1/schemas/math/loan-calculation", jsonType},
	{"/api/v1/external-parameters/consumer-rights.ombudsman-amount-limit", jsonType},
	{"/api/v1/calendars/ru-2026", jsonType},
	{"/", ""},
	{"/.well-known/service-for-robots.json", ""},
	{"/llms.txt", ""},
	{"/api/v1/checksums", ""},
	{"/schemas/registries/fraud-signals/1.0.json", ""},
	{"/api/v1/changelog", ""},
	{"/api/v1/guidelines", ""}, // a time for each of its elements
	{"/api/v1/external-parameters", ""},
}

// What is decoded is what is sent without a coding, to the last byte, with the
// time of the answer in its place; the headers agree, and so does HEAD.
func TestCompression(t *testing.T) {
	s := starterSite()
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
	c := ask(t, starterSite())
	for _, path := range []string{
		"/api/v1/changelog?limit=3", "/api/v1/search?q=%D0%BA%D0%BE%D0%B4", "/api/v1/fraud/signals?severity=critical",
		"/api/v1/instructions?as_of=2026-05-01", "/api/v1/health", "/compare/" + benchmarked[len("/api/v1/"):],
		toolsPath + "loan_payment?example=1", api.SkillsPath + "index.json", "/nowhere", "/api/v1/instructions?x=1",
		"/api/v1/guidelines/product.common.01",
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
		r := c.get(path, "Accept-Encoding", "gzip, br, zstd")
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

// Without an encoder, or before it got there, what is asked for is compressed at once.
func TestNotReadyIsCompressedQuickly(t *testing.T) {
	fresh := build(nil, load(readScript("testdata/kinds.txtar")).Snapshot)
	idle := site.NewEncoder() // that nobody runs
	for name, c := range map[string]client{
		"no encoder": ask(t, fresh), "not yet": start(t, server.Config{Sites: serving(fresh), Encoder: idle}),
	} {
		plain := c.get("/api/v1/instructions/assistant")
		for range 400 { // more than can wait
			r := c.get("/api/v1/instructions/assistant", "Accept-Encoding", "gzip")
			body, err := unpack("gzip", r.body)
			if r.status != http.StatusOK || err != nil || !bytes.Equal((response{body: body}).blanked(),
				plain.blanked()) {
				t.Fatalf("%s: %d %v %v", name, r.status, r.header, err)
			}
		}
	}
}

// The time in a coded body is that of the answer, in every one of them, wherever
// it stands.
func TestCodedTime(t *testing.T) {
	t.Parallel()
	c := warmed(t, starterSite())
	places := map[string]int{
		benchmarked: 1, "/api/v1/guidelines": 1 + currentItems(starterSite(), content.Guidelines),
	}
	for path := range places {
		for _, coding := range site.Encodings {
			c.coded(path, coding)
		}
	}
	for range 3 {
		for path, times := range places {
			for _, coding := range site.Encodings {
				checkCodedTime(t, c, path, coding, times)
			}
		}
		time.Sleep(400 * time.Millisecond)
	}
}

func checkCodedTime(t *testing.T, c client, path, coding string, times int) {
	before := time.Now().Truncate(time.Second)
	r := c.get(path, "Accept-Encoding", coding)
	body, err := unpack(r.header.Get("Content-Encoding"), r.body)
	if err != nil {
		t.Fatal(err)
	}
	all := fetchedAt.FindAll(body, -1)
	if len(all) != times {
		t.Errorf("%s in %s: %d times", path, coding, len(all))
	}
	for _, field := range all {
		_, text, _ := strings.Cut(string(field), ":")
		at, err := time.Parse(`"`+site.TimeFormat+`"`, text)
		if err != nil || at.Before(before) || at.After(time.Now()) || !bytes.Equal(field, all[0]) {
			t.Errorf("%s in %s: %s, the first is %s", path, coding, field, all[0])
		}
	}
}

// Programs that others wrote decode what is sent.
func TestCompressionWithCurl(t *testing.T) {
	manyValues(t)
	t.Parallel()
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed: what it makes of the codings is not tried here")
	}
	version := string(must(exec.CommandContext(t.Context(), curl, "--version").Output()))
	c := warmed(t, starterSite())
	for _, test := range compressed {
		plain := c.get(test.path, "Accept", test.accept)
		for _, coding := range site.Encodings {
			if feature := map[string]string{"br": "brotli", "zstd": "zstd",
				"gzip": "libz"}[coding]; !strings.Contains(version, feature) {
				t.Logf("this curl does not know %s", coding)
				continue
			}
			c.coded(test.path, coding, "Accept", test.accept)
			cmd := exec.CommandContext(t.Context(), curl, "-fsS", "--compressed", "-H", "Accept-Encoding: "+coding,
				"-H", "Accept: "+test.accept, "-w", `%{stderr}%{header_json}`, c.url+test.path)
			var headers strings.Builder
			cmd.Stderr = &headers
			out, err := cmd.Output()
			if err != nil || !bytes.Equal((response{body: out}).blanked(), plain.blanked()) ||
				!strings.Contains(headers.String(), `["`+coding+`"]`) {
				t.Errorf("%s in %s: %d bytes of %d, %v\n%s", test.path, coding, len(out),
					len(plain.body), err, headers.String())
			}
		}
	}
}

func TestCompressionWithNode(t *testing.T) {
	manyValues(t)
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: what its zlib makes of the codings is not tried here")
	}
	const script = `
		const zlib = require('zlib'), [coding] = process.argv.slice(1), chunks = []
		const f = {gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync, zstd: zlib.zstdDecompressSync}[coding]
		process.stdin.on('data', c => chunks.push(c)).on('end', () => {
			if (!f) { console.error('not supported'); process.exit(3) }
			process.stdout.write(f(Buffer.concat(chunks)))
		})`
	c := warmed(t, starterSite())
	for i, test := range []struct{ path, accept string }{{benchmarked, jsonType}, {benchmarked, markdownType},
		{"/api/v1/guidelines", ""}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			plain := c.get(test.path, "Accept", test.accept)
			for _, coding := range site.Encodings {
				cmd := exec.CommandContext(t.Context(), node, "-e", script, coding)
				cmd.Stdin = bytes.NewReader(c.coded(test.path, coding, "Accept", test.accept).body)
				out, err := cmd.Output()
				if cmd.ProcessState.ExitCode() == 3 {
					t.Logf("this node does not know %s", coding)
					continue
				}
				if err != nil || !bytes.Equal((response{body: out}).blanked(), plain.blanked()) {
					t.Errorf("%s in %s: %d bytes of %d, %v", test.path, coding, len(out), len(plain.body), err)
				}
			}
		})
	}
}

// Go's own client, which asks for gzip by itself, sees nothing of it.
func TestCompressionWithGo(t *testing.T) {
	c := warmed(t, starterSite())
	c.coded(benchmarked, "gzip")
	resp, err := http.Get(c.url + benchmarked)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || !resp.Uncompressed || !bytes.Equal((response{body: body}).blanked(),
		c.get(benchmarked).blanked()) {
		t.Errorf("uncompressed: %v, %d bytes, %v", resp.Uncompressed, len(body), err)
	}
}
