//go:build slow

package export_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/server/export"
)

// A host is a web server that keeps the headers of an export with its files.
type host struct {
	dir    string
	common map[string]string
	names  map[string]string // by address and type
	listed map[string]export.Listed
	change func(l export.Listed, h http.Header)
	coding string // that it has alone, if it has not all
}

func newHost(t *testing.T) *host {
	t.Helper()
	dir := t.TempDir()
	write(t, writer(t, dir), first())
	inventory := inventoryOf(t, held(t, current(dir)))
	h := &host{
		dir: current(dir), common: inventory.Headers, names: map[string]string{}, listed: map[string]export.Listed{},
		change: func(export.Listed, http.Header) {},
	}
	for _, f := range files(t, first()) {
		h.names[f.Address+" "+f.Type] = f.Name
	}
	for _, l := range inventory.Files {
		h.listed[l.Name] = l
	}
	return h
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l, header := h.listed[h.names[r.URL.String()+" "+r.Header.Get("Accept")]], w.Header()
	for name, value := range h.common {
		header.Set(name, value)
	}
	for name, value := range l.Headers {
		header.Set(name, value)
	}
	header.Set("Vary", "Accept-Encoding, accept")
	h.change(l, header)
	name := filepath.Join(h.dir, l.Name)
	coding := r.Header.Get("Accept-Encoding")
	if slices.Contains(l.Codings, coding) && (h.coding == "" || h.coding == coding) {
		header.Set("Content-Encoding", coding)
		name += map[string]string{"br": ".br", "gzip": ".gz", "zstd": ".zst"}[coding]
	}
	if r.URL.Path == "/"+export.Inventory {
		name = filepath.Join(h.dir, export.Inventory)
	}
	http.ServeFile(w, r, name)
}

// check checks the host, and returns what differs and the warnings, without numbers.
func (h *host) check(t *testing.T) (differs, warnings []string) {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	checked, err := export.Check(t.Context(), s.Client(), s.URL, first())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range checked.Differs {
		differs = append(differs, d.String())
	}
	for _, w := range checked.Warnings {
		warnings = append(warnings, w.String())
	}
	return differs, warnings
}

// What a web server says besides the content is compared with what the inventory lists for it. What it leaves
// out is a warning for each kind, and a false statement about the version is a difference.
func TestHeadersOfHost(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	if differs, warnings := h.check(t); len(differs)+len(warnings) > 0 {
		t.Errorf("all as listed: %q, %q", differs, warnings)
	}
	h.coding = "gzip"
	h.change = func(l export.Listed, header http.Header) {
		kept := header.Get("Content-Type")
		clear(header)
		header.Set("Content-Type", kept)
		header.Set("Cache-Control", "no-cache")
	}
	coded := 0
	for _, l := range h.listed {
		if len(l.Codings) > 0 {
			coded++
		}
	}
	differs, warnings := h.check(t)
	want := []string{
		`^files without Access-Control-Allow-Origin: \d+, such as /$`,
		`^files without Access-Control-Expose-Headers: \d+, such as /$`,
		`^files with another Cache-Control: \d+, such as /: it is "no-cache", and should be "public, max-age=60, .*"$`,
		`^files without Content-Language: \d+, such as /$`,
		`^files without Content-Security-Policy: \d+, such as /$`,
		`^files without Referrer-Policy: \d+, such as /$`,
		`^files without Vary: \d+, such as /$`,
		`^files without X-Content-Type-Options: \d+, such as /$`,
		fmt.Sprintf(`^files that are not served as br: %d, such as /\S*$`, coded),
		fmt.Sprintf(`^files that are not served as zstd: %d, such as /\S*$`, coded),
	}
	if len(differs) > 0 || len(warnings) != len(want) {
		t.Fatalf("%q\n%s", differs, strings.Join(warnings, "\n"))
	}
	for i, w := range warnings {
		if !regexp.MustCompile(want[i]).MatchString(w) {
			t.Errorf("%s, want %s", w, want[i])
		}
	}

	h.coding = ""
	const item = "/api/v1/guidelines/product.common.001"
	h.change = func(l export.Listed, header http.Header) {
		switch l.Name {
		case strings.TrimPrefix(item, "/") + ".json":
			header.Set("X-Content-Checksum", "sha256:0")
			header.Set("X-Guideline-Version", "0.0.1")
		case "llms.txt":
			header.Set("Access-Control-Allow-Origin", "https://example.net")
		case strings.TrimPrefix(item, "/") + ".md":
			header.Del("Link")
		}
	}
	differs, warnings = h.check(t)
	link := "files without Link: 1, such as " + item
	origin := "files with another Access-Control-Allow-Origin: 1, such as /llms.txt: " +
		`it is "https://example.net", and should be "*"`
	if !slices.Equal(warnings, []string{origin, link}) {
		t.Errorf("%q", warnings)
	}
	sum := h.listed["api/v1/guidelines/product.common.001.json"].Headers["X-Content-Checksum"]
	says := item + ` as application/json: X-Content-Checksum is "sha256:0", and should be "` + sum + `"`
	if !slices.Equal(differs, []string{says}) {
		t.Errorf("%q, want %q", differs, says)
	}
}
