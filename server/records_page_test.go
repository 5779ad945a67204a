package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rulestore/content"
)

// A page of records reads their registry as often as it has to, whatever codes their texts have:
// not once for each of them.
func TestRecordsWithCodesInTexts(t *testing.T) {
	page := func(code string) (allocations float64) {
		var file strings.Builder
		file.WriteString("registry_id: service.glossary.001\nschema_version: \"1.0\"\ntitle: Глоссарий терминов\n" +
			"description: Термины простыми словами.\nterms:\n")
		for i := range 600 {
			fmt.Fprintf(&file, "  - {term_id: term_%d, term: Термин %d, definition: Это понятие называют %s.}\n", i, i,
				code)
		}
		s := siteWithMath(content.NewSnapshot(content.Input{
			Source: content.Source{Date: "2026-11-20"}, Settings: storeSite().Snapshot.Settings,
			Publications: []*content.Publication{published(t, content.Registries, "glossary", "1.0.0",
				"2026-01-10", file.String())},
		}))
		c := ask(t, s)
		return testing.AllocsPerRun(3, func() { c.page("/api/v1/glossary?offset=1", http.StatusOK) })
	}
	plain, coded := page("слово"), page("some_unknown_code")
	if coded > 3*plain {
		t.Errorf("%.0f allocations with codes, %.0f without", coded, plain)
	}
}
