package mcpserver

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"rulestore/server/api"
)

// Whatever comes as arguments, what passes is of the type and within the limits
// that the schema says, and what does not is told in words that can be sent.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"q":"x","limit":10}`, `{"q":"","day":"2026-05-01","sure":true}`, `{"a/b":1}`,
		`null`, `[]`, `{"limit":1e9}`} {
		f.Add([]byte(seed))
	}
	params := []*api.Param{required(text("q", "")), oneOf("word", "a", "b"), {Name: "day", Type: api.Date},
		{Name: "sure", Type: api.Switch}, limit(10)}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		a := readArgs(bytes.TrimSpace(raw), params)
		if a.err() != nil {
			if told := describe(a.err()); !json.Valid([]byte(told)) || !utf8.ValidString(told) || len(told) > 20_000 {
				t.Errorf("told %q", told)
			}
			return
		}
		if n := a.Number("limit"); n < 1 || n > 500 {
			t.Errorf("the limit is %d", n)
		}
		if w := a.Text("word"); w != "" && w != "a" && w != "b" {
			t.Errorf("the word is %q", w)
		}
		if utf8.RuneCountInString(a.Text("q")) > maxText || strings.TrimSpace(a.Text("q")) == "" {
			t.Errorf("the text is %q", a.Text("q"))
		}
	})
}

// Whatever comes as a URI or as toolsets is found or is not.
func FuzzURI(f *testing.F) {
	reader := starterServer(f)
	s := reader.Sites.Current()
	for _, seed := range []string{
		"rulestore://guidelines/product.common.001", "rulestore://guidelines/product.common.001/v1.0.0.md",
		"rulestore://schemas/math%2Floan-calculation",
		"skill://assistant/SKILL.md", "rulestore://", "rulestore://guidelines/../x", "%zz", "rules,fraud",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		if res, mediaType := locate(s, uri); res != nil && res.Gone == nil && bodyOf(res, mediaType, "") == nil {
			t.Errorf("%q is found and has nothing", uri)
		}
		if skill := reader.skillAt(uri); skill != nil && skill.wire.URI != uri {
			t.Errorf("%q is %q", uri, skill.wire.URI)
		}
		if chosen, err := parseSets(uri); err == nil && chosen == 0 {
			t.Errorf("%q chooses nothing", uri)
		}
	})
}
