package server_test

import (
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
	"rulestore/server/site"
)

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
` + fields + `
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

func siteOf(s *content.Snapshot) *site.Site {
	return site.Build(nil, s, site.Config{BaseURL: baseURL, Version: "0.0.0-test", Schemas: schemas.Embedded()})
}
