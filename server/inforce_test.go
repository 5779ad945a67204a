package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
	"rulestore/server/site"
)

const limitPath = "/api/v1/external-parameters/test.limit"

// published makes a publication of a file, checked as the loader does.
func published(t testing.TB, k *content.Kind, name, version, day, file string) *content.Publication {
	t.Helper()
	r := check.Item(schemas.Embedded(), k, name, []byte(file))
	if !r.OK() {
		t.Fatal(r.Findings)
	}
	v := semver.MustParse(version)
	sum := must(content.Checksum(content.Identified(k, v, r.Body)))
	at := must(time.Parse(content.Date, day)).Add(12 * time.Hour)
	return &content.Publication{
		Kind: k, Name: name, Version: v, Text: content.Written{Object: r.Body, Refers: r.References}, Checksum: sum,
		PublishedAt: at, UpdatedAt: at, ChangeNote: "x",
	}
}

// limit is a file of a parameter with these fields among its own.
func limit(fields string) string {
	return `parameter_id: test.limit
schema_version: "1.1"
title: Предел суммы требования
description: Наибольшая сумма требования.
value_type: money
unit: RUB
` + strings.ReplaceAll(fields, "SRC", `sources: [{title: Закон, url: "https://base.garant.ru/1/", checked_on: 2026-03-17}]`) + `
sources: [{title: Общий источник, url: "https://base.garant.ru/2/", checked_on: 2026-03-17}]
verified_at: 2026-03-17
certainty: high
`
}

const (
	firstLimit  = "value: 300000\nvalid_from: 2020-01-01\n"
	secondLimit = "periods:\n- {from: 2021-01-01, to: 2023-06-30, value: 400000, SRC}\n" +
		"- {from: 2023-07-02, value: 500000, conditions: [Только для банков.], SRC}\n" +
		"- {from: 2027-01-01, value: 700000, SRC}\nvalid_from: 2021-01-01\n"
)

// timesSite has a parameter with two versions, of which only the second has periods, and
// a guideline of which each version begins on its day.
func timesSite(t testing.TB) *site.Site {
	guideline := string(must(json.Marshal(storeSite().Snapshot.Item(content.Guidelines,
		"product.deposit.001").Current.Body())))
	rule := func(from string) string {
		var body content.Object
		must(0, json.Unmarshal([]byte(guideline), &body))
		for i, m := range body {
			if m.Name == "valid_from" {
				body[i].Value = content.String(from)
			}
		}
		return string(body.AppendJSON(nil)) + "\n"
	}
	all := []*content.Publication{
		published(t, content.Parameters, "test.limit", "1.0.0", "2026-01-10", limit(firstLimit)),
		published(t, content.Parameters, "test.limit", "2.0.0", "2026-05-10", limit(secondLimit)),
		published(t, content.Guidelines, "product.deposit.001", "1.0.0", "2026-02-02", rule("2026-02-02")),
		published(t, content.Guidelines, "product.deposit.001", "1.1.0", "2026-05-12", rule("2026-06-01")),
	}
	return siteOf(content.NewSnapshot(content.Input{Source: content.Source{Date: "2026-11-20"},
		Settings: storeSite().Snapshot.Settings, Publications: all}))
}

func siteOf(s *content.Snapshot) *site.Site {
	return site.Build(nil, s, site.Config{BaseURL: baseURL, Version: "0.0.0-test", Schemas: schemas.Embedded()})
}

