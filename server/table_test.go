package server_test

import (
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
