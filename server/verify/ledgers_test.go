package verify_test

import (
	"fmt"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
	"rulestore/server/verify"
)

// partOf is a repository of several, with all versions of one rule of the starter content.
func partOf(t *testing.T, source, rule string) *content.Snapshot {
	t.Helper()
	all, _ := starterContent(t)
	in := content.Input{Source: all.Source, Settings: all.Settings}
	in.Name = source
	for _, e := range all.Item(content.Guidelines, rule).Entries {
		own := *e.Publication
		own.Source = source
		in.Publications = append(in.Publications, &own)
	}
	return content.NewSnapshot(in)
}

// Each of several repositories is held to its own log, and none to what another seals: neither by
// who writes it, nor by a server that says so.
func TestLogsOfSeveral(t *testing.T) {
	keys := newParties(t)
	baseKeys, houseKeys := parties{own: keys.own}, parties{own: keys.witnesses[0]}
	base, house := partOf(t, "base", "product.common.001"), partOf(t, "house", "product.deposit.analysis.001")
	joined, _ := content.Union([]*content.Snapshot{base, house})
	logOf := func(leaves ...log.Leaf) *log.Log { return (*log.Log)(nil).Extend(leaves...) }
	ours, theirs := leavesOf(base), leavesOf(house)
	n := len(ours)
	const item = "guidelines/product.common.001"
	newest, _ := ours[n-1].Seal()
	foreign, ok := log.ReadSeal(item + "/v9.0.0 sha256:" + strings.Repeat("0", 64) + " 2026-02-02T07:00:00Z")
	if !ok {
		t.Fatal("no seal")
	}
	for _, tt := range []struct {
		name        string
		base, house []log.Leaf
		seen        *log.Log // of the house
		lie         func(string, *httptest.ResponseRecorder)
		want        []string
	}{
		{name: "honest", base: ours, house: theirs, seen: logOf(theirs[0])},
		{name: "a name that is taken", base: ours, house: append(slices.Clone(theirs), foreign)},
		{name: "the same version", base: ours, house: append(slices.Clone(theirs), ours[n-1])},
		{name: "sealed by the house alone", base: ours[:n-1],
			house: append(slices.Clone(theirs), ours[n-1]), want: []string{
				newest.Tag + "|not in the signed log|",
			}},
		{name: "sealed by nobody", base: ours, house: theirs[1:],
			want: []string{"guidelines/product.deposit.analysis.001/v1.0.0|not in the signed log|"}},
		{name: "rolled back", base: ours, house: theirs, seen: logOf(append(slices.Clone(theirs), foreign)...),
			want: []string{
				"/sources/house/log/checkpoint|the signed log||the log had",
			}},
		{name: "hidden", base: ours, house: theirs, lie: func(path string, w *httptest.ResponseRecorder) {
			if path == "/api/v1/checksums" {
				rest := regexp.MustCompile(`guidelines/product.deposit.analysis.001/v1.0.0 .*\n`).ReplaceAll(w.Body.Bytes(), nil)
				w.Body.Reset()
				w.Body.Write(rest)
			}
		}, want: []string{"guidelines/product.deposit.analysis.001/v1.0.0|in the signed log, and not served|"}},
		{name: "said to be of another", base: ours, house: theirs,
			lie: func(path string, w *httptest.ResponseRecorder) {
				if strings.HasPrefix(path, "/api/v1/guidelines/product.common.001/versions/1.0.0") {
					w.Header().Set("X-Source", "house")
				}
			}, want: []string{item + "/v1.0.0|X-Source|base|house"}},
		{name: "another tile", base: ours, house: theirs, lie: func(path string, w *httptest.ResponseRecorder) {
			if strings.HasPrefix(path, "/sources/house/log/tile/0/") {
				w.Body.Bytes()[0] ^= 1
			}
		}, want: []string{fmt.Sprintf("/sources/house/log/tile/0/000.p/%d|the body|", len(theirs))}},
		{name: "one that nobody signs", base: ours, house: nil,
			want: []string{"/sources/house/log/checkpoint|the signed log||fetch"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			views := []*log.View{houseKeys.sign(t, logOf(tt.house...))}
			if tt.house == nil {
				views[0].Checkpoint = nil
			}
			made := site.Build(nil, joined, site.Config{
				BaseURL: "https://rules.example.org", Version: "test", Schemas: schemas.Embedded(),
				Log: baseKeys.sign(t, logOf(tt.base...)), Logs: &views,
			})
			h := server.New(server.Config{Sites: current{made}, Status: func() server.Status { return server.Status{} },
				Encoder: site.NewEncoder()})
			if tt.lie != nil {
				h = tampered(h, tt.lie)
			}
			s := httptest.NewServer(h)
			defer s.Close()
			var logs []verify.Log
			kept := 0
			for i, keys := range []parties{baseKeys, houseKeys} {
				policy, err := log.NewPolicy(keys.own.Public(), nil, 0, 0)
				if err != nil {
					t.Fatal(err)
				}
				logs = append(logs, verify.Log{Source: []string{"base", "house"}[i], Policy: policy,
					Remember: func([]byte) error { kept++; return nil }})
			}
			if tt.seen != nil {
				logs[1].Last = tt.seen.Head(houseKeys.own.Name())
			}
			r, err := verify.Run(t.Context(), verify.Config{URL: s.URL, Logs: logs})
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, d := range r.Differences {
				found = append(found, fmt.Sprintf("%s|%s|%s|%s", d.What, d.Problem, d.Expected, d.Found))
			}
			if len(found) != len(tt.want) {
				t.Errorf("found %q", found)
			}
			for _, want := range tt.want {
				if !slices.ContainsFunc(found, func(f string) bool { return strings.Contains(f, want) }) {
					t.Errorf("found %q\nexpected %q", found, want)
				}
			}
			if len(tt.want) == 0 && kept != 2 {
				t.Errorf("%d heads are kept", kept)
			}
		})
	}
}
