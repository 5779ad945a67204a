package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
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

// Another checksum, another version, an item that there is not and what was redacted are told apart.
func TestCitations(t *testing.T) {
	c, s := ask(t, storeSite()), storeSite().Snapshot
	item := s.Item(content.Guidelines, "product.deposit.001")
	now, old := item.Current, item.Entries[len(item.Entries)-1]
	gone := s.Item(content.Guidelines, "investment.secret.001").Entries[0]
	nothing, version := "sha256:"+strings.Repeat("0", 64), now.Version.String()
	for _, test := range []struct {
		cited site.Citation
		want  outcome
	}{
		{site.Citation{ID: "product.deposit.001", Version: version, Checksum: now.Checksum},
			outcome{Result: "matches", Now: true}},
		{site.Citation{ID: "guidelines/product.deposit.001", Version: version, Checksum: nothing},
			outcome{Result: "other_checksum", Other: now.Checksum, Now: true}},
		{site.Citation{ID: "guidelines/product.deposit.001", Version: version, Checksum: old.Checksum},
			outcome{Result: "other_checksum", Other: now.Checksum, Of: old.Tag(), Now: true}},
		{site.Citation{ID: "product.deposit.001", Version: "9.9.9", Checksum: nothing},
			outcome{Result: "unknown", Known: new(true)}},
		{site.Citation{ID: "product.deposit.001", Version: "9.9.9", Checksum: old.Checksum},
			outcome{Result: "unknown", Known: new(true), Of: old.Tag()}},
		{site.Citation{ID: "nothing", Version: "1.0.0", Checksum: nothing},
			outcome{Result: "unknown", Known: new(false)}},
		{citing(gone, ""), outcome{Result: "redacted"}},
		{citing(old, ""), outcome{Result: "matches", Newer: version, Change: "breaking"}},
	} {
		t.Run(test.cited.ID+" "+test.cited.Version, func(t *testing.T) {
			got, want := client{TB: t, url: c.url}.checkCitations(test.cited)[0], test.want
			known := func(b *bool) string { return string(must(json.Marshal(b))) }
			if got.Result != want.Result || known(got.Known) != known(want.Known) || got.Other != want.Other ||
				got.Of != want.Of || got.Now != want.Now || got.Newer != want.Newer || got.Change != want.Change ||
				got.ID != test.cited.ID || got.Version != test.cited.Version {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if (got.URL == "") != (want.Result == "unknown" || want.Result == "redacted") ||
				(got.Reason != "") != (want.Result == "redacted") {
				t.Errorf("%+v", got)
			}
		})
	}
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

// A day stands for its end, as in as_of; what was in force on it may be another version.
func TestCitationsOnDays(t *testing.T) {
	var all []*content.Publication
	for version, days := range map[string][2]string{"1.0.0": {"2026-05-01", "2026-05-01"},
		"1.1.0": {"2026-05-12", "2026-06-01"}} {
		all = append(all, published(t, content.Parameters, "test.limit", version, days[0],
			limit("value: 5\nvalid_from: "+days[1])))
	}
	s := siteOf(content.NewSnapshot(content.Input{
		Source: content.Source{Date: "2026-11-20"}, Settings: storeSite().Snapshot.Settings, Publications: all,
	}))
	c, item := ask(t, s), s.Snapshot.Item(content.Parameters, "test.limit")
	for _, test := range []struct {
		version, at string
		current     bool
		inForce     string
	}{
		{"1.0.0", "2026-05-11", true, "1.0.0"},
		{"1.0.0", "2026-05-12", false, "1.0.0"},
		{"1.1.0", "2026-05-12", true, "1.0.0"},
		{"1.1.0", "2026-06-01", true, "1.1.0"},
		{"1.0.0", "2026-04-30", false, ""},
		{"1.0.0", "2026-11-20", false, "1.1.0"},
	} {
		got := c.checkCitations(citing(item.Version(test.version), test.at))[0]
		if got.Then == nil || *got.Then != test.current || got.Force != test.inForce {
			t.Errorf("%s on %s: %+v", test.version, test.at, got)
		}
	}
	if got := c.checkCitations(citing(item.Current, "2026-11-21"))[0]; got.Then != nil || got.Force != "" {
		t.Errorf("of a day to come: %+v", got)
	}
}
