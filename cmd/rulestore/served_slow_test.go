//go:build slow

package main

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
	"rulestore/server/api"
	"rulestore/server/html"
	"rulestore/server/site"
)

// responseTime matches the time of a response.
var responseTime = regexp.MustCompile(`"fetched_at\\*": ?\\*"[0-9TZ:-]*`)

// Every form of everything that the process serves, in each content coding, is byte for byte what a
// site built of the same repository has, but for the time of the response.
func TestServedForms(t *testing.T) {
	t.Parallel()
	dir := store(t)
	s := start(t, "--repo", dir, "--admin-addr", "off", "--base-url", baseURL)
	loaded, err := loader.New(
		loader.Config{Source: git.OnDisk(dir), Schemas: schemas.Embedded(), Now: time.Now},
	).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	own := site.Build(nil, loaded.Snapshot, site.Config{
		BaseURL: baseURL, Version: build(), Schemas: schemas.Embedded(), Log: loaded.Log, MCP: true,
	})
	decoders := map[string]func(io.Reader) (io.Reader, error){
		"identity": func(r io.Reader) (io.Reader, error) { return r, nil },
		"gzip":     func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"br":       func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"zstd":     func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	}
	plain := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	get := func(path, accept, coding string) []byte {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", accept)
		req.Header.Set("Accept-Encoding", coding)
		res, err := plain.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body := io.Reader(res.Body)
		if res.Header.Get("Content-Encoding") != "" {
			if body, err = decoders[coding](res.Body); err != nil {
				t.Fatalf("%s as %s in %s: %v", path, accept, coding, err)
			}
		}
		raw, err := io.ReadAll(body)
		if err != nil {
			t.Fatalf("%s as %s in %s: %v", path, accept, coding, err)
		}
		return raw
	}
	forms := 0
	for _, path := range own.Paths() {
		for _, form := range own.Lookup(path).Representations {
			if form.Type == api.HTMLType {
				form = html.Page(own, own.Lookup(path))
			}
			want := form.Once().Body.Append(nil, "")
			for coding := range decoders {
				forms++
				got := responseTime.ReplaceAll(get(path, form.Type, coding), nil)
				if !bytes.Equal(got, responseTime.ReplaceAll(want, nil)) {
					t.Errorf("%s as %s in %s differs", path, form.Type, coding)
				}
			}
		}
	}
	if forms < 1000 {
		t.Errorf("%d forms", forms)
	}
}
