//go:build slow

package export_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rulestore/server/export"
)

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
	if err != nil || held.Snapshot != whole().ID || held.Build != "1" {
		t.Fatalf("%+v, %v", held, err)
	}
	checked, err := export.Check(t.Context(), s.Client(), s.URL, whole())
	if err != nil {
		t.Fatal(err)
	}
	extra, files := 0, checked.Files
	for _, d := range checked.Differs {
		if strings.HasPrefix(d.String(), "extra: ") {
			extra++
		}
	}
	if extra < files || extra > 2*files || len(checked.Differs) != extra+files {
		t.Errorf("%d files, %d entries that are too much, %d differences", files, extra, len(checked.Differs))
	}
}
