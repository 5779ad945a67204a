//go:build slow

package server_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// Whatever is cited, in whatever form, is found again when it comes back, and told what became
// of it. What was redacted is not cited.
func TestCitationsComeBack(t *testing.T) {
	for name, s := range map[string]*site.Site{"starter": starterSite(), "store": storeSite(), "kinds": kindsSite()} {
		t.Run(name, func(t *testing.T) {
			c, n := ask(t, s), 0
			for _, item := range s.Snapshot.Items {
				for _, e := range item.Entries {
					path := item.ID() + "?version=" + url.QueryEscape(e.Version.String())
					if e.Status == content.Redacted {
						if r := c.get(api.CitePath + path); r.status != http.StatusGone {
							t.Errorf("%s: %d", path, r.status)
						}
						continue
					}
					n++
					made := c.cite(path + "&section=title")
					for form, text := range made.forms() {
						all := c.checkText("> "+text, e.PublishedAt.Format(content.Date))
						if len(all) != 1 {
							t.Fatalf("%s %s: %+v in\n%s", name, form, all, text)
						}
						got := all[0]
						newer := item.Current != nil && item.Current.Version.GreaterThan(e.Version)
						if got.Result != "matches" || got.Tag != e.Tag() || got.Differs != nil ||
							got.Status != string(e.Status) ||
							got.Now != (item.Current == e) || (got.Newer != "") != newer || got.Section == "missing" {
							t.Errorf("%s %s: %+v in\n%s", name, form, got, text)
						}
					}
				}
			}
		})
	}
}

// A day stands for its end, as in as_of: of the versions of an item at most one was current on
// it, the one that as_of answers, and the timeline tells the same.
func TestCitedDay(t *testing.T) {
	s := starterSite()
	c, told := ask(t, s), 0
	for _, item := range s.Snapshot.Items {
		for _, day := range s.Snapshot.Turns(item) {
			answer := c.get(item.Kind.ItemPath(item.Name) + "?as_of=" + day)
			if answer.status != http.StatusOK {
				continue // of some kinds there are only lists
			}
			current := answer.header.Get(item.Kind.Header + "-Version")
			for _, e := range item.Entries {
				got := c.checkText(e.Tag()+" "+e.Checksum, day)[0]
				if told++; current != "" && *got.Then != (e.Version.String() == current) {
					t.Errorf("%s on %s: %t, and as_of answers %s", e.Tag(), day, *got.Then, current)
				}
				known := c.timeline(item.ID() + "?as_of=" + day)
				if v := known.version(); v != "" && *got.Then != (v == e.Version.String()) {
					t.Errorf("%s on %s: %t, and the timeline says %s", e.Tag(), day, *got.Then, v)
				}
			}
		}
	}
	if told < 50 {
		t.Errorf("%d", told)
	}
}

// The page asks for a text, answers a form, and says at the field what is wrong with it. It
// stays small, keeps nothing, and nothing of a text becomes part of it.
func TestCitationsPage(t *testing.T) {
	c := ask(t, starterSite())
	empty := c.page(api.CitationsPath, http.StatusOK)
	if !strings.Contains(empty, `<textarea id="c-text" name="text"`) ||
		!strings.Contains(empty, "не записывает и не хранит") {
		t.Error(empty)
	}
	now := c.cite("guidelines/product.common.001?version=1.1.0&section=rules")
	post := func(text, at string) response {
		return c.postForm(api.CitationsPath, url.Values{"text": {text}, "at": {at}})
	}
	for form, text := range now.forms() {
		r := post(text, "1 июня 2026")
		if r.status != http.StatusOK || !strings.Contains(string(r.body), ">совпадает<") ||
			!strings.Contains(string(r.body), "В конце дня 1\u00a0июня\u00a02026 действовала эта версия.") {
			t.Errorf("%s: %d %s", form, r.status, r.body)
		}
	}
	host := strings.TrimPrefix(starterSite().URL(""), "https://")
	if r := post(strings.ReplaceAll(now.Letter, host, "rules.example.net"), ""); !strings.Contains(string(r.body),
		"другой сервер, rules.example.net") {
		t.Errorf("%s", r.body)
	}
	for name, test := range map[string]struct{ text, at, want string }{
		"nothing": {"", "", "Вставьте цитату.</a></li>"}, "blanks": {" \n ", "", "Вставьте цитату."},
		"no citation": {"Здравствуйте! Вы обещали 5 %.", "", "В тексте нет ни контрольной суммы"},
		"no day":      {now.Letter, "вчера", "Введите дату"},
		"too long":    {strings.Repeat("Сумма ", 1400), "", "Текст длиннее 8000 знаков."},
	} {
		t.Run(name, func(t *testing.T) {
			r := post(test.text, test.at)
			if body := string(r.body); r.status != http.StatusUnprocessableEntity ||
				!strings.Contains(body, test.want) ||
				!strings.Contains(body, `aria-invalid="true"`) {
				t.Errorf("%s: %d %s", name, r.status, body)
			}
		})
	}
	for name, text := range map[string]string{
		"code": `"><script>alert(1)</script> ` + now.Markdown, "many": strings.Repeat(now.Citation.Checksum+"\n", 110),
		"quotation marks": now.Letter + strings.Repeat(`"`, 7000), "turned": "\u202E" + now.Letter,
	} {
		t.Run(name, func(t *testing.T) {
			r := post(text, "")
			if body := string(r.body); r.status != http.StatusOK || len(body) > 100<<10 ||
				strings.Contains(body, "<script>") || strings.Contains(body, "\u202E") ||
				r.header.Get("Cache-Control") != "private, no-cache" {
				t.Errorf("%s: %d, %d bytes", name, r.status, len(body))
			}
		})
	}
	if many := string(post(strings.Repeat(now.Citation.Checksum+"\n", 50),
		"").body); !strings.Contains(html.UnescapeString(many), "осталось 30\u00A0цитат") {
		t.Error(many)
	}
	if r := post(strings.Repeat("я", 1<<20), ""); r.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a megabyte: %d", r.status)
	}
	if r := c.post(api.CitationsPath, string(must(json.Marshal(map[string]string{"text": now.Letter}))), "Accept",
		markdownType); r.status != http.StatusOK ||
		!strings.HasPrefix(string(r.body), "# Проверка цитат") || !strings.Contains(string(r.body), "совпадает") {
		t.Errorf("%d %s", r.status, r.body)
	}
}
