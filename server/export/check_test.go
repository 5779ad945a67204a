package export_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rulestore/server/export"
)

// inventory serves an inventory of a site that begins as it should, and 404 for every file.
func inventory(t *testing.T, rest func(w http.ResponseWriter)) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/"+export.Inventory {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprintf(w, `{"snapshot":%q,"build":"1"`, whole().ID)
		rest(w)
	}))
	t.Cleanup(s.Close)
	return s
}

// What is no inventory is said, and an entry without an end is not read to it.
func TestNoInventory(t *testing.T) {
	t.Parallel()
	for name, rest := range map[string]string{
		"torn": `,"files":[{"name":"a"},`, "no list": `,"files":"a"}`, "no object": `]`,
		"large": `,"files":[{"name":"` + strings.Repeat("a", 2<<20) + `"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := inventory(t, func(w http.ResponseWriter) { fmt.Fprint(w, rest) })
			_, err := export.Check(t.Context(), s.Client(), s.URL, whole())
			if err == nil || !strings.Contains(err.Error(), "there is no export") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// What distinguishes the export from the expected one is named.
func TestAnotherExport(t *testing.T) {
	t.Parallel()
	expected := whole()
	commit, date, address := expected.Snapshot.Commit, expected.Snapshot.Date, "https://rules.example.org"
	for name, test := range map[string]struct{ commit, date, address, want string }{
		"a commit": {"c0ffee", date, address,
			"it is the export of commit c0ffee, of " + date + ", and not that of " + commit + ", of " + date},
		"a date": {commit, "2026-01-01", address,
			"it is the export of commit " + commit + ", of 2026-01-01, and not that of " + commit + ", of " + date},
		"an address": {commit, date, "https://example.net",
			"its addresses begin with https://example.net, and not with " + address},
		"something else": {commit, date, address, "it is the export of snapshot 0123, and not that of " + expected.ID},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/"+export.Inventory {
					w.WriteHeader(http.StatusNotFound)
					return
				}
				const held = `{"snapshot":"0123","commit":%q,"date":%q,"base_url":%q,"files":[]}`
				fmt.Fprintf(w, held, test.commit, test.date, test.address)
			}))
			t.Cleanup(s.Close)
			checked, err := export.Check(t.Context(), s.Client(), s.URL, expected)
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, d := range checked.Differs {
				if strings.HasPrefix(d.String(), "/"+export.Inventory) {
					said = append(said, d.String())
				}
			}
			if want := "/" + export.Inventory + ": " + test.want; len(said) != 1 || said[0] != want {
				t.Errorf("%q, want %q", said, want)
			}
		})
	}
}
