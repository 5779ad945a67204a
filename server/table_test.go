package server_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	tableIn = regexp.MustCompile(`(?s)<section class="records".*?</section>`)
	hrefIn  = regexp.MustCompile(`(?:href|action)="([^"]*)"`)
	rowIn   = regexp.MustCompile(`<tr id="r-([^"]+)">`)
)

// The table of a version leads nowhere but to that version: by the day that was
// asked for, or not at all. Only the current version has addresses of records.
func TestTablesOfVersions(t *testing.T) {
	c := ask(t, kindsSite())
	const signals = "/api/v1/fraud/signals"
	const code, secrecy, apk = "CODE_REQUESTED", "SECRECY_REQUESTED", "APK_REQUESTED"
	for _, test := range []struct {
		path, rows string
		form       bool // it can be filtered
		leads      bool // to the records
	}{
		{signals, code + secrecy + apk, true, true},
		{signals + "/versions/1.2.0", code + secrecy + apk, true, true},
		{signals + "/versions/1.1.0?offset=1", code + secrecy, false, false}, // which means nothing there
		{signals + "?as_of=2026-06-07&severity=high", secrecy, true, false},
		{signals + "?as_of=2026-06-07&offset=1", secrecy, true, false},
		{signals + "?as_of=2026-06-08", code + secrecy + apk, true, true},
	} {
		table, rows, records := tableIn.FindString(c.page(test.path, http.StatusOK)), "", 0
		for _, m := range rowIn.FindAllStringSubmatch(table, -1) {
			rows += m[1]
		}
		_, query, _ := strings.Cut(test.path, "?")
		day := must(url.ParseQuery(query)).Get("as_of")
		for _, m := range hrefIn.FindAllStringSubmatch(table, -1) {
			path, query, _ := strings.Cut(html.UnescapeString(m[1]), "?")
			switch {
			case path != signals:
				records++
			case query != "" && !strings.Contains(query, "as_of="+day):
				t.Errorf("%s leads to %s", test.path, m[1])
			}
		}
		if rows != test.rows || (records > 0) != test.leads {
			t.Errorf("%s has %s, and leads to %d records", test.path, rows, records)
		}
		if kept := strings.Contains(table, `name="as_of" type="date" value="`+day+`"`); kept != (day != "") ||
			strings.Contains(table, "<form") != test.form {
			t.Errorf("%s: the form has the day: %v\n%s", test.path, kept, table)
		}
	}
}
