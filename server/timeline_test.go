package server_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// passedTime is what a timeline says.
type passedTime struct {
	Item, Title, Section string
	Applied              *struct {
		Version struct {
			Version string `json:"guideline_version"`
			Value   string `json:"parameter_version"`
		}
		Period  struct{ From, To string }
		Content json.RawMessage
	}
	NotApplied string `json:"not_applied"`
	Events     []struct {
		What, Class string
		Changes     int
		Version     struct {
			Version  string                  `json:"guideline_version"`
			Reason   string                  `json:"status_reason"`
			SignedBy struct{ Signer string } `json:"signed_by"`
		}
		Compare string `json:"compare_url"`
	}
	EventsLeft int `json:"events_left"`
	Total      int
	Next       int `json:"next_offset"`
	Sections   []struct {
		Section, Since, Changed, Removed string
		Changes                          int
	}
}

// version is the version that applied, "" if none did.
func (p passedTime) version() string {
	if p.Applied == nil {
		return ""
	}
	return p.Applied.Version.Version + p.Applied.Version.Value
}

func (c client) timeline(query string) passedTime {
	c.Helper()
	r := c.get(api.TimelinePath + query)
	if r.status != http.StatusOK {
		c.Fatalf("%s: %d %s", query, r.status, r.body)
	}
	return decode[passedTime](c, r.body)
}

// rule is a rule of a guideline.
type rule struct {
	ID     string `json:"rule_id"`
	Title  string `json:"title"`
	Action string `json:"action"`
}

// ruledSite has a guideline of which each version has these rules, and these marks.
func ruledSite(marks []content.Mark, versions ...[]rule) *site.Site {
	var all []*content.Publication
	for i, rules := range versions {
		all = append(all, &content.Publication{
			Kind: content.Guidelines, Name: "product.passing.001", Version: semver.New(1, uint64(i), 0, "", ""),
			Text: content.Written{Object: content.Object{
				{Name: "guideline_id", Value: content.String("product.passing.001")},
				{Name: "schema_version", Value: content.String("1.0")},
				{Name: "title", Value: content.String("Правило")},
				{Name: "valid_from", Value: content.String(fmt.Sprintf("2026-0%d-01", i%9+1))},
				{Name: "rules", Value: must(json.Marshal(rules))},
			}},
			Checksum: fmt.Sprintf("sha256:%064x", i), PublishedAt: today.AddDate(0, 0, i-len(versions)),
			ChangeNote: fmt.Sprint("Правка номер ", i),
			SignedBy:   content.Signature{Signer: "petrov@bank.example", Key: "SHA256:x", Object: content.SignedTag},
		})
	}
	return build(nil, content.NewSnapshot(content.Input{Source: storeSite().Snapshot.Source,
		Publications: all, Marks: marks}))
}

var (
	first    = rule{"keep", "Хранить", "Хранить договор год."}
	reworded = rule{"keep", "Хранить", "Хранить договор три года."}
	second   = rule{"ask", "Спросить", "Спросить о сроке."}
)

