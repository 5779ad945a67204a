package server_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

var (
	tableIn = regexp.MustCompile(`(?s)<section class="records".*?</section>`)
	hrefIn  = regexp.MustCompile(`(?:href|action)="([^"]*)"`)
	rowIn   = regexp.MustCompile(`<tr id="r-([^"]+)">`)
)

// table is the table of records on a page.
func (c client) table(path string) string {
	c.Helper()
	table := tableIn.FindString(c.page(path, http.StatusOK))
	if table == "" {
		c.Errorf("%s has no table", path)
	}
	return table
}

// addresses are those that a piece of a page leads to on other pages.
func addresses(piece string) (all []string) {
	for _, m := range hrefIn.FindAllStringSubmatch(piece, -1) {
		if a := html.UnescapeString(m[1]); !strings.HasPrefix(a, "#") {
			all = append(all, a)
		}
	}
	return all
}

// rows are the codes of the records in a table.
func rows(piece string) (all []string) {
	for _, m := range rowIn.FindAllStringSubmatch(piece, -1) {
		all = append(all, m[1])
	}
	return all
}

// The table of a version leads nowhere but to that version: by the day that was
// asked for, or not at all. Only the current version has addresses of records.
func TestTablesOfVersions(t *testing.T) {
	c := ask(t, kindsSite())
	const signals = "/api/v1/fraud/signals"
	old := []string{"CODE_REQUESTED", "SECRECY_REQUESTED"}
	all := append(slices.Clone(old), "APK_REQUESTED")
	for i, test := range []struct {
		path  string
		rows  []string
		query string // of the addresses of the table, "" if there are none
		leads bool   // to the records
	}{
		{signals, all, "sort=", true},
		{signals + "/versions/1.2.0", all, "sort=", true},
		{signals + "/versions/1.1.0", old, "", false},
		{signals + "/versions/1.1.0?sort=title", old, "", false}, // which means nothing there
		{signals + "?as_of=2026-06-07", old, "as_of=2026-06-07", false},
		{signals + "?as_of=2026-06-07&severity=high", old[1:], "as_of=2026-06-07", false},
		{signals + "?as_of=2026-06-07&sort=-title", []string{old[1], old[0]}, "as_of=2026-06-07", false},
		{signals + "?as_of=2026-06-07&offset=1", old[1:], "as_of=2026-06-07", false},
		{signals + "?as_of=2026-06-08", all, "as_of=2026-06-08", true},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			table := c.table(test.path)
			if got := rows(table); !slices.Equal(got, test.rows) {
				t.Errorf("%s has %q", test.path, got)
			}
			records, views := 0, 0
			for _, a := range addresses(table) {
				path, query, _ := strings.Cut(a, "?")
				switch {
				case path != signals:
					records++
				case query == "": // the form, and the link that resets it
				case !strings.Contains(query, test.query):
					t.Errorf("%s leads to %s", test.path, a)
				default:
					views++
				}
			}
			if (records > 0) != test.leads || (views > 0) != (test.query != "") {
				t.Errorf("%s leads to %d records and %d views of the table", test.path, records, views)
			}
			day := must(url.ParseQuery(after(test.path, "?"))).Get("as_of")
			if kept := strings.Contains(table, `name="as_of" type="date" value="`+day+`"`); kept != (day != "") {
				t.Errorf("%s: the form has the day: %v", test.path, kept)
			}
			if form := strings.Contains(table, "<form"); form != (test.query != "") {
				t.Errorf("%s has a form: %v", test.path, form)
			}
		})
	}
}

func after(s, sep string) string {
	_, s, _ = strings.Cut(s, sep)
	return s
}

// What stands around a table does not depend on how the table is looked at.
func TestAroundTables(t *testing.T) {
	c := ask(t, starterSite())
	around := func(path string) string { return tableIn.ReplaceAllString(c.page(path, http.StatusOK), "") }
	plain := around("/api/v1/fraud/signals")
	if !strings.Contains(plain, "Кто использует") {
		t.Error("nobody refers to the signals")
	}
	if around("/api/v1/fraud/signals?sort=-severity") != plain {
		t.Error("sorting changes more than the table")
	}
}

// A long table is on several pages: forwards one sees every record once, and backwards too, but
// that the first page, which has as many as fit, may end with records of the second. Each letter
// leads to the first record that begins with it.
func TestTableOnPages(t *testing.T) {
	manyValues(t)
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

// A day gives the same page of a version but for its table, headers and all.
func TestPageOfADay(t *testing.T) {
	c := ask(t, kindsSite())
	const signals = "/api/v1/fraud/signals"
	a, b := c.get(signals+"?as_of=2026-06-07", "Accept", browser), c.get(signals+"/versions/1.1.0", "Accept", browser)
	for _, name := range []string{"X-Registry-Version", "X-Content-Checksum", "Last-Modified", "Link"} {
		if b.header.Get(name) == "" || !slices.Equal(a.header.Values(name), b.header.Values(name)) {
			t.Errorf("%s is %q, of the version %q", name, a.header.Values(name), b.header.Values(name))
		}
	}
	without := func(r response) string { return tableIn.ReplaceAllString(string(r.body), "") }
	if without(a) != without(b) {
		t.Errorf("%s\n%s", a.body, b.body)
	}
	// Nothing else of the registry has a day.
	if r := c.get(signals+"?as_of=2026-06-07", "Accept", "text/html, text/markdown;q=0.9"); !r.isPage() {
		t.Errorf("%s", r.header)
	}
	if got := decode[content.Object](t, c.get(signals+"?as_of=2026-06-07&format=json", "Accept",
		browser).body).Text("registry_version"); got != "1.1.0" {
		t.Errorf("as JSON it is version %q", got)
	}
}
