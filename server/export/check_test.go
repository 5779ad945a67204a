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
		fmt.Fprintf(w, `{"snapshot":%q,"build":"1"`, first().ID)
		rest(w)
	}))
	t.Cleanup(s.Close)
	return s
}

// The check of an inventory that never ends does, and says what is too much.
func TestEndlessInventory(t *testing.T) {
	t.Parallel()
	s := inventory(t, func(w http.ResponseWriter) {
		fmt.Fprint(w, `,"files":[{"name":"extra"}`)
		for err := error(nil); err == nil; {
			_, err = fmt.Fprint(w, strings.Repeat(`,{"name":"extra"}`, 100))
		}
	})
	held, err := export.Read(t.Context(), s.Client(), s.URL)
	if err != nil || held.Snapshot != first().ID || held.Build != "1" {
		t.Fatalf("%+v, %v", held, err)
	}
	differs, files, err := export.Check(t.Context(), s.Client(), s.URL, first())
	if err != nil {
		t.Fatal(err)
	}
	extra := 0
	for _, d := range differs {
		if strings.HasPrefix(d.String(), "extra: ") {
			extra++
		}
	}
	if extra < files || extra > 2*files || len(differs) != extra+files {
		t.Errorf("%d files, %d entries that are too much, %d differences", files, extra, len(differs))
	}
}

// What is no inventory is said, and an entry without an end is not read to it.
func TestNoInventory(t *testing.T) {
	t.Parallel()
	for name, rest := range map[string]string{
		"torn": `,"files":[{"name":"a"},`, "no list": `,"files":"a"}`, "no object": `]`,
		"large": `,"files":[{"name":"` + strings.Repeat("a", 2<<20) + `"}]}`,
	} {
		s := inventory(t, func(w http.ResponseWriter) { fmt.Fprint(w, rest) })
		_, _, err := export.Check(t.Context(), s.Client(), s.URL, first())
		if err == nil || !strings.Contains(err.Error(), "there is no export") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