// A rule is followed by its code, wherever it stands: which version brought it, changed it, took
// it away and brought it back, with whose signature.
func TestTimelineOfRule(t *testing.T) {
	c := ask(t, ruledSite(nil,
		[]rule{first}, []rule{second, first}, []rule{second, reworded}, []rule{second}, []rule{reworded, second},
	))
	got := c.timeline("guidelines/product.passing.001?section=rules/keep")
	var events []string
	for _, e := range got.Events {
		events = append(events, e.Version.Version+" "+e.What)
		if e.Version.SignedBy.Signer != "petrov@bank.example" {
			t.Errorf("%+v has no signature", e)
		}
	}
	if want := []string{"1.4.0 added", "1.3.0 removed", "1.2.0 changed", "1.0.0 added"}; !slices.Equal(events, want) {
		t.Errorf("%q, not %q", events, want)
	}
	if e := got.Events[1]; e.Class != "breaking" || !strings.HasSuffix(e.Compare,
		"?section=rules/keep&from=1.2.0&to=1.3.0") {
		t.Errorf("%+v", e)
	}
	if got.Applied == nil || !strings.Contains(string(got.Applied.Content), "три года") || got.Section != "rules/keep" {
		t.Errorf("%+v", got)
	}
	whole := c.timeline("guidelines/product.passing.001")
	if len(whole.Events) != 5 || whole.Total != len(whole.Sections) || len(whole.Applied.Content) > 0 {
		t.Errorf("%+v", whole)
	}
	i := slices.IndexFunc(whole.Sections, func(s struct {
		Section, Since, Changed, Removed string
		Changes                          int
	}) bool {
		return s.Section == "rules/ask"
	})
	if i < 0 || whole.Sections[i].Since != "1.1.0" || whole.Sections[i].Changes != 0 ||
		whole.Sections[i].Removed != "" {
		t.Errorf("%+v", whole.Sections)
	}
	within := c.timeline("guidelines/product.passing.001?section=rules")
	if len(within.Events) != 5 || within.Total != 2 {
		t.Errorf("%+v", within)
	}
	changed := c.get(api.ComparePath + "guidelines/product.passing.001?from=1.1.0&to=1.2.0&section=rules/keep")
	if !strings.Contains(string(changed.body), `"total":1`) {
		t.Errorf("%s", changed.body)
	}
	body := html.UnescapeString(c.page(api.TimelinePath+"guidelines/product.passing.001?section=rules/keep",
		http.StatusOK))
	for _, want := range []string{
		"История: Хранить", "Хранить договор три года.", ">1.3.0</a> убрано", "ломающее",
		"Подписал petrov@bank.example", "Правка номер 4",
		"Действует с 5 мая", `?section=rules/keep&from=1.2.0&to=1.3.0`,
	} {
		if want = strings.ReplaceAll(want, "5 мая", "1\u00a0мая"); !strings.Contains(body, want) &&
			!strings.Contains(strings.ReplaceAll(body, "\u00a0", " "), strings.ReplaceAll(want, "\u00a0", " ")) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	text := string(c.get(api.TimelinePath+"guidelines/product.passing.001?section=rules/keep",
		"Accept", markdownType).body)
	if !strings.HasPrefix(text, "# История: Хранить\n") || !strings.Contains(text,
		"1.3.0: убрано, ломающее изменение") || !strings.Contains(text, "guidelines/product.passing.001/v1.3.0") {
		t.Error(text)
	}
}

// Both times: what was in force on a day, by what was published on another.
func TestTimelineOnDays(t *testing.T) {
	c := ask(t, starterSite())
	const rule, limit = "guidelines/product.common.001?section=rules/full_cost",
		"parameters/consumer-rights.ombudsman-amount-limit?section=value"
	for i, test := range []struct{ query, version, none string }{
		{rule, "1.2.0", ""},
		{rule + "&as_of=2026-03-01", "1.0.0", ""},
		{rule + "&in_force=2026-03-01", "1.0.0", ""},
		{rule + "&in_force=2026-06-01&as_of=2026-03-01", "1.0.0", ""},
		{rule + "&as_of=2026-06-01T10:00:00%2B03:00", "1.1.0", ""},
		{rule + "&in_force=2020-01-01", "", "ничего не действовало"},
		{rule + "&as_of=2020-01-01", "", "Первая опубликована"},
		{"guidelines/product.common.001?section=required_inputs/offer_channel&as_of=2026-03-01", "1.0.0",
			"В версии 1.0.0 этого раздела нет."},
		{limit + "&in_force=2019-01-01&as_of=2026-05-20", "1.0.0", ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got := c.timeline(test.query)
			version := got.version()
			if version != test.version || (got.NotApplied == "") != (test.none == "") ||
				!strings.Contains(got.NotApplied, test.none) ||
				(test.version != "" && test.none == "") != (got.Applied != nil && got.Applied.Content != nil) {
				t.Errorf("%s: %s, %q", test.query, version, got.NotApplied)
			}
			c.page(api.TimelinePath+test.query, http.StatusOK)
		})
	}
	for path, want := range map[string]string{
		"guidelines/product.common.001?section=rules/nothing": "unknown_section",
		"guidelines/product.common.001?offset=x":              "out_of_range",
		"scenarios/fraud_risk?in_force=2026-01-01":            "not_dated",
		"guidelines/nothing":                                  "guideline_not_found", "": "path_not_found",
		"guidelines/product.common.001?as_of=x": "no_date", "guidelines/product.common.001?from=1.0.0": "unknown_parameter",
	} {
		t.Run(path, func(t *testing.T) {
			if r := c.get(api.TimelinePath + path); r.status < 400 || r.status >= 500 ||
				!strings.Contains(string(r.body), want) {
				t.Errorf("%q: %d %s", path, r.status, r.body)
			}
		})
	}
	for _, path := range []string{
		api.TimelinePath + "guidelines/product.common.001?section=ruls",
		api.ComparePath + "guidelines/product.common.001?section=ruls",
		api.ImpactPath + "registries/fraud-signals?section=signals/NOTHING",
		api.ImpactPath + "guidelines/product.common.001?section=rules",
		"/api/v1/guidelines/product.common.001?section=ruls",
	} {
		r := c.get(path)
		if got := decode[struct {
			Errors []struct{ Pointer, Code, Hint string }
		}](t, r.body); r.status != http.StatusBadRequest || len(got.Errors) != 1 ||
			got.Errors[0].Code != "unknown_section" || got.Errors[0].Hint == "" {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
}

// A section without a title is called by its text rather than by its code.
func TestTimelineOfGuardrail(t *testing.T) {
	body := string(ask(t, starterSite()).get(api.TimelinePath + "guidelines/product.common.001").body)
	if !strings.Contains(body, `"section":"guardrails/no_secrets","title":"Запрещено просить номер карты`) {
		t.Error(body)
	}
}

// In sentences for people days and instants are written out, in problems too.
func TestDaysInSentences(t *testing.T) {
	c := ask(t, starterSite())
	for path, want := range map[string]string{
		api.TimelinePath + "guidelines/product.common.001?as_of=2026-06-01T10:00:00%2B03:00":      "Было опубликовано на 1 июня 2026, 10:00:00 (+03:00)",
		api.ComparePath + "guidelines/product.common.001?as_of=2020-01-01":                        "На 1 января 2020 у элемента",
		api.ComparePath + "parameters/consumer-rights.ombudsman-amount-limit?in_force=1999-01-01": "1 января 1999 из",
	} {
		t.Run(path, func(t *testing.T) {
			for _, accept := range []string{browser, markdownType} {
				text := strings.ReplaceAll(html.UnescapeString(string(c.get(path, "Accept", accept).body)), "\u00A0",
					" ")
				if !strings.Contains(text, want) {
					t.Errorf("%s as %s: no %q in\n%s", path, accept, want, text)
				}
			}
		})
	}
}

// What is redacted is told in no form: neither its text nor what it did.
func TestTimelineBesideRedacted(t *testing.T) {
	secret := rule{"keep", "Хранить", "Тайный номер 4276 и ничего больше."}
	marks := []content.Mark{{Item: "guidelines/product.passing.001", Version: "1.1.0", Status: content.Redacted,
		Reason: "Личные данные", Since: "2026-06-01"}}
	c := ask(t, ruledSite(marks, []rule{first}, []rule{secret, {"leak", "Тайное", "Тайна"}}, []rule{reworded}))
	for _, query := range []string{"", "?section=rules/keep", "?as_of=2026-11-19",
		"?in_force=2026-02-10&section=rules/keep"} {
		for _, accept := range []string{jsonType, markdownType, browser} {
			r := c.get(api.TimelinePath+"guidelines/product.passing.001"+query, "Accept", accept)
			if body := string(r.body); r.status != http.StatusOK || strings.Contains(body, "4276") ||
				strings.Contains(body, "айно") || strings.Contains(body, "leak") {
				t.Errorf("%s as %s: %d %s", query, accept, r.status, body)
			}
		}
	}
	got := c.timeline("guidelines/product.passing.001?section=rules/keep")
	if len(got.Events) != 3 || got.Events[0].What != "changed" || got.Events[1].What != "redacted" ||
		got.Events[1].Version.Reason != "Личные данные" ||
		!strings.Contains(got.Events[0].Compare, "from=1.0.0&to=1.2.0") {
		t.Errorf("%+v", got.Events)
	}
	if r := c.get(api.TimelinePath +
		"guidelines/product.passing.001?section=rules/leak"); r.status != http.StatusBadRequest {
		t.Errorf("%d %s", r.status, r.body)
	}
	marks[0].Version = ""
	gone := ask(t, ruledSite(marks, []rule{first}, []rule{secret}))
	if r := gone.get(api.TimelinePath + "guidelines/product.passing.001"); r.status != http.StatusGone {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// However many versions and sections there are, an answer compares and lists some of them, and
// says how many others there are.
func TestLongTimeline(t *testing.T) {
	var versions [][]rule
	for i := range 80 {
		versions = append(versions, []rule{{"keep", "Хранить", fmt.Sprintf("Хранить %d лет.", i)}})
	}
	for i := range 700 {
		versions[79] = append(versions[79], rule{fmt.Sprint("rule_", i),
			strings.Repeat("Очень длинное название ", 8), "Сделать."})
	}
	c := ask(t, ruledSite(nil, versions...))
	got := c.timeline("guidelines/product.passing.001")
	if len(got.Events) != 50 || got.EventsLeft != 30 || got.Events[49].What != "present" || got.Next != 500 ||
		len(got.Sections) != 500 || got.Total <= 700 {
		t.Errorf("%d events, %d left, %d sections of %d, next %d", len(got.Events), got.EventsLeft,
			len(got.Sections), got.Total, got.Next)
	}
	rest := c.timeline("guidelines/product.passing.001?offset=500")
	if len(rest.Sections) != got.Total-500 || rest.Next != 0 {
		t.Errorf("%d sections from 500 on, next %d", len(rest.Sections), rest.Next)
	}
	c.timeline("guidelines/product.passing.001?offset=1000000")
	for _, query := range []string{"", "?offset=480", "?section=rules", "?section=rules/keep"} {
		if body := c.page(api.TimelinePath+"guidelines/product.passing.001"+query,
			http.StatusOK); len(body) > 100<<10 || !strings.Contains(body, "не все") {
			t.Errorf("%q: %d bytes", query, len(body))
		}
	}
}

// Of whatever kind an item is, its timeline shows what applies now.
func TestTimelineOfEveryKind(t *testing.T) {
	seen := map[*content.Kind]bool{}
	for _, s := range []*site.Site{starterSite(), openAPISite()} {
		c := ask(t, s)
		for _, item := range s.Snapshot.Items {
			if item.Current == nil || seen[item.Kind] {
				continue
			}
			seen[item.Kind] = true
			t.Run(item.Kind.Folder, func(t *testing.T) {
				if got := c.timeline(item.ID()); got.Applied == nil || got.NotApplied != "" || len(got.Sections) == 0 {
					t.Errorf("%+v", got)
				}
			})
		}
	}
}
