//go:build slow

package server_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"rulestore/content"
)

// What is read as Markdown is shorter than the same as JSON, and says all of it.
func TestMarkdownIsShorter(t *testing.T) {
	s := starterSite()
	c := ask(t, s)
	for _, item := range s.Snapshot.Items {
		if item.Current == nil {
			continue
		}
		path := item.Kind.ItemPath(item.Name)
		asJSON, text := c.get(path).body, string(c.get(path, "Accept", markdownType).body)
		m, j := utf8.RuneCountInString(text), utf8.RuneCount(asJSON)
		if m >= j {
			t.Errorf("%s: %d characters as Markdown, %d as JSON", item.ID(), m, j)
		}
		read := plain(text)
		for _, said := range scalars(asJSON) {
			if !strings.Contains(read, plain(said)) {
				t.Errorf("%s: the Markdown does not say %q", item.ID(), said)
			}
		}
	}
}

// scalars are the texts and numbers in JSON, without when it was asked for.
func scalars(raw []byte) (all []string) {
	var o content.Object
	var a []json.RawMessage
	var s string
	switch {
	case json.Unmarshal(raw, &o) == nil:
		for _, m := range o {
			if m.Name != "fetched_at" {
				all = append(all, scalars(m.Value)...)
			}
		}
	case json.Unmarshal(raw, &a) == nil:
		for _, e := range a {
			all = append(all, scalars(e)...)
		}
	case json.Unmarshal(raw, &s) == nil:
		all = append(all, s)
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		all = append(all, string(raw))
	}
	return all
}

// plain is a text without escapes, and with a space between any two words.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, `\`, "")), " ")
}
