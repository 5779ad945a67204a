package server_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/citation"
	"rulestore/server/api"
)

// citedForms are a citation as /cite gives it.
type citedForms struct {
	Citation                   citation.Citation
	Letter, Footnote, Markdown string
}

func (c client) cite(query string) citedForms {
	c.Helper()
	r := c.get(api.CitePath + query)
	if r.status != http.StatusOK {
		c.Fatalf("%s: %d %s", query, r.status, r.body)
	}
	return decode[citedForms](c, r.body)
}

// forms are the forms of a citation.
func (c citedForms) forms() map[string]string {
	return map[string]string{
		"letter": c.Letter, "footnote": c.Footnote, "markdown": c.Markdown,
		"json": string(must(json.Marshal(c.Citation))),
	}
}

// outcome is what a citation came to.
type outcome struct {
	ID, Version, Result, Reason, Status, Tag, Newer, Change string
	Known                                                   *bool  `json:"item_known"`
	Of                                                      string `json:"checksum_of"`
	Section                                                 string `json:"section_now"`
	Differs                                                 []string
	Then                                                    *bool  `json:"current_then"`
	InForce                                                 string `json:"in_force_then"`
	Now                                                     bool   `json:"current_now"`
}

func (c client) checkText(text, at string) []outcome {
	c.Helper()
	r := c.post(api.CitationsPath, string(must(json.Marshal(map[string]any{"text": text, "at": at}))))
	if r.status != http.StatusOK || r.header.Get("Cache-Control") != "no-store" {
		c.Fatalf("%d %v\n%s", r.status, r.header, r.body)
	}
	return decode[struct{ Citations []outcome }](c, r.body).Citations
}

