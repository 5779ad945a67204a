package server_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"rulestore/content"
)

// found is the answer to a search.
type found struct {
	Total, Limit, Offset int
	Results              []hit
}

type hit struct {
	Kind, ID, Title, Version, Status, Snippet, URL string
	Section, Match                                 string

	Words, Scenarios []string

	CanonicalURL    string `json:"canonical_url"`
	ContentChecksum string `json:"content_checksum"`
	SourceURL       string `json:"source_url"`
	SourceChecksum  string `json:"source_checksum"`

	ReferencedBy []struct{ Kind, ID, Title, URL string } `json:"referenced_by"`
}

// seek asks a search for all that it says; the parameters are names and values in turn.
func seek(t *testing.T, c client, parameters ...string) found {
	t.Helper()
	q := url.Values{"fields": {"full"}}
	for pair := range slices.Chunk(parameters, 2) {
		q.Add(pair[0], pair[1])
	}
	r := c.get("/api/v1/search?" + q.Encode())
	if r.status != http.StatusOK || !utf8.Valid(r.body) {
		t.Fatalf("%q: %d\n%s", parameters, r.status, r.body)
	}
	f := decode[found](t, r.body)
	if f.Results == nil || len(f.Results) > f.Limit || len(f.Results) > max(0, f.Total-f.Offset) {
		t.Errorf("%q: %d of %d results\n%.500s", parameters, len(f.Results), f.Total, r.body)
	}
	return f
}

// What a hit says of an item is what the item says, and the addresses lead there. Without fields=full
// it has no addresses and no checksums.
func TestSearchHits(t *testing.T) {
	c := ask(t, kindsSite())
	kinds := map[string]bool{}
	for _, query := range []string{"код", "банк", "претензия", "каникулы", "схемы", "маршрут", "платеж"} {
		for _, h := range seek(t, c, "q", query, "limit", "60").Results {
			if h.ID == "versions" { // of a record, which has no address of its own
				continue
			}
			kinds[h.Kind] = true
			r := c.get(strings.TrimPrefix(h.URL, baseURL))
			item := decode[content.Object](t, r.body)
			if h.Kind == "calculation" {
				if r.status != http.StatusOK || h.Version == "" {
					t.Errorf("%+v", h)
				}
				continue
			}
			version, checksum, permanent := r.header.Get("X-"+strings.ToUpper(h.Kind[:1])+h.Kind[1:]+"-Version"),
				r.header.Get("X-Content-Checksum"), h.CanonicalURL
			status := item.Text("status")
			if h.SourceURL != "" {
				version, checksum, permanent = item.Text("registry_version"), item.Text("source_checksum"), h.SourceURL
				h.ContentChecksum, h.SourceChecksum = h.SourceChecksum, h.ContentChecksum
				status = "current"
			}
			if r.status != http.StatusOK || h.Version != version || h.ContentChecksum != checksum ||
				h.SourceChecksum != "" || h.Status != status {
				t.Errorf("%s: %+v\n%d %v", query, h, r.status, r.header)
			}
			if h.Title != item.Text("title") && h.Title != item.Text("term") ||
				c.get(strings.TrimPrefix(permanent, baseURL)).header.Get("X-Content-Checksum") != checksum {
				t.Errorf("%s: %+v\n%s", query, h, r.body)
			}
		}
	}
	if len(kinds) < 9 {
		t.Errorf("hits of %v only", kinds)
	}
	short := string(c.get(searchPath("код")).body)
	for _, name := range []string{"url", "canonical_url", "content_checksum", "source_url", "source_checksum", "version"} {
		if strings.Contains(short, `"`+name+`":`) {
			t.Errorf("in short it has %s", name)
		}
	}
}

// Whatever is asked, the answer is a result or a 400, and repeats nothing that
// could harm who reads it.
func TestHostileSearches(t *testing.T) {
	c := ask(t, kindsSite())
	for _, q := range []string{
		"\x00", "\xff\xfe", "код\x00код", "\u202e", "\ufeff", "\ufffe", "е\u0301", "́́́", "👩‍👩‍👧‍👦", "ﷺ", "***", "'\"`", "\\",
		"код AND OR NOT", "код~2", "(((((", "[код TO я]", "/.*/", "title:код", "' OR 1=1 --", "<script>alert(1)</script>",
		"${jndi:ldap://x}", "%00", "\r\nX-Evil: 1", "1e309", "٣", strings.Repeat("к ", 100), strings.Repeat("*", 200),
		strings.Repeat("a_", 100), "В Начале-Было.Слово,и;Слово:было!у?Бога", "01.02.2026", "и в на",
	} {
		for _, name := range []string{"q", "signal", "product_type"} {
			r := c.get("/api/v1/search?" + name + "=" + url.QueryEscape(q))
			if r.status != http.StatusOK && r.status != http.StatusBadRequest || !utf8.Valid(r.body) ||
				!json.Valid(r.body) || r.header.Get("X-Evil") != "" {
				t.Errorf("%s=%q: %d\n%.300s", name, q, r.status, r.body)
			}
			if name != "q" && r.status == http.StatusOK && decode[found](t, r.body).Total > 0 {
				t.Errorf("%s=%q finds something", name, q)
			}
		}
	}
}
