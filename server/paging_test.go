package server_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// Every list is whole, and a part of it if limit or offset are given, which the answer then has. Parts add up
// to the whole, and nothing else differs.
func TestPartsOfLists(t *testing.T) {
	c := ask(t, kindsSite())
	lists := map[string]string{ // the paths of lists, by the names of their arrays
		"/api/v1/guidelines": "guidelines", "/api/v1/guidelines?in_force=2026-05-31": "guidelines",
		"/api/v1/external-parameters?prefix=c": "external_parameters", "/api/v1/math": "tools",
		"/api/v1/upcoming": "upcoming", "/api/v1/instructions/assistant/versions": "versions",
		"/api/v1/fraud/signals": "signals", "/api/v1/glossary": "terms",
	}
	for path, name := range lists {
		whole := object(t, c.get(path).body)
		if whole.Get("limit") != nil || whole.Get("offset") != nil {
			t.Errorf("%s has what nobody asked for: %s", path, whole.AppendJSON(nil))
		}
		name = arrayOf(whole, name)
		all := elements(t, whole, name)
		var parts []string
		for from := 0; from == 0 || from < len(all); from += 2 {
			part := object(t, c.get(withQuery(path, fmt.Sprintf("limit=2&offset=%d", from))).body)
			if string(part.Get("limit")) != "2" || string(part.Get("offset")) != fmt.Sprint(from) ||
				string(part.Get("total")) != fmt.Sprint(len(all)) {
				t.Errorf("%s from %d: limit %s, offset %s, total %s of %d", path, from, part.Get("limit"),
					part.Get("offset"), part.Get("total"), len(all))
			}
			parts = append(parts, elements(t, part, name)...)
		}
		if !slices.Equal(parts, all) {
			t.Errorf("%s: the parts are\n%s\nthe whole\n%s", path, parts, all)
		}
		lines := c.markdownLines(t, path)
		var shown []string
		for from := 0; from < len(all); from += 2 {
			shown = append(shown, c.markdownLines(t, withQuery(path, fmt.Sprintf("limit=2&offset=%d", from)))...)
		}
		if path == "/api/v1/math" { // in Markdown each part is by families
			slices.Sort(shown)
			slices.Sort(lines)
		}
		if whole.Get("not_in_force") == nil && !slices.Equal(shown, lines) {
			t.Errorf("%s: the parts as Markdown are\n%q\nthe whole\n%q", path, shown, lines)
		}
		if beyond := object(t, c.get(withQuery(path, "offset=1000")).body); len(elements(t, beyond, name)) > 0 ||
			string(beyond.Get("offset")) != "1000" || beyond.Get("limit") != nil {
			t.Errorf("%s beyond its end: %s", path, beyond.AppendJSON(nil))
		}
	}
	one := c.get("/api/v1/guidelines?limit=1")
	if c.get("/api/v1/guidelines?limit=1", "If-None-Match", one.header.Get("Etag")).status != 304 ||
		one.header.Get("Etag") == c.get("/api/v1/guidelines?limit=2").header.Get("Etag") {
		t.Errorf("the entity tag of a part is %s", one.header.Get("Etag"))
	}
}

// markdownLines are the entries of a list as Markdown; those of registries, whose part is data alone, are none.
func (c client) markdownLines(t *testing.T, path string) (lines []string) {
	t.Helper()
	r := c.get(path, "Accept", markdownType)
	if strings.Contains(path, "/fraud/") || strings.Contains(path, "/glossary") {
		return nil
	}
	if got, _, _ := strings.Cut(r.header.Get("Content-Type"), ";"); r.status != 200 || got != markdownType {
		t.Errorf("%s as Markdown: %d %s", path, r.status, got)
	}
	for line := range strings.Lines(string(r.body)) {
		if strings.HasPrefix(line, "- ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

func withQuery(path, query string) string {
	if strings.Contains(path, "?") {
		return path + "&" + query
	}
	return path + "?" + query
}

func object(t *testing.T, raw []byte) (o content.Object) {
	t.Helper()
	if err := json.Unmarshal(raw, &o); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return o
}

// arrayOf is the name of the array that a list is in: the one expected, or the only one.
func arrayOf(list content.Object, expected string) string {
	if list.Get(expected) != nil {
		return expected
	}
	for _, m := range list {
		if m.Value[0] == '[' {
			return m.Name
		}
	}
	return expected
}

// elements are those of a list, without the times of the answer.
func elements(t *testing.T, list content.Object, name string) (all []string) {
	t.Helper()
	var raw []content.Object
	if err := json.Unmarshal(list.Get(name), &raw); err != nil {
		t.Fatalf("%v: %s", err, list.AppendJSON(nil))
	}
	for _, e := range raw {
		e = slices.DeleteFunc(e, func(m content.Member) bool { return m.Name == "fetched_at" })
		all = append(all, string(e.AppendJSON(nil)))
	}
	return all
}
