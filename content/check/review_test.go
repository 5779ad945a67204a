package check_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// wrongMarks is a tree whose marks are for items that there are none of.
func wrongMarks(n int) check.Tree {
	var text strings.Builder
	text.WriteString("schema_version: \"1.0\"\nmarks:\n")
	t := check.Tree{Root: map[string][]byte{}}
	for i := range n {
		m := content.Mark{Item: fmt.Sprintf("guidelines/missing.%d.001", i), Status: content.Archived,
			Reason: "Нет", Since: "2026-05-01"}
		fmt.Fprintf(&text, "  - {item: %s, status: %s, reason: %s, since: %s}\n", m.Item, m.Status, m.Reason, m.Since)
		t.Marks = append(t.Marks, m)
	}
	t.Root[content.LifecycleFile] = []byte(text.String())
	return t
}

// A hundred wrong marks are listed, with their places; what stands for the others
// is no worse than they are.
func TestReviewOfWrongMarks(t *testing.T) {
	found := check.Review(wrongMarks(300), nil)
	if len(found) != 101 {
		t.Fatalf("%d findings", len(found))
	}
	for i, f := range found {
		rule := "mark"
		if i == 100 {
			rule = "more"
		}
		if f.Rule != rule || f.Severity != content.Warning || f.Line != i+3 || f.Column != 12 {
			t.Errorf("%d: %s", i, f)
		}
	}
}

// referring is an instruction, without its id, that refers to scenarios/deposits.
const referring = `
schema_version: "1.0"
title: Проверка
summary: Описание проверки.
steps:
  - {step: 1, code: CHECK, title: Проверить, instructions: [Сравнить условия.]}
scenarios: [deposits]
valid_from: 2026-01-01
`

// A mark on an item that many refer to lists some of them and counts the others.
func TestReviewOfManyReferrers(t *testing.T) {
	mark := content.Mark{Item: "scenarios/deposits", Status: content.Archived, Reason: "Нет", Since: "2026-05-01"}
	text := "marks:\n  - {item: scenarios/deposits, status: archived, reason: Нет, since: 2026-05-01}\n"
	tree := check.Tree{Root: map[string][]byte{content.LifecycleFile: []byte(text)}, Marks: []content.Mark{mark}}
	for i := range 50 {
		name := fmt.Sprintf("service.test-%02d.001", i)
		source := "instruction_id: " + name + referring
		tree.Items = append(tree.Items, check.Open(schemas.Embedded(),
			content.KindOf("instructions"), name, []byte(source)))
	}
	for _, f := range check.Review(tree, nil) {
		if f.Rule != "referred" {
			continue
		}
		if !strings.HasSuffix(f.Message, "service.test-19.001 and 30 more refer to it") {
			t.Error(f.Message)
		}
		return
	}
	t.Error("no finding")
}

// A hundred times the marks are no more than a hundred times the work: hostile
// content does not bring a server down.
func TestReviewOfManyMarks(t *testing.T) {
	few, many := wrongMarks(50), wrongMarks(5000)
	work := func(tree check.Tree) float64 {
		return testing.AllocsPerRun(1, func() { check.Review(tree, nil) })
	}
	if a, b := work(few), work(many); b > 200*a {
		t.Errorf("%.0f allocations for 50 marks, %.0f for 5,000", a, b)
	}
}

// What stands for the findings left out is as bad as the worst of them: here
// texts with markup come first, and days that are wrong are left out.
func TestReviewKeepsTheWorst(t *testing.T) {
	text := "calendar_id: ru-2026\nschema_version: \"1.0\"\ntitle: \"**Календарь**\"\ncountry: RU\nyear: 2026\n" +
		"approval: draft\n" +
		"decree: {number: \"1466\", date: 2025-09-24, title: О переносе выходных}\nworking_weekend_days: []\n" +
		"working_days: 260\ncertainty: high\nvalid_from: 2026-01-01\nnon_working_weekdays:\n"
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 100 {
		text += fmt.Sprintf("  - {date: %s, name: \"**День**\"}\n", day.AddDate(0, 0, i).Format(content.Date))
	}
	f := check.Open(schemas.Embedded(), content.Calendars, "ru-2026", []byte(text))
	if !f.OK() {
		t.Fatal(f.Findings)
	}
	found := check.Review(check.Tree{Items: []check.File{f}, Today: "2026-05-01"}, nil)
	if last := found[len(found)-1]; len(found) != 101 || last.Rule != "more" || last.Severity != content.Error {
		t.Errorf("%d findings, the last is %s", len(found), last)
	}
}