// inForce is an answer of what was in force, in short: the value, the days, and what is
// around them.
func (c client) inForce(path string) string {
	r := c.get(path)
	if r.status != http.StatusOK {
		return fmt.Sprint(r.status, " ", r.asProblem().Code)
	}
	var a struct {
		Value      json.RawMessage
		Conditions []string
		Title      string
		Sources    []struct{ Title string }
		InForce    *content.Period `json:"in_force"`
		Not        *content.Period `json:"not_in_force"`
		Previous   *struct {
			content.Period
			Value   json.RawMessage
			Version string `json:"parameter_version"`
		}
		Next *struct {
			content.Period
			Value json.RawMessage
		}
		Version  string `json:"parameter_version"`
		Rule     string `json:"guideline_version"`
		Checksum string `json:"source_checksum"`
		Own      string `json:"content_checksum"`
	}
	must(0, json.Unmarshal(r.body, &a))
	if !content.ValidChecksum(a.Checksum) || a.Own != "" || r.header.Get("X-Content-Checksum") != "" {
		c.Errorf("%s: a filtered view: %s", path, r.body)
	}
	text := a.Version + a.Rule + " "
	if a.InForce != nil {
		text += fmt.Sprintf("%s %s..%s", a.Value, a.InForce.From, a.InForce.To)
	} else {
		text += fmt.Sprintf("none %s..%s", a.Not.From, a.Not.To)
	}
	if a.Previous != nil {
		text += fmt.Sprintf(" < %s %s..%s", a.Previous.Value, a.Previous.From, a.Previous.To)
	}
	if a.Next != nil {
		text += fmt.Sprintf(" > %s %s..%s", a.Next.Value, a.Next.From, a.Next.To)
	}
	if a.Version != "" && len(a.Sources) > 0 {
		text += " " + a.Sources[0].Title
	}
	return strings.Join(append([]string{text}, a.Conditions...), " ")
}

// What was in force on a day, by what is known now and by what was known then.
func TestInForce(t *testing.T) {
	c := ask(t, timesSite(t))
	for path, want := range map[string]string{
		limitPath + "?in_force=2020-12-31":                                            "2.0.0 none ..2020-12-31 > 400000 2021-01-01..2023-06-30",
		limitPath + "?in_force=2023-06-30":                                            "2.0.0 400000 2021-01-01..2023-06-30 > 500000 2023-07-02..2026-12-31 Закон",
		limitPath + "?in_force=2023-07-01":                                            "2.0.0 none 2023-07-01..2023-07-01 < 400000 2021-01-01..2023-06-30 > 500000 2023-07-02..2026-12-31",
		limitPath + "?in_force=2026-12-31":                                            "2.0.0 500000 2023-07-02..2026-12-31 < 400000 2021-01-01..2023-06-30 > 700000 2027-01-01.. Закон Только для банков.",
		limitPath + "?in_force=2027-01-01":                                            "2.0.0 700000 2027-01-01.. < 500000 2023-07-02..2026-12-31 Закон",
		limitPath + "?in_force=2023-01-01&as_of=2026-02-01":                           "1.0.0 300000 2020-01-01.. Общий источник",
		limitPath + "?in_force=2019-01-01&as_of=2026-02-01":                           "1.0.0 none ..2019-12-31 > 300000 2020-01-01..",
		limitPath + "?in_force=2023-01-01&view=brief":                                 "2.0.0 400000 2021-01-01..2023-06-30 > 500000 2023-07-02..2026-12-31 Закон",
		limitPath + "?in_force=2023-01-01&view=referenced_by":                         "400 invalid_query",
		"/api/v1/guidelines/product.deposit.001?in_force=2026-02-01":                  "1.1.0 none ..2026-02-01 >  2026-02-02..2026-05-31",
		"/api/v1/guidelines/product.deposit.001?in_force=2026-05-31":                  "1.0.0  2026-02-02..2026-05-31 >  2026-06-01..",
		"/api/v1/guidelines/product.deposit.001?in_force=2026-06-01":                  "1.1.0  2026-06-01.. <  2026-02-02..2026-05-31",
		"/api/v1/guidelines/product.deposit.001?in_force=2026-06-01&as_of=2026-03-01": "1.0.0  2026-02-02..",
		"/api/v1/guidelines/product.deposit.001?in_force=2026-06-01&section=nothing":  "400 invalid_query",
	} {
		if got := c.inForce(path); got != want {
			t.Errorf("%s:\n%s, want\n%s", path, got, want)
		}
	}
	if body := string(c.get("/api/v1/guidelines/product.deposit.001?in_force=2026-05-31&view=brief").body); !strings.Contains(body, `"guideline_version":"1.0.0"`) || !strings.Contains(body, `"view":"brief"`) {
		t.Errorf("the brief of what was in force is %s", body)
	}
}

