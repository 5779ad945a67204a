package server_test

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// However much differs, all of it is on some page, in order.
func TestComparePages(t *testing.T) {
	many := func(text string) (all []rule) {
		for i := range 300 {
			all = append(all, rule{fmt.Sprint("r", i), "Правило", strings.Repeat(text, 40)})
		}
		return all
	}
	c := ask(t, ruledSite(nil, many("Старое. "), many("Новое. ")))
	const pair = "guidelines/product.passing.001?from=1.0.0&to=1.1.0"
	path, next := "/compare/"+pair, regexp.MustCompile(`<a rel="next" href="([^"]+)"`)
	var ids []string // as JSON has them, in its parts
	for offset := 0; ; {
		part := c.compare(fmt.Sprint(pair, "&offset=", offset))
		for _, change := range part.Changes {
			ids = append(ids, change.ID)
		}
		if offset = part.Next; offset == 0 {
			break
		}
	}
	seen, pages := 0, 0
	for ; path != ""; pages++ {
		body := c.page(path, http.StatusOK)
		for _, m := range regexp.MustCompile(`<div class="change [^"]*" id="([^"]+)">`).FindAllStringSubmatch(body,
			-1) {
			if id := html.UnescapeString(m[1]); seen >= len(ids) || id != ids[seen] {
				t.Fatalf("%s: %s comes as number %d", path, id, seen)
			}
			seen++
		}
		if len(body) > 100<<10 {
			t.Errorf("%s: %d bytes", path, len(body))
		}
		path = ""
		if m := next.FindStringSubmatch(body); m != nil {
			path = html.UnescapeString(m[1])
		}
	}
	if pages < 2 || seen != len(ids) {
		t.Errorf("%d pages with %d changes of %d", pages, seen, len(ids))
	}
	if back := c.page("/compare/"+pair+"&offset=1000000",
		http.StatusOK); !strings.Contains(back, `rel="prev"`) {
		t.Error("nothing leads back from beyond the end")
	}
	c.page("/compare/"+pair+"&offset=x", http.StatusBadRequest)
}

// Without parameters the versions compared are those that can be read.
func TestCompareBesideRedacted(t *testing.T) {
	const id = "guidelines/product.deposit.001" // 1.0.0, 1.1.0, 2.0.0
	for _, test := range []struct {
		redacted string // versions
		status   int
		from, to string
	}{
		{"", http.StatusOK, "1.1.0", "2.0.0"},
		{"1.1.0", http.StatusOK, "1.0.0", "2.0.0"},
		{"2.0.0", http.StatusOK, "1.0.0", "1.1.0"},
		{"1.0.0 1.1.0", http.StatusOK, "2.0.0", "2.0.0"},
		{"all", http.StatusGone, "", ""},
	} {
		t.Run(test.redacted, func(t *testing.T) {
			in := content.Input{Source: storeSite().Snapshot.Source}
			for _, e := range storeSite().Snapshot.Item(content.Guidelines, "product.deposit.001").Entries {
				in.Publications = append(in.Publications, e.Publication)
			}
			for _, version := range strings.Fields(test.redacted) {
				in.Marks = append(in.Marks, content.Mark{Item: id, Version: strings.TrimPrefix(version, "all"),
					Status: content.Redacted, Reason: "…", Since: "2026-06-01"})
			}
			c := ask(t, build(nil, content.NewSnapshot(in)))
			body := c.page("/compare/"+id, test.status)
			if got := selected(body); test.status == http.StatusOK && !slices.Equal(got, []string{test.from, test.to}) {
				t.Errorf("without %q: %q", test.redacted, got)
			}
			if strings.HasPrefix(test.redacted, "1.0.0") && test.status == http.StatusOK {
				c.page("/compare/"+id+"?from=1.0.0", http.StatusGone)
			}
			// The list of versions offers to compare what can be.
			versions := c.page("/api/v1/"+id+"/versions", http.StatusOK)
			if got := selected(versions); test.from == test.to && len(got) > 0 || test.from != test.to &&
				!slices.Equal(got, []string{test.from, test.to}) {
				t.Errorf("without %q the versions offered are %q", test.redacted, got)
			}
			for _, version := range strings.Fields(test.redacted) {
				if strings.Contains(versions, `<option value="`+version) {
					t.Errorf("%s is offered", version)
				}
			}
		})
	}
}

// selected are the options that a form comes with.
func selected(body string) (all []string) {
	for _, m := range regexp.MustCompile(`<option value="[^"]*" selected>([^<]*)`).FindAllStringSubmatch(body, -1) {
		all = append(all, m[1])
	}
	return all
}
