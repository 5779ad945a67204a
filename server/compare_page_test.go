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
	"rulestore/content/redline"
	"rulestore/schemas"
	"rulestore/server/api"
)

// Two versions side by side: what came, what went, and what it means.
func TestComparePage(t *testing.T) {
	manyValues(t)
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

// However much differs, all of it is on some page, in order.
func TestComparePages(t *testing.T) {
	c := ask(t, starterSite())
	path, next := "/compare/registries/glossary?from=1.0.0&to=1.1.0", regexp.MustCompile(`<a rel="next" href="([^"]+)"`)
	seen, pages := 0, 0
	item := starterSite().Snapshot.Item(content.Registries, "glossary")
	first := len(item.Entries) - 1 // the newest is at 0
	line := redline.Of(schemas.Embedded(), item.Kind, item.Name,
		item.Entries[first].Body(), item.Entries[first-1].Body())
	for ; path != ""; pages++ {
		body := c.page(path, http.StatusOK)
		for _, m := range regexp.MustCompile(`<div class="change [^"]*" id="([^"]+)">`).FindAllStringSubmatch(body,
			-1) {
			if id := html.UnescapeString(m[1]); seen >= len(line.Changes) || id != line.Changes[seen].ID {
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
	if pages < 2 || seen != len(line.Changes) {
		t.Errorf("%d pages with %d changes of %d", pages, seen, len(line.Changes))
	}
	if back := c.page("/compare/registries/glossary?from=1.0.0&to=1.1.0&offset=1000000",
		http.StatusOK); !strings.Contains(back, `rel="prev"`) {
		t.Error("nothing leads back from beyond the end")
	}
	c.page("/compare/registries/glossary?offset=x", http.StatusBadRequest)
}

// Without parameters the versions compared are those that can be read.
func TestCompareBesideRedacted(t *testing.T) {
	const id = "guidelines/product.deposit.001" // 1.0.0, 1.1.0, 2.0.0
	for i, test := range []struct {
		redacted string // versions
		status   int
		from, to string
	}{
		{"", http.StatusOK, "1.1.0", "2.0.0"},
		{"1.0.0", http.StatusOK, "1.1.0", "2.0.0"},
		{"1.1.0", http.StatusOK, "1.0.0", "2.0.0"},
		{"2.0.0", http.StatusOK, "1.0.0", "1.1.0"},
		{"1.0.0 1.1.0", http.StatusOK, "2.0.0", "2.0.0"},
		{"1.1.0 2.0.0", http.StatusOK, "1.0.0", "1.0.0"},
		{"1.0.0 1.1.0 2.0.0", http.StatusGone, "", ""},
		{"all", http.StatusGone, "", ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
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

// Of elements of a list that changed alike, one after the other, only the first says how; each has its
// own address and link.
func TestCompareSaysOnceWhatChanged(t *testing.T) {
	c := ask(t, starterSite())
	change := regexp.MustCompile(`(?s)<div class="change [^"]*" id="([^"]+)">(.*?</div>)\n(?:<div class="change ` +
		`[^"]*" id="[^"]+">(.*?</div>)\n)?`)
	said := regexp.MustCompile(`<p class="meta"><span class="status.*? <a`)
	for _, view := range []string{"", "&view=sides"} {
		body := c.page("/compare/registries/fraud-states?from=1.4.0&to=1.5.0"+view, http.StatusOK)
		for _, m := range change.FindAllStringSubmatch(body, -1) {
			if first := said.FindString(m[2]); first != "" && strings.Contains(m[3], first) {
				t.Errorf("%s: said again after %s: %s", view, m[1], first)
			}
			if !strings.Contains(m[2], `href="#`) {
				t.Errorf("%s: %s has no link", view, m[1])
			}
		}
		if n := strings.Count(body, ">Деньги отправлены мнимой инвестиционной площадке</a>"); n != 1 {
			t.Errorf("%s: the contents name a record of two parts %d times", view, n)
		}
		if n := strings.Count(body, "того, что было, не касается"); n < 2 || n > strings.Count(body, "<h4") {
			t.Errorf("%s: said %d times", view, n)
		}
	}
}

// A group of words without a title is called by its first word rather than by its code.
func TestCompareGroupsOfWords(t *testing.T) {
	const path = "/compare/registries/taxonomy?from=1.5.0&to=1.6.0"
	c := ask(t, starterSite())
	for name, body := range map[string]string{
		"page": c.page(path, http.StatusOK), "Markdown": string(c.get(path, "Accept", markdownType).body),
	} {
		if strings.Contains(body, ">upper_limit</a>") || strings.Contains(body, "› upper_limit ›") ||
			!strings.Contains(body, "предел") {
			t.Errorf("the %s calls a group of words by its code", name)
		}
	}
}
