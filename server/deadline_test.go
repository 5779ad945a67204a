package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// suspension is a term that its norm does not move from a day when nobody works, and
// that was shorter once.
const suspension = `parameter_id: test.suspension
schema_version: "1.1"
title: Срок приостановления
description: Сколько дней банк приостанавливает операцию.
value_type: period
unit: calendar_day
roll_if_non_working: none
periods:
- {from: 2024-07-25, value: 1, SRC}
- {from: 2026-03-01, value: 2, SRC}
- {from: 2026-12-01, value: 1, unit: month, SRC}
sources: [{title: Общий источник, url: "https://base.garant.ru/2/", checked_on: 2026-03-17}]
verified_at: 2026-03-17
certainty: high
valid_from: 2024-07-25
`

func suspended(day, more string) string {
	return `{"inputs":{"start_event":{"code":"operation","date":"` + day + `","confirmed":true},` +
		`"term":{"parameter_id":"test.suspension"` + more + `},"applicability_confirmed":true}}`
}

type termAnswer struct {
	Status, Reason string
	Outputs        map[string]struct{ Value any }
	External       []map[string]string `json:"external_data"`
	Unconfirmed    []string
}

// TestTermOfParameter: a term is what its parameter states on the day, by the parameter's
// own rule; the answer cites it, and every way to ask gives the same.
func TestTermOfParameter(t *testing.T) {
	source := `sources: [{title: Закон, url: "https://base.garant.ru/1/", checked_on: 2026-03-17}]`
	file := strings.ReplaceAll(suspension, "SRC", source)
	parameter := published(t, content.Parameters, "test.suspension", "1.1.0", "2026-03-18", file)
	of := func(marks ...content.Mark) *site.Site {
		return siteWithMath(content.NewSnapshot(content.Input{
			Source: content.Source{Date: "2026-11-20"}, Settings: storeSite().Snapshot.Settings,
			Publications: []*content.Publication{parameter}, Marks: marks,
		}))
	}
	c := ask(t, of())
	const path = toolsPath + "consumer_rights_deadline_date"
	r := c.post(path, suspended("2026-02-28", `,"on":"2026-03-01"`))
	got := decode[termAnswer](t, r.body)
	if len(got.External) != 1 || got.Outputs["deadline"].Value != "2026-03-02" ||
		got.Outputs["roll_rule"].Value != "parameter" {
		t.Fatalf("%s", r.body)
	}
	e := got.External[0]
	if cited := fmt.Sprint(e["id"], " ", e["version"], " ", e["value"], " ", e["unit"], " ", e["from"], " ",
		e["to"]); cited != "test.suspension 1.1.0 2 calendar_day 2026-03-01 2026-11-30" || e["sha256"] != parameter.Checksum {
		t.Errorf("cited %s: %v", cited, e)
	}
	due := ask(t, of(content.Mark{Item: "parameters/test.suspension",
		Status: content.ReviewRequired, Since: "2026-04-01"}))
	if got := decode[termAnswer](t, due.post(path, suspended("2026-05-15",
		``)).body); got.Status != calc.StatusDoNotGuess || !slices.Equal(got.Unconfirmed,
		[]string{"source.confirmed"}) {
		t.Errorf("due for a check: %+v", got)
	}
	gone := ask(t, of(content.Mark{Item: "parameters/test.suspension", Version: "1.1.0",
		Status: content.Redacted, Since: "2026-04-01"}))
	if got := decode[termAnswer](t, gone.post(path, suspended("2026-05-15",
		``)).body); got.Reason != "parameter_unknown" {
		t.Errorf("redacted: %+v", got)
	}
}

func siteWithMath(s *content.Snapshot) *site.Site {
	return site.Build(nil, s, site.Config{
		BaseURL: baseURL, Version: "0.0.0-test", Schemas: schemas.Embedded(), Math: calc.New(),
	})
}
