package server_test

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/server/api"
)

// atomLinks are the links of a feed or of an entry.
type atomLinks []struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

// atom is a feed as RFC 4287 has it, with what it must have.
type atom struct {
	XMLName xml.Name  `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string    `xml:"http://www.w3.org/2005/Atom id"`
	Title   string    `xml:"http://www.w3.org/2005/Atom title"`
	Updated string    `xml:"http://www.w3.org/2005/Atom updated"`
	Author  []string  `xml:"http://www.w3.org/2005/Atom author>name"`
	Links   atomLinks `xml:"http://www.w3.org/2005/Atom link"`
	Entries []struct {
		ID        string    `xml:"id"`
		Title     string    `xml:"title"`
		Updated   string    `xml:"updated"`
		Published string    `xml:"published"`
		Summary   string    `xml:"summary"`
		Links     atomLinks `xml:"link"`
	} `xml:"http://www.w3.org/2005/Atom entry"`
}

// valid checks what RFC 4287 asks of a feed and its entries (sections 4.1.1 and 4.1.2).
func (f *atom) valid(t *testing.T, path string) {
	t.Helper()
	moment := func(name, value string) time.Time {
		at, err := time.Parse(time.RFC3339, value)
		if err != nil || at.Year() < 2000 {
			t.Errorf("%s: %s is %q", path, name, value)
		}
		return at
	}
	absolute := func(name, value string) {
		if u, err := url.Parse(value); err != nil || u.Scheme == "" {
			t.Errorf("%s: %s is %q", path, name, value)
		}
	}
	absolute("id", f.ID)
	updated := moment("updated", f.Updated)
	if f.Title == "" || len(f.Author) != 1 || f.Author[0] == "" {
		t.Errorf("%s: title %q, authors %q", path, f.Title, f.Author)
	}
	if len(f.Links) == 0 || f.Links[0].Rel != "self" || f.Links[0].Href != f.ID {
		t.Errorf("%s does not link to itself: %v", path, f.Links)
	}
	ids := map[string]bool{}
	for i, e := range f.Entries {
		absolute("id", e.ID)
		if at := moment("updated", e.Updated); at.After(updated) || i == 0 && !at.Equal(updated) {
			t.Errorf("%s: updated %s, the entry %s", path, f.Updated, e.Updated)
		}
		if ids[e.ID] || e.Title == "" || len(e.Links) != 1 || e.Links[0].Rel != "alternate" {
			t.Errorf("%s: %+v", path, e)
		}
		ids[e.ID] = true
		absolute("link", e.Links[0].Href)
	}
}

// TestFeeds: every feed is one of RFC 4287, and its entries are what was published and what
// was marked, whatever stands in it.
func TestFeeds(t *testing.T) {
	c := ask(t, kindsSite())
	paths := []string{"all.atom", "upcoming.atom"}
	for _, k := range content.Kinds {
		paths = append(paths, k.Folder+".atom")
	}
	for _, it := range kindsSite().Snapshot.Items {
		paths = append(paths, it.ID()+".atom")
	}
	for _, path := range paths {
		r := c.get(api.FeedsPath + path)
		if r.status != http.StatusOK || !strings.HasPrefix(r.header.Get("Content-Type"), "application/atom+xml") {
			t.Fatalf("%s: %d %s", path, r.status, r.header.Get("Content-Type"))
		}
		var f atom
		if err := xml.Unmarshal(r.body, &f); err != nil {
			t.Fatal(path, err)
		}
		f.valid(t, path)
	}
}

// TestFeedOfMarks: what is taken back is told like what is published, with the same id at
// every address, once its day has come.
func TestFeedOfMarks(t *testing.T) {
	of := func(date string) atom {
		p := published(t, content.Parameters, "test.limit", "1.0.0", "2026-01-10", limit(firstLimit))
		s := content.NewSnapshot(content.Input{
			Source: content.Source{Date: date}, Settings: storeSite().Snapshot.Settings,
			Publications: []*content.Publication{p},
			Marks: []content.Mark{{Item: "parameters/test.limit", Version: "1.0.0", Status: content.Archived,
				Since: "2026-04-01", Reason: "<b>&\x07 " + "причина"}},
		})
		var f atom
		must(0, xml.Unmarshal(ask(t, siteOf(s)).get("/feeds/parameters/test.limit.atom").body, &f))
		f.valid(t, date)
		return f
	}
	before, after := of("2026-03-31"), of("2026-04-01")
	if len(before.Entries) != 1 || len(after.Entries) != 2 {
		t.Fatalf("%d entries, then %d", len(before.Entries), len(after.Entries))
	}
	e := after.Entries[0]
	if got := fmt.Sprint(e.Updated, " ", strings.HasPrefix(e.ID, "urn:rulestore:mark:sha256:"), " ",
		strings.Contains(e.Summary, "<b>& причина")); got != "2026-04-01T00:00:00Z true true" {
		t.Errorf("%s: %+v", got, e)
	}
	if after.Entries[1].ID != before.Entries[0].ID {
		t.Errorf("the publication has become another entry: %+v, %+v", before.Entries[0], after.Entries[1])
	}
}