// An answer is the same in every form, and the same for all days of a period.
func TestInForceForms(t *testing.T) {
	c := ask(t, timesSite(t))
	first, second := c.get(limitPath+"?in_force=2024-01-01"), c.get(limitPath+"?in_force=2025-12-31")
	if first.header.Get("Etag") == "" || first.header.Get("Etag") != second.header.Get("Etag") {
		t.Errorf("%s and %s", first.header.Get("Etag"), second.header.Get("Etag"))
	}
	if r := c.get(limitPath+"?in_force=2024-05-05", "If-None-Match",
		first.header.Get("Etag")); r.status != http.StatusNotModified {
		t.Error(r.status)
	}
	for _, accept := range []string{markdownType, browser} {
		body := string(c.get(limitPath+"?in_force=2024-01-01", "Accept", accept).body)
		for _, want := range []string{"Действует", "2023-07-02", "2026-12-31", "500000", "До этого", "После этого", "700000"} {
			if !strings.Contains(strings.ReplaceAll(body, "\u00a0", ""), want) {
				t.Errorf("%s says nothing of %s: %s", accept, want, body)
			}
		}
	}
	whole := c.page(limitPath, http.StatusOK)
	for _, want := range []string{`id="periods/2023-07-02"`, `class="chart"`, ">500\u00a0000\u00a0₽<"} {
		if !strings.Contains(whole, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

// A list says what is in force on a day, and of what is not, when it is.
func TestInForceLists(t *testing.T) {
	c := ask(t, timesSite(t))
	for _, test := range []struct{ query, want string }{
		{"in_force=2023-01-01", `total 1: test.limit 400000 | not:`},
		{"in_force=2023-07-01", `total 0: | not: test.limit 2023-06-30 2023-07-02`},
		{"in_force=2023-01-01&as_of=2026-03-18", `total 1: test.limit 300000 | not:`},
		{"as_of=2025-01-01", `total 0: | not: since 2026-01-10`},
		{"in_force=2023-01-01&prefix=other", `total 0: | not:`},
	} {
		t.Run(test.query, func(t *testing.T) {
			var a struct {
				Total      int
				Since      string `json:"first_published_at"`
				Parameters []struct {
					ID    string `json:"parameter_id"`
					Value json.RawMessage
				}
				Not []struct {
					ID             string `json:"parameter_id"`
					Previous, Next content.Period
				} `json:"not_in_force"`
			}
			must(0, json.Unmarshal(c.get("/api/v1/external-parameters?"+test.query).body, &a))
			got := fmt.Sprintf("total %d:", a.Total)
			for _, p := range a.Parameters {
				got += fmt.Sprintf(" %s %s", p.ID, p.Value)
			}
			got += " | not:"
			for _, p := range a.Not {
				got += fmt.Sprintf(" %s %s %s", p.ID, p.Previous.To, p.Next.From)
			}
			if a.Since != "" {
				got += " since " + a.Since
			}
			if got != test.want {
				t.Errorf("%s: %s, want %s", test.query, got, test.want)
			}
		})
	}
	search := "/api/v1/search?q=%D0%BF%D1%80%D0%B5%D0%B4%D0%B5%D0%BB&in_force=2023-01-01&as_of="
	for asOf, want := range map[string]string{
		"2026-11-20": `"in_force":{"from":"2021-01-01","to":"2023-06-30"},"next":{"from":"2023-07-02","to":"2026-12-31","value":500000,"unit":"RUB"},"value":400000,"unit":"RUB"`,
		"2026-02-01": `"in_force":{"from":"2020-01-01"},"value":300000,"unit":"RUB"`,
		"2025-01-01": `"first_published_at":"2026-01-10"`,
	} {
		if found := string(c.get(search + asOf).body); !strings.Contains(found, want) {
			t.Errorf("%s: found %s", asOf, found)
		}
	}
	if r := c.get("/api/v1/scenarios?in_force=2023-01-01"); r.status != http.StatusBadRequest {
		t.Errorf("scenarios: %d", r.status)
	}
}

// The series of a parameter, with what is missing in it.
func TestPeriodsOfAParameter(t *testing.T) {
	c := ask(t, timesSite(t))
	body := string(c.get(limitPath + "/periods").body)
	for _, want := range []string{
		`"total":3`, `{"from":"2023-07-02","to":"2026-12-31","value":500000,"unit":"RUB","conditions":["Только для ` +
			`банков."],"sources":`,
		`"gaps":[{"from":"2023-07-01","to":"2023-07-01"}]`, `"source_checksum":"sha256:`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if old := string(c.get(limitPath + "/periods?as_of=2026-02-01").body); !strings.Contains(old,
		`"periods":[{"from":"2020-01-01","value":300000`) {
		t.Errorf("then: %s", old)
	}
	if r := c.get(limitPath + "/periods?as_of=2020-02-01"); r.status != http.StatusNotFound {
		t.Errorf("before the first: %d %s", r.status, r.body)
	}
}

// Of a registry the records that were valid on the day are in force, and each of them says
// so where it is found.
func TestInForceRecords(t *testing.T) {
	const file = `registry_id: service.test-units.001
schema_version: "1.1"
title: Единицы
description: Единицы, в которых считают.
records:
- {code: OLD, title: Прежняя единица, valid_to: 2023-12-31}
- {code: NEW, title: Новая единица, valid_from: 2024-01-01}
- {code: ALWAYS, title: Вечная единица}
valid_from: 2020-01-01
`
	p := published(t, content.Registries, "units", "1.0.0", "2026-01-10", file)
	c := ask(t, siteOf(content.NewSnapshot(content.Input{Source: content.Source{Date: "2026-11-20"},
		Publications: []*content.Publication{p}})))
	for day, want := range map[string]string{
		"2023-12-31": `"in_force":{"from":"2020-01-01","to":"2023-12-31"} OLD ALWAYS`,
		"2024-01-01": `"in_force":{"from":"2024-01-01"} NEW ALWAYS`,
		"2019-01-01": `"not_in_force":{"to":"2019-12-31"}`,
	} {
		body := string(c.get("/api/v1/registries/units?in_force=" + day).body)
		days, codes, _ := strings.Cut(want, " ")
		for _, code := range []string{"OLD", "NEW", "ALWAYS"} {
			if strings.Contains(body, `"code":"`+code+`"`) != strings.Contains(codes, code) {
				t.Errorf("%s: %s", day, body)
			}
		}
		if !strings.Contains(body, days) {
			t.Errorf("%s: %s, want %s", day, body, days)
		}
		page := string(c.get("/api/v1/registries/units?in_force="+day, "Accept", browser).body)
		if strings.Contains(page, "Прежняя единица") != strings.Contains(codes, "OLD") {
			t.Errorf("%s: the page shows other records", day)
		}
	}
	found := string(c.get("/api/v1/search?q=%D0%BF%D1%80%D0%B5%D0%B6%D0%BD%D1%8F%D1%8F&in_force=2024-06-01").body)
	if !strings.Contains(found, `"not_in_force":{"from":"2024-01-01"},"previous":{"to":"2023-12-31"}`) {
		t.Errorf("found %s", found)
	}
}

// TestInForceOnPages: lists and searches say to people what they say to programs.
func TestInForceOnPages(t *testing.T) {
	c := ask(t, timesSite(t))
	for path, want := range map[string][]string{
		"/api/v1/external-parameters?in_force=2023-01-01": {"В силе: 400 000 ₽, с 1 января 2021 по 30 июня 2023",
			"После этого: 500 000 ₽, с 2 июля 2023", "in_force=2023-01-01\""},
		"/api/v1/external-parameters?in_force=2023-07-01": {"Не в силе 1 июля 2023", "До этого: 400 000 ₽, с"},
		"/api/v1/guidelines?in_force=2026-03-01":          {"В силе с 2 февраля 2026 по 31 мая 2026"},
		"/api/v1/search?q=%D0%BF%D1%80%D0%B5%D0%B4%D0%B5%D0%BB&in_force=2023-01-01&as_of=2026-02-01": {
			"В силе: 300 000 ₽, с 1 января 2020", `name="as_of"`, `name="in_force" type="date" value="2023-01-01"`,
		},
	} {
		body := strings.ReplaceAll(c.page(path, http.StatusOK), "\u00A0", " ")
		for _, text := range want {
			if !strings.Contains(body, text) {
				t.Errorf("%s says nothing of %s: %s", path, text, body)
			}
		}
	}
}
