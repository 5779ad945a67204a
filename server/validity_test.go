package server_test

import (
	"strings"
	"testing"

	"rulestore/content"
)

// TestValidUntil: whatever guides an assistant may say until when: on its last day it is in
// force, on the next one the answer says that it was.
func TestValidUntil(t *testing.T) {
	var all []*content.Publication
	for _, it := range starterSite().Snapshot.Items {
		k := it.Kind
		if k != content.Guidelines && k != content.Instructions && k != content.Registries || it.Name == "taxonomy" {
			continue
		}
		var body content.Object
		for _, m := range it.Current.Body() {
			switch m.Name {
			case k.Format:
				if string(m.Value) == `"1.0"` { // the later ones have the field
					m.Value = content.String("1.1")
				}
			case "valid_from":
				m.Value = content.String("2026-02-02")
				body = append(body, m)
				m = content.Member{Name: "valid_to", Value: content.String("2026-12-31")}
			}
			body = append(body, m)
		}
		all = append(all, published(t, k, it.Name, "1.0.0", "2026-05-10", string(body.AppendJSON(nil))+"\n"))
	}
	c := ask(t, siteOf(content.NewSnapshot(content.Input{
		Source: content.Source{Date: "2026-11-20"}, Settings: starterSite().Snapshot.Settings, Publications: all,
	})))
	kinds := map[*content.Kind]bool{}
	for _, p := range all {
		path := p.Kind.ItemPath(p.Name)
		for day, want := range map[string]string{
			"2026-02-01": `"not_in_force":{"to":"2026-02-01"},"next":{"from":"2026-02-02","to":"2026-12-31"`,
			"2026-02-02": `"in_force":{"from":"2026-02-02","to":"2026-12-31"}`,
			"2026-12-31": `"in_force":{"from":"2026-02-02","to":"2026-12-31"}`,
			"2027-01-01": `"not_in_force":{"from":"2027-01-01"},"previous":{"from":"2026-02-02","to":"2026-12-31"`,
		} {
			t.Run(day, func(t *testing.T) {
				if body := string(c.get(path + "?in_force=" + day).body); !strings.Contains(body, want) {
					t.Errorf("%s on %s: %.400s", path, day, body)
				}
			})
		}
		kinds[p.Kind] = true
	}
	if len(kinds) != 3 {
		t.Errorf("of %d kinds", len(kinds))
	}
}
