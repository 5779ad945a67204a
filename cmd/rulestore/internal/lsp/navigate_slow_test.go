//go:build slow

package lsp

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestHover(t *testing.T) {
	e := starterSession(t, func(p *initializeParams) { p.Locale = "ru-RU" })
	const file = "guidelines/a.b.001.yaml"
	for _, c := range []struct {
		name, path, text, of string
		says                 []string
	}{
		{"the name of a field", file, head + "sce¦nario: x\n", "scenario",
			[]string{"**Сценарий** (scenario), обязательно", "К какому сценарию", "Тип: текст",
				"- fraud\\_risk — риск мошенничества"}},
		{"a field with an example", file, "guideline_id: a.b.001\nschema¦_version: x\n", "schema_version",
			[]string{"Версия формата", `Пример: "1.2"`}},
		{"a field of an element", file, head + "rules:\n  - sever¦ity: high\n", "severity", []string{"Важность"}},
		{"a value of an enumeration", file, head + "scenario: fraud_¦risk\n", "fraud_risk",
			[]string{"**fraud\\_risk** — риск мошенничества", "Сценарий"}},
		{"a code", file, head + "applicability: {product_types: [kas¦ko]}\n", "kasko", []string{"**kasko** — "}},
		{"an item", file, head + "rules:\n  - related_guidelines: [product.¦common.001]\n", "product.common.001",
			[]string{"**Общие правила анализа финансового продукта** (guidelines/product.common.001)",
				"опубликовано: v", "действует"}},
		{"a draft", file, "title: Черновик\nguideline_id: a.¦b.001\nschema_version: \"1.0\"\n", "a.b.001",
			[]string{"**Черновик**", "ещё не опубликовано"}},
		{"an item that there is none of", file, head + "rules:\n  - related_guidelines: [no.su¦ch.001]\n",
			"no.such.001", []string{"нет ни в папке, ни среди опубликованного"}},
		{"an item that a text names", file, head + "summary: >-\n  См. product.comm¦on.001.\n", "product.common.001",
			[]string{"Общие правила"}},
		{"a parameter", "instructions/new.yaml",
			"instruction_id: service.new.001\nschema_version: \"1.0\"\n" +
				"external_parameters: [consumer-rights.ombudsman-amount-¦limit]\n",
			"consumer-rights.ombudsman-amount-limit", []string{"(parameters/consumer-rights.ombudsman-amount-limit)",
				"опубликовано: v"}},
		{"an element of which nothing is said", "instructions/assistant.yaml",
			"schema_version: \"1.0\"\nrequired_trace_fields: [a¦b]\n", "ab",
			[]string{"** (required\\_trace\\_fields)", "Тип: список"}},
		{"a finding", common, "kasko → kas¦co", "kasco", []string{"Кода «kasco» нет в справочнике",
			"Возможно, «kasko»", "**unknown-code**"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			if was, is, ok := strings.Cut(c.text, " → "); ok {
				c.text = e.with(c.path, was, is)
				e.open(c.path, strings.Replace(c.text, cursor, "", 1))
				e.await("something is found", func() bool { return len(e.told[e.uri(c.path)].Diagnostics) > 0 })
			}
			said, of := e.hovered(c.path, c.text)
			for _, want := range c.says {
				if !strings.Contains(said, want) {
					t.Errorf("it says\n%s\nand not %q", said, want)
				}
			}
			if of != c.of {
				t.Errorf("it is about %q, expected %q", of, c.of)
			}
		})
	}
	for _, text := range []string{"¦", head + "title: Слов¦о\n", head + "# sce¦nario\n", head + "unknown¦: 1\n"} {
		t.Run(text, func(t *testing.T) {
			if said, _ := e.in(t).hovered("scenarios/none.yaml", text); strings.Contains(said, "Сценарий") {
				t.Errorf("it says %s", said)
			}
		})
	}
}

// The locations of files whose names are Russian or hold spaces can be opened.
func TestLocations(t *testing.T) {
	e := starterSession(t)
	var found []location
	e.ask("textDocument/definition",
		e.at("guidelines/a.b.001.yaml", head+"rules: [{related_guidelines: [product.¦common.001]}]\n"), &found)
	if len(found) != 1 || found[0].URI != fileURI(filepath.Join(e.dir, common)) ||
		strings.ContainsAny(string(found[0].URI), " я") {
		t.Errorf("%v", found)
	}
}
