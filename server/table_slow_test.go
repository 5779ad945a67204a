//go:build slow

package server_test

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// A long table is on several pages: forwards one sees every record once, and backwards too, but
// that the first page, which has as many as fit, may end with records of the second. Each letter
// leads to the first record that begins with it.
func TestTableOnPages(t *testing.T) {
	c := ask(t, starterSite())
	const glossary = "/api/v1/glossary"
	walk := func(path, direction string) (all [][]string, last string) {
		link := regexp.MustCompile(`<a rel="` + direction + `" href="([^"]+)"`)
		for {
			table := c.table(path)
			all = append(all, rows(table))
			next := link.FindStringSubmatch(table)
			if next == nil {
				return all, path
			}
			path = html.UnescapeString(next[1])
		}
	}
	var terms []struct{}
	text := starterSite().Snapshot.Item(content.Registries, "glossary").Current.Body().Get("terms")
	must(0, json.Unmarshal(text, &terms))
	for _, view := range []string{"", "?sort=-term"} {
		forwards, last := walk(glossary+view, "next")
		backwards, _ := walk(last, "prev")
		slices.Reverse(backwards)
		if len(backwards) > 1 && slices.Contains(backwards[0], backwards[1][0]) {
			backwards[0] = backwards[0][:slices.Index(backwards[0], backwards[1][0])]
		}
		there, back := slices.Concat(forwards...), slices.Concat(backwards...)
		seen := slices.Compact(slices.Sorted(slices.Values(there)))
		if len(forwards) < 2 || len(there) != len(terms) || len(seen) != len(terms) || !slices.Equal(there, back) {
			t.Errorf("%q: %d pages with %d records, %d different; backwards %d", view, len(forwards),
				len(there), len(seen), len(back))
		}
	}
	letter := regexp.MustCompile(`<li><a href="([^"]*)#r-([^"]+)">(.)</a>`)
	letters := letter.FindAllStringSubmatch(c.table(glossary), -1)
	elsewhere := 0
	for _, m := range letters {
		table := c.table(glossary)
		if m[1] != "" {
			elsewhere++
			table = c.table(html.UnescapeString(m[1]))
		}
		first := regexp.MustCompile(`<tr id="r-` + m[2] +
			`">\s*<th scope="row"><a href="[^"]*">(.)`).FindStringSubmatch(table)
		if first == nil || !strings.EqualFold(first[1], m[3]) {
			t.Errorf("%s leads to %s%s: %q", m[3], m[1], m[2], first)
		}
	}
	if len(letters) < 20 || elsewhere == 0 || elsewhere == len(letters) {
		t.Errorf("%d letters, %d of them on other pages", len(letters), elsewhere)
	}
}
