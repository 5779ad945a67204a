//go:build slow

package server_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/api"
)

// Two versions side by side: what came, what went, and what it means.
func TestComparePage(t *testing.T) {
	c := ask(t, starterSite())
	body := c.page("/compare/guidelines/product.common.001?from=1.0.0&to=1.1.0", http.StatusOK)
	for _, want := range []string{"как считать без догадок", "<ins>", "<del>", "дополнение", "формулировка",
		`selected>1.1.0`, "\u00a0дополнени", "\u00a0формулиров", "<h3>Считать по формуле, а не на глаз</h3>"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q", want)
		}
	}
	current := starterSite().Snapshot.Item(content.Guidelines, "product.common.001").Current
	newest := fmt.Sprintf("/compare/guidelines/product.common.001?from=%s&to=%s",
		current.Predecessor.Version, current.Version)
	if c.page("/compare/guidelines/product.common.001", http.StatusOK) != c.page(newest, http.StatusOK) {
		t.Error("without parameters it is not the current version and the one before it")
	}
	if back := c.page("/compare/guidelines/product.common.001?from=1.1.0&to=1.0.0",
		http.StatusOK); !strings.Contains(back, "ломающее изменение") {
		t.Error("what is taken back breaks nothing")
	}
	if same := c.page("/compare/guidelines/product.common.001?from=1.0.0&to=1.0.0",
		http.StatusOK); !strings.Contains(same, "Содержание одинаковое") {
		t.Error("a version differs from itself")
	}
	for _, item := range starterSite().Snapshot.Items {
		for _, e := range item.Entries {
			if e.Predecessor == nil {
				continue
			}
			body := c.page(fmt.Sprintf("/compare/%s?from=%s&to=%s", item.ID(), e.Predecessor.Version, e.Version),
				http.StatusOK)
			for _, m := range regexp.MustCompile(`</span> (добавлено|убрано|изменено|другой порядок)([^<]*) <a `+
				`class="here"`).FindAllStringSubmatch(body, -1) {
				if m[2] == "" {
					t.Errorf("%s: a change without a reason in Russian", e.Tag())
				}
			}
		}
	}
}

// A comparison has the same parts in every format, and each change an address that leads to it,
// in whatever part it is; the contents of each part lead to all parts.
func TestCompareParts(t *testing.T) {
	c := ask(t, starterSite())
	anchors := map[string]map[string]bool{} // of pages, by address
	has := func(link string) bool {
		page, id, _ := strings.Cut(strings.TrimPrefix(link, baseURL), "#")
		if anchors[page] == nil {
			anchors[page] = map[string]bool{}
			for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(c.page(page, http.StatusOK),
				-1) {
				anchors[page][html.UnescapeString(m[1])] = true
			}
		}
		return anchors[page][must(url.PathUnescape(id))]
	}
	for _, query := range []string{
		"registries/glossary?from=1.0.0&to=1.1.0", "registries/glossary?from=1.0.0&to=1.1.0&class=addition",
		"registries/glossary?as_of=2026-02-20&section=terms", "registries/glossary?from=1.0.0&to=1.1.0&offset=3",
	} {
		path, next, parts, seen := api.ComparePath+query, 0, 0, 0
		for ; ; parts++ {
			at := path
			if parts > 0 {
				at += fmt.Sprint("&offset=", next)
			}
			got := c.compare(strings.TrimPrefix(at, api.ComparePath))
			body, text := c.page(at, http.StatusOK), string(c.get(at, "Accept", markdownType).body)
			ids := regexp.MustCompile(`<div class="change [^"]*" id="([^"]+)">`).FindAllStringSubmatch(body, -1)
			if len(ids) != len(got.Changes) || strings.Count(text, "\n## ") != len(got.Changes) {
				t.Fatalf("%s: %d changes, on the page %d, in the text %d", at, len(got.Changes), len(ids),
					strings.Count(text, "\n## "))
			}
			for i, change := range got.Changes {
				if html.UnescapeString(ids[i][1]) != change.ID || !has(change.URL) ||
					!strings.Contains(text, "(<"+change.URL+">)") {
					t.Errorf("%s: %+v has no address", at, change)
				}
			}
			contents := body[strings.Index(body, "<summary>Все изменения"):]
			contents = contents[:strings.Index(contents, "</nav>")]
			for _, m := range regexp.MustCompile(`href="([^"]+)"`).FindAllStringSubmatch(contents, -1) {
				link := html.UnescapeString(m[1])
				switch {
				case strings.HasPrefix(link, "#"):
					link = at + link
				case strings.HasPrefix(link, "?"):
					link, _, _ = strings.Cut(at, "?")
					link += html.UnescapeString(m[1])
				}
				if !has(link) {
					t.Errorf("%s: the contents lead to %s", at, link)
				}
			}
			if seen += len(got.Changes); got.Next == 0 {
				if strings.Contains(query, "offset") {
					seen += 3
				}
				if seen != got.Total {
					t.Errorf("%s: %d changes of %d", at, seen, got.Total)
				}
				break
			}
			if next = got.Next; strings.Contains(path, "offset=3") {
				path = strings.TrimSuffix(path, "&offset=3")
			}
		}
		if parts == 0 && !strings.Contains(query, "class") {
			t.Errorf("%s has one part", query)
		}
	}
}
