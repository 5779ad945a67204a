package server_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/log"
)

// logChanges is a part of the changelog by places in the log.
type logChanges struct {
	Total     int
	NextSince int64 `json:"next_since"`
	Entries   []struct {
		Index                 int64 `json:"log_index"`
		Item, Status, Version string
		Old                   *string `json:"old_version"`
		New                   string  `json:"new_version"`
		Checksum              string  `json:"content_checksum"`
		Date, Since           string
		Canonical             string `json:"canonical_url"`
		Ended                 bool
	}
}

// TestChangelogByPlace: who goes on from next_since gets every leaf of the log once, in its
// order, as what it is.
func TestChangelogByPlace(t *testing.T) {
	s := kindsSite()
	size, _, _ := s.LogSigned()
	c := ask(t, s)
	next, asked := int64(0), 0
	sealed := map[string]string{}
	for next < size {
		part := decode[logChanges](t, c.get(fmt.Sprintf("/api/v1/changelog?limit=7&since=%d", next)).body)
		if int64(part.Total) != size-next || part.NextSince <= next {
			t.Fatalf("from %d: %d of %d, next %d", next, part.Total, size-next, part.NextSince)
		}
		for i, e := range part.Entries {
			if e.Index != next+int64(i) {
				t.Errorf("%d where %d is to be", e.Index, next+int64(i))
			}
			sealed[e.Item+"/v"+e.New] = e.Checksum
		}
		next, asked = part.NextSince, asked+1
	}
	if next != size || asked < 2 {
		t.Errorf("ended at %d of %d after %d questions", next, size, asked)
	}
	for _, it := range s.Snapshot.Items {
		for _, e := range it.Entries {
			if sealed[e.Tag()] != e.Checksum {
				t.Errorf("%s: %s, not %s", e.Tag(), sealed[e.Tag()], e.Checksum)
			}
		}
	}
	if end := decode[logChanges](t, c.get(fmt.Sprintf("/api/v1/changelog?since=%d", size)).body); end.Total != 0 ||
		end.NextSince != size || len(end.Entries) != 0 {
		t.Errorf("at the end: %+v", end)
	}
	c.get(fmt.Sprint("/api/v1/changelog?since=", size+1)).want(t, http.StatusBadRequest, "invalid_query")
}

// Marks, what was withdrawn, what waits for its day and what nobody here knows are leaves
// too, and each is said as what it is.
func TestChangelogOfLeaves(t *testing.T) {
	source := load(readScript("testdata/store.txtar")).Snapshot
	item := source.Items[0]
	first := item.Entries[len(item.Entries)-1]
	seal := func(tag, sum string) log.Leaf {
		return log.SealOf(content.Seal{Tag: tag, Checksum: sum, PublishedAt: first.PublishedAt})
	}
	mark, ok := log.MarkOf(content.Mark{Item: item.ID(), Version: "1.0.0", Status: content.Redacted,
		Since: "2026-03-01", Reason: "<script>alert(1)</script>"})
	if !ok {
		t.Fatal("no mark")
	}
	var l *log.Log
	l = l.Extend(seal(first.Tag(), first.Checksum))
	l = l.Extend(mark, mark.End())
	l = l.Extend(seal("x", first.Checksum))
	l = l.Extend(seal("strangers/thing/v9.9.9", first.Checksum))
	c := ask(t, withLog(&log.Served{Log: l}))
	got := decode[logChanges](t, c.get("/api/v1/changelog?since=0").body)
	var said []string
	for _, e := range got.Entries {
		said = append(said, fmt.Sprint(e.Item, "|", e.New, "|", e.Status, "|", e.Version, "|", e.Ended))
	}
	want := []string{
		item.ID() + "|" + first.Version.String() + "|||false", item.ID() + "||redacted|1.0.0|false",
		item.ID() + "||redacted|1.0.0|true", "|x|||false", "strangers/thing|9.9.9|||false",
	}
	if !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
	if e := got.Entries[0]; e.Old != nil || e.Canonical == "" || e.Checksum != first.Checksum {
		t.Errorf("%+v", e)
	}
	page := c.get("/api/v1/changelog?since=0", "Accept", "text/html")
	if page.status != http.StatusOK || !strings.Contains(string(page.body), "&lt;script&gt;") ||
		strings.Contains(string(page.body), "<script>alert") {
		t.Errorf("the page: %d", page.status)
	}
}
