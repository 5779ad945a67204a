//go:build slow

package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/server"
	"rulestore/server/site"
)

// versionsOf is a site with an item of which two versions have these values in a field.
// No load lets most of them through; a page is made of them all the same.
func versionsOf(field string, values ...any) *site.Site {
	var all []*content.Publication
	for i, v := range values {
		all = append(all, &content.Publication{
			Kind: content.Guidelines, Name: "product.hostile.001", Version: semver.New(1, uint64(i), 0, "", ""),
			Text: content.Written{Object: content.Object{
				{Name: "guideline_id", Value: content.String("product.hostile.001")},
				{Name: "schema_version", Value: content.String("1.0")},
				{Name: "title", Value: content.String("Правило")}, {Name: field, Value: must(json.Marshal(v))},
			}},
			Checksum: fmt.Sprintf("sha256:%064x", i), PublishedAt: today.AddDate(0, 0, i-10),
		})
	}
	return build(nil, content.NewSnapshot(content.Input{Source: storeSite().Snapshot.Source, Publications: all}))
}

// No content makes the comparison of two versions cost a server more than a page may;
// what is not compared as closely as elsewhere says so.
func TestCompareHostileVersions(t *testing.T) {
	text := func(of string, n int) string { return strings.Repeat(of, n) }
	list := func(n int, of func(i int) any) (all []any) {
		for i := range n {
			all = append(all, of(i))
		}
		return all
	}
	rule := func(word string) func(i int) any {
		return func(i int) any {
			return map[string]any{"rule_id": fmt.Sprint(word, i), "title": word,
				"action": strings.Repeat(fmt.Sprint(word, i, " "), 40)}
		}
	}
	const tooLong, byLine, marked = "Слишком длинно, чтобы показать рядом", "сравнены строки",
		"отмечено всё между одинаковыми"
	for _, test := range []struct {
		name, field   string
		before, after any
		want          string
	}{
		{"a text of 360,000 characters", "owner", text("старое слово ", 27_700), text("новое дело ", 32_700), tooLong},
		{"a text that fits and is another", "summary", text("а, ", 7000), text("б; ", 7000), marked},
		{"lines that fit and are others", "summary", text("а б в г д е ж з\n", 1200),
			text("б в г д е ж з и\n", 1200), byLine},
		{"thousands of elements", "rules", list(3000, rule("один")), list(3000, rule("два")), "убрано"},
		{"a value nobody knows", "surprise", list(100_000, func(i int) any { return i }),
			list(100_000, func(i int) any { return -i }), tooLong},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := handler(server.Config{Sites: serving(versionsOf(test.field, test.before, test.after)),
				Status: func() server.Status { return server.Status{} }})
			req := httptest.NewRequest(http.MethodGet, "/compare/guidelines/product.hostile.001?from=1.0.0&to=1.1.0",
				nil)
			req.Header.Set("Accept", browser)
			rec := httptest.NewRecorder()
			var m, n runtime.MemStats
			runtime.ReadMemStats(&m)
			h.ServeHTTP(rec, req)
			runtime.ReadMemStats(&n)
			if used := n.TotalAlloc - m.TotalAlloc; used > 64<<20 { // half of it is the race detector's
				t.Errorf("it took %d KiB", used>>10)
			}
			if body := rec.Body.String(); rec.Code != http.StatusOK ||
				!strings.Contains(body, test.want) || len(body) > 300<<10 {
				t.Errorf("%d, %d bytes, without %q", rec.Code, len(body), test.want)
			}
		})
	}
}
