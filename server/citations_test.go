package server_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// outcome is what a citation came to.
type outcome struct {
	ID, Version, Result, Status, Tag, Newer, Change string

	Reason string `json:"status_reason"`
	Known  *bool  `json:"item_known"`
	Of     string `json:"checksum_of"`
	Other  string `json:"content_checksum"`
	Then   *bool  `json:"current_then"`
	Force  string `json:"in_force_then"`
	Now    bool   `json:"current_now"`
	URL    string `json:"canonical_url"`
}

// citing names a version as an answer relied on it.
func citing(e *content.Entry, at string) site.Citation {
	return site.Citation{ID: e.Item(), Version: e.Version.String(), Checksum: e.Checksum, At: at}
}

// checkCitations checks citations; a check is stored nowhere.
func (c client) checkCitations(list ...site.Citation) []outcome {
	c.Helper()
	r := c.post(api.CitationsPath, string(must(json.Marshal(map[string]any{"citations": list}))))
	if r.status != http.StatusOK || r.header.Get("Cache-Control") != "no-store" {
		c.Fatalf("%d %v\n%s", r.status, r.header, r.body)
	}
	said := decode[struct {
		Total     int
		Citations []outcome
	}](c, r.body)
	if said.Total != len(list) || len(said.Citations) != len(list) {
		c.Fatalf("%d citations: %s", len(list), r.body)
	}
	return said.Citations
}

// Every version of a store is found by what its answer named, with its status.
func TestCitationsByStatus(t *testing.T) {
	for _, s := range []*site.Site{storeSite(), kindsSite()} {
		c := ask(t, s)
		for _, item := range s.Snapshot.Items {
			var all []site.Citation
			for _, e := range item.Entries {
				all = append(all, citing(e, ""))
			}
			for i, got := range c.checkCitations(all...) {
				e, want := item.Entries[i], "matches"
				if e.Status == content.Redacted {
					want = "redacted"
				}
				newer := item.Current != nil && item.Current.Version.GreaterThan(e.Version)
				if got.Result != want || got.Status != string(e.Status) || got.Tag != e.Tag() ||
					got.Now != (item.Current == e) || (got.Newer != "") != newer {
					t.Errorf("%s: %+v", e.Tag(), got)
				}
			}
		}
	}
}
