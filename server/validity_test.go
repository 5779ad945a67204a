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
	for k, name := range map[*content.Kind]string{content.Guidelines: "fraud.code.001", content.Instructions: "claims",
		content.Registries: "glossary"} {
		var body content.Object
		for _, m := range kindsSite().Snapshot.Item(k, name).Current.Body() {
			if m.Name == k.Format {
				m.Value = content.String("1.1") // the first one with the field
			}
			if m.Name != "valid_from" {
				body = append(body, m)
			}
		}
		file := string(append(body, content.Member{Name: "valid_from", Value: content.String("2026-02-02")},
			content.Member{Name: "valid_to", Value: content.String("2026-12-31")}).AppendJSON(nil)) + "\n"
		all = append(all, published(t, k, name, "1.0.0", "2026-05-10", file))
	}
	c := ask(t, siteOf(content.NewSnapshot(content.Input{
		Source: content.Source{Date: "2026-11-20"}, Settings: storeSite().Snapshot.Settings, Publications: all,
	})))
	for _, p := range all {
		for day, want := range map[string]string{
			"2026-02-01": `"not_in_force":{"to":"2026-02-01"},"next":{"from":"2026-02-02","to":"2026-12-31"`,
			"2026-12-31": `"in_force":{"from":"2026-02-02","to":"2026-12-31"}`,
			"2027-01-01": `"not_in_force":{"from":"2027-01-01"},"previous":{"from":"2026-02-02","to":"2026-12-31"`,
		} {
			if body := string(c.get(p.Kind.ItemPath(p.Name) + "?in_force=" + day).body); !strings.Contains(body, want) {
				t.Errorf("%s on %s: %.400s", p.Tag(), day, body)
			}
		}
	}
}