// What somebody changed, cut off or made up is told from what is so, and from what nobody can
// tell.
func TestCitationsThatAreWrong(t *testing.T) {
	c := ask(t, starterSite())
	item := starterSite().Snapshot.Item(content.Guidelines, "product.common.001")
	old := item.Entries[len(item.Entries)-1]
	now, before := c.cite(item.ID()), c.cite(item.ID()+"?version="+old.Version.String())
	section := c.cite(item.ID() + "?section=rules")
	sum := now.Citation.Checksum
	digit := sum[:20] + map[bool]string{true: "0", false: "1"}[sum[20] != '0'] + sum[21:]
	for _, test := range []struct {
		name, text string
		want       outcome
	}{
		{"another digit", strings.ReplaceAll(now.Letter, sum, digit), outcome{Result: "other_checksum", Now: true}},
		{"the checksum of another version", strings.ReplaceAll(now.Letter, sum, old.Checksum),
			outcome{Result: "other_checksum", Of: old.Tag(), Now: true}},
		{"a version that there is not", strings.ReplaceAll(now.Letter, now.Citation.Version, "77.0.1"),
			outcome{Result: "unknown", Known: new(true), Of: item.Current.Tag()}},
		{"an item that there is not", strings.ReplaceAll(now.Letter, "product.common.001", "product.common.999"),
			outcome{Result: "unknown", Known: new(false), Of: item.Current.Tag()}},
		{"without its end", now.Letter[:strings.Index(now.Letter, "Контрольная")],
			outcome{Result: "unverified", Reason: "no_checksum", Now: true}},
		{"half a checksum", now.Letter[:strings.Index(now.Letter, sum)+30],
			outcome{Result: "unverified", Reason: "broken_checksum", Now: true}},
		{"a checksum alone", sum, outcome{Result: "matches", Now: true}},
		{"a checksum of nothing", digit, outcome{Result: "unknown", Known: new(false)}},
		{"an item alone", "guidelines/product.common.001", outcome{Result: "unverified", Reason: "no_version"}},
		{"a version alone", "версия 1.0.0", outcome{Result: "unverified", Reason: "no_item"}},
		{"another place in the log", strings.Replace(now.Letter, "прозрачности: ", "прозрачности: 9", 1),
			outcome{Result: "differs", Differs: []string{"log_index"}, Now: true}},
		{"a place that no log has", strings.Replace(now.Letter, "прозрачности: ", "прозрачности: 99999999999999999999",
			1), outcome{Result: "differs", Differs: []string{"log_index"}, Now: true}},
		{"a day that there is not", strings.Replace(now.Letter, " от ", " от 31.02.20261", 1),
			outcome{Result: "differs", Differs: []string{"published_at"}, Now: true}},
		{"another day in words", strings.Replace(now.Letter, "от "+now.Citation.Day(), "от 1 января\n2020 года", 1),
			outcome{Result: "differs", Differs: []string{"published_at"}, Now: true}},
		{"another title", strings.Replace(now.Letter, "Общие", "Отменённые", 1),
			outcome{Result: "differs", Differs: []string{"title"}, Now: true}},
		{"another title in a footnote", strings.Replace(now.Footnote, "Общие", "Отменённые", 1),
			outcome{Result: "differs", Differs: []string{"title"}, Now: true}},
		{"another title in Markdown", strings.Replace(now.Markdown, "Общие", "Отменённые", 1),
			outcome{Result: "differs", Differs: []string{"title"}, Now: true}},
		{"a title with a letter of another script", strings.Replace(now.Letter, "Общие", "Oбщие", 1),
			outcome{Result: "differs", Differs: []string{"title"}, Now: true}},
		{"another title of a section", strings.Replace(section.Letter, "раздел «", "раздел «Не", 1),
			outcome{Result: "differs", Differs: []string{"title"}, Now: true}},
		{"another title of a section in JSON", strings.Replace(string(must(json.Marshal(section.Citation))),
			section.Citation.SectionTitle, "Иное", 1),
			outcome{Result: "differs", Differs: []string{"section_title"}, Now: true}},
		{"another section", strings.Replace(section.Letter, "раздела: rules", "раздела: sources", 1),
			outcome{Result: "differs", Differs: []string{"canonical_url", "title"}, Now: true}},
		{"the address of another item", strings.Replace(now.Letter, "001/versions/"+now.Citation.Version, "002", 1),
			outcome{Result: "differs", Differs: []string{"canonical_url"}, Now: true}},
		{"an address that leads nowhere", strings.Replace(now.Letter, "/api/v1/guidelines/", "/api/v1/guideline/", 1),
			outcome{Result: "differs", Differs: []string{"canonical_url"}, Now: true}},
		{"the address elsewhere", strings.Replace(now.Letter, "/api/v1/", "/api/v1/rules/api/v1/", 1),
			outcome{Result: "matches", Now: true}},
		{"another publisher", strings.Replace(now.Letter, "Издатель: ", "Издатель: Другое ", 1),
			outcome{Result: "differs", Differs: []string{"publisher"}, Now: true}},
		{"another publisher in a footnote", strings.Replace(now.Footnote, " // ", " // Другое ", 1),
			outcome{Result: "differs", Differs: []string{"publisher"}, Now: true}},
		{"another publisher in JSON", strings.Replace(now.forms()["json"], `"publisher":"`, `"publisher":"Другое `, 1),
			outcome{Result: "differs", Differs: []string{"publisher"}, Now: true}},
		{"another server", strings.Replace(now.Markdown, "https://", "https://other.", 1),
			outcome{Result: "differs", Differs: []string{"canonical_url"}, Now: true}},
		{"another house and item", strings.NewReplacer("https://", "https://other.", "Издатель: ", "Издатель: Другое ",
			"product.common.001", "product.common.999").Replace(now.Letter),
			outcome{Result: "unknown", Known: new(false), Of: item.Current.Tag(),
				Differs: []string{"publisher", "canonical_url"}}},
		{"more of a version", strings.Replace(now.Letter, "версия "+now.Citation.Version,
			"версия "+now.Citation.Version+".5", 1), outcome{Result: "unknown", Known: new(true),
			Of: item.Current.Tag()}},
		{"another day", strings.Replace(now.Letter, "2026\n", "2025\n", 1),
			outcome{Result: "differs", Differs: []string{"published_at"}, Now: true}},
		{"the address of another version", strings.Replace(now.Letter, "versions/"+now.Citation.Version,
			"versions/"+old.Version.String(), 1),
			outcome{Result: "differs", Differs: []string{"canonical_url"}, Now: true}},
		{"an older version", before.Footnote, outcome{Result: "matches",
			Newer: item.Current.Version.String(), Change: "addition"}},
		{"a section that there is not", strings.NewReplacer("section=rules", "section=nothing", "раздела: rules",
			"раздела: nothing").Replace(section.Letter),
			outcome{Result: "differs", Differs: []string{"title"}, Now: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			all := client{TB: t, url: c.url}.checkText(test.text, "")
			if len(all) != 1 {
				t.Fatalf("%+v", all)
			}
			got, want := all[0], test.want
			known := func(b *bool) string { return string(must(json.Marshal(b))) }
			if got.Result != want.Result || got.Reason != want.Reason ||
				known(got.Known) != known(want.Known) || got.Of != want.Of ||
				strings.Join(got.Differs, " ") != strings.Join(want.Differs, " ") || got.Newer != want.Newer ||
				got.Change != want.Change || got.Now != want.Now {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
	two := c.checkText(now.Letter+"\n\n"+before.Markdown, old.PublishedAt.Format(content.Date))
	if len(two) != 2 || two[0].Version != now.Citation.Version || two[1].Version != old.Version.String() ||
		!*two[1].Then || *two[0].Then {
		t.Errorf("%+v", two)
	}
}

// What is redacted, archived, old and unknown is told apart, on the page too.
func TestCitationsByStatus(t *testing.T) {
	c := ask(t, storeSite())
	seen := map[content.Status]bool{}
	for _, item := range storeSite().Snapshot.Items {
		for _, e := range item.Entries {
			text := e.Tag() + " " + e.Checksum
			got := c.checkText(text, "")[0]
			want := "matches"
			if e.Status == content.Redacted {
				want = "redacted"
			}
			if got.Result != want || got.Status != string(e.Status) {
				t.Errorf("%s: %+v", e.Tag(), got)
			}
			if seen[e.Status] {
				continue
			}
			seen[e.Status] = true
			page := string(c.postForm(api.CitationsPath, url.Values{"text": {text}, "at": {"31.12.2999"}}).body)
			said := map[content.Status]string{
				content.Redacted: "Версия изъята.", content.Archived: "Документ в архиве",
				content.Superseded: "Действует новее: ",
				content.Current:    "Это действующая версия.", content.ReviewRequired: "ждёт проверки человеком",
			}[e.Status]
			if said == "" || !strings.Contains(page, said) || !strings.Contains(page, "ещё не настал") {
				t.Errorf("%s: no %q in\n%s", e.Tag(), said, page)
			}
		}
	}
	for _, status := range []content.Status{content.Redacted, content.Archived, content.Superseded, content.Current} {
		if !seen[status] {
			t.Errorf("nothing is %s", status)
		}
	}
}

// The page of a citation has the four forms as they are told to programs, lets choose another
// section, and items and sections lead to it.
func TestCitePage(t *testing.T) {
	c := ask(t, starterSite())
	path := "guidelines/product.common.001?version=1.1.0&section=rules"
	made, body := c.cite(path), html.UnescapeString(c.page(api.CitePath+path, http.StatusOK))
	for form, text := range made.forms() {
		if form != "json" && !strings.Contains(body, "<code>"+text+"</code>") {
			t.Errorf("no %s in\n%s", form, body)
		}
	}
	if !strings.Contains(body, `<option value="rules" selected>`) ||
		!strings.Contains(body, `"content_checksum": "`+made.Citation.Checksum+`"`) {
		t.Error(body)
	}
	page := html.UnescapeString(c.page("/api/v1/guidelines/product.common.001", http.StatusOK))
	current := "/cite/guidelines/product.common.001?version=" +
		starterSite().Snapshot.Item(content.Guidelines, "product.common.001").Current.Version.String()
	for _, want := range []string{`href="` + current + `"`, `href="` + current + `&section=rules/`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	if record := html.UnescapeString(c.page("/api/v1/fraud/signals/REMOTE_ACCESS_REQUESTED",
		http.StatusOK)); !strings.Contains(record, "&section=signals/REMOTE_ACCESS_REQUESTED") {
		t.Error(record)
	}
	for path, status := range map[string]int{
		"guidelines/nothing": 404, "nothing": 404, "guidelines/product.common.001?version=9": 400,
		"guidelines/product.common.001?section=nothing": 400,
		"guidelines/product.common.001?x=1":             400,
		"guidelines/product.common.001?section=":        200, "guidelines/": 404,
		"guidelines/product.common.001/": 404,
	} {
		t.Run(path, func(t *testing.T) {
			if r := c.get(api.CitePath+path, "Accept", browser); r.status != status {
				t.Errorf("%s: %d", path, r.status)
			}
		})
	}
	if r := c.get(api.CitePath+"guidelines/product.common.001", "Accept",
		markdownType); !strings.HasPrefix(string(r.body), "[Общие правила") {
		t.Errorf("%s", r.body)
	}
}

// The sections that the page of a citation offers can be told apart.
func TestCiteChoices(t *testing.T) {
	c, choice := ask(t, starterSite()), regexp.MustCompile(`<option value="([^"]*)"[^>]*>([^<]*)`)
	for _, item := range starterSite().Snapshot.Items {
		if item.Kind != content.Guidelines {
			continue
		}
		seen := map[string]string{}
		for _, m := range choice.FindAllStringSubmatch(c.page(api.CitePath+item.ID(), http.StatusOK), -1) {
			if other, twice := seen[m[2]]; twice {
				t.Errorf("%s: %s and %s are both %q", item.ID(), other, m[1], m[2])
			}
			seen[m[2]] = m[1]
		}
	}
}

// On the day on which a version follows another one, the text says which instant it means, and
// what applied if that is another version.
func TestCitedDayInWords(t *testing.T) {
	var all []*content.Publication
	for version, days := range map[string][2]string{"1.0.0": {"2026-05-01", "2026-05-01"},
		"1.1.0": {"2026-05-12", "2026-06-01"}} {
		all = append(all, published(t, content.Parameters, "test.limit", version, days[0],
			limit("value: 5\nvalid_from: "+days[1])))
	}
	c := ask(t, siteOf(content.NewSnapshot(content.Input{
		Source: content.Source{Date: "2026-11-20"}, Settings: starterSite().Snapshot.Settings, Publications: all,
	})))
	for i, test := range []struct {
		version, at   string
		current       bool
		inForce, said string
	}{
		{"1.0.0", "2026-05-11", true, "1.0.0", "В конце дня 11 мая 2026 действовала эта версия."},
		{"1.0.0", "2026-05-12", false, "1.0.0",
			"В конце дня 12 мая 2026 эта версия не действовала: действовала 1.1.0. В начале этого дня действовала " +
				"ещё эта. По датам действия в этот день применялась версия 1.0.0."},
		{"1.1.0", "2026-05-12", true, "1.0.0",
			"В конце дня 12 мая 2026 действовала эта версия. По датам действия в этот день применялась версия 1.0.0."},
		{"1.0.0", "2026-05-13", false, "1.0.0",
			"В конце дня 13 мая 2026 эта версия не действовала: действовала 1.1.0. По датам действия в этот день " +
				"применялась версия 1.0.0."},
		{"1.1.0", "2026-06-01", true, "1.1.0", "В конце дня 1 июня 2026 действовала эта версия."},
		{"1.0.0", "2026-04-30", false, "",
			"В конце дня 30 апреля 2026 эта версия не действовала: действующей не было."},
		{"1.1.0", "2026-11-20", true, "1.1.0", "Сегодня, 20 ноября 2026, действует эта версия."},
		{"1.0.0", "2026-11-20", false, "1.1.0", "Сегодня, 20 ноября 2026, эта версия не действует: действует 1.1.0."},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			cited := c.cite("parameters/test.limit?version=" + test.version)
			got := c.checkText(cited.Letter, test.at)[0]
			if *got.Then != test.current || got.InForce != test.inForce {
				t.Errorf("%s on %s: %+v", test.version, test.at, got)
			}
			if v := c.timeline("parameters/test.limit?as_of=" + test.at + "&in_force=" +
				test.at).version(); v != test.inForce {
				t.Errorf("%s: %s, and the timeline says %s", test.at, test.inForce, v)
			}
			body := string(must(json.Marshal(map[string]string{"text": cited.Letter, "at": test.at})))
			text := strings.ReplaceAll(string(c.post(api.CitationsPath, body, "Accept", markdownType).body), "\u00A0",
				" ")
			if !strings.Contains(text, test.said) {
				t.Errorf("%s on %s: no %q in\n%s", test.version, test.at, test.said, text)
			}
		})
	}
}

// The sections to cite are called by their texts, also those that have no title.
func TestSectionsToCite(t *testing.T) {
	body := ask(t, starterSite()).page("/cite/guidelines/product.common.001", http.StatusOK)
	if strings.Contains(body, "no_secrets</option>") || !strings.Contains(body,
		`<option value="guardrails/no_secrets">`+"\u00a0\u00a0"+"Запрещено просить номер карты") {
		t.Error(body)
	}
}
