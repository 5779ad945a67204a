package lsp

import (
	"strings"
	"testing"
)

const common = "guidelines/product.common.001.yaml"

// What is found is what validate finds: while one types, in the file, against the other
// files, and against what is published; it goes when it is mended or the file is closed.
func TestFindings(t *testing.T) {
	e := six(t)
	e.open(common, e.read(common))
	e.findings(common)
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"a value", "scenario: product_analysis", "scenario: product_analisys",
			[]string{"3:11-3:27 error unknown-value"}},
		{"a field", "owner:", "ovner:", []string{"1:1-1:13 error missing-field", "6:1-6:6 error unknown-field"}},
		{"a code of a registry", "exclusions: []", "exclusions: []\n  product_types: [depozit]",
			[]string{"10:19-10:26 error unknown-code"}},
		{"YAML", "title: Любой", "title: [Любой", []string{"4:1-4:6 error syntax"}},
		{"another id", "product.common.001", "product.common.002", []string{"1:15-1:33 error id"}},
		{"nothing", "scenario", "scenario", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			e.change(common, e.with(common, c.old, c.new))
			e.findings(common, c.want...)
		})
	}
	e.change(common, e.with(common, "scenario: p", "scenario: q"))
	e.findings(common, "3:11-3:27 error unknown-value")
	e.close(common)
	e.findings(common)
}

// A finding is placed by the characters that the client counts: those outside the Basic
// Multilingual Plane are two in UTF-16, and Cyrillic ones are two bytes in UTF-8.
func TestPositionsOfFindings(t *testing.T) {
	for name, c := range map[string]struct {
		encodings []encoding
		want      string
	}{
		"by default":   {nil, "1:43-1:44 error unknown-field"},
		"UTF-16":       {[]encoding{"utf-16", "utf-8"}, "1:43-1:44 error unknown-field"},
		"UTF-8":        {[]encoding{"utf-32", "utf-8", "utf-16"}, "1:61-1:62 error unknown-field"},
		"UTF-32 alone": {[]encoding{"utf-32"}, "1:43-1:44 error unknown-field"},
	} {
		t.Run(name, func(t *testing.T) {
			e := start(t, t.TempDir(), func(p *initializeParams) {
				p.Capabilities.General.PositionEncodings = c.encodings
			})
			e.open("scenarios/new.yaml", "{title: «Ё𝔸𝔸» это проверка, summary: x, q: 1, scenario_id: new, "+
				"schema_version: \"1.0\", description: Описание сценария}\n")
			e.await("a finding about q", func() bool {
				for _, d := range e.told[e.uri("scenarios/new.yaml")].Diagnostics {
					if describeDiagnostic(d) == c.want {
						return true
					}
				}
				return false
			})
		})
	}
}

// People are answered in the language that their editor names.
func TestLanguage(t *testing.T) {
	for locale, want := range map[string]string{
		"ru": "Возможно", "ru-RU": "Возможно", "RU_ru": "Возможно", "en": "did you mean", "": "did you mean",
		"de": "did you mean", "rue": "did you mean",
	} {
		t.Run(locale, func(t *testing.T) {
			e := start(t, t.TempDir(), func(p *initializeParams) { p.Locale = locale })
			e.open("scenarios/one.yaml", strings.ReplaceAll(scenarioFile, "NAME", "one")+"product_type: []\n")
			found := e.findings("scenarios/one.yaml", "5:1-5:13 error unknown-field")
			if m := found[0].Message; !strings.Contains(m, want) {
				t.Errorf("it says %q", m)
			}
		})
	}
}

// What is typed and not saved counts for other files too: a record that somebody adds,
// and one that somebody takes away.
func TestFindingsAcrossBuffers(t *testing.T) {
	e := six(t)
	const taxonomy, unknown = "registries/taxonomy.yaml", "10:19-10:30 error unknown-code"
	e.open(common, e.with(common, "exclusions: []", "exclusions: []\n  product_types: [pawn_ticket]"))
	e.findings(common, unknown)
	e.open(taxonomy, e.with(taxonomy, "product_types:\n", "product_types:\n  - {code: pawn_ticket, title: Залог}\n"))
	e.findings(common)
	e.change(taxonomy, e.read(taxonomy))
	e.findings(common, unknown)
}

// The files of the root are checked too, with what is sealed in view.
func TestFindingsOfRoot(t *testing.T) {
	e := six(t)
	settings, lifecycle := e.read("rulestore.yaml"), e.read("lifecycle.yaml")
	for _, c := range []struct{ path, text, want string }{
		{"rulestore.yaml", strings.Replace(settings, "demo:", "dema:", 1), "unknown-field"},
		{"lifecycle.yaml", strings.Replace(lifecycle, "marks: []", "marks:\n  - {item: guidelines/product.comon.001, "+
			"status: archived, reason: Проверка, since: 2026-01-01}", 1), "mark"},
		{"sealed/guidelines/product.common.001.sum", "nonsense\n", "seal"},
	} {
		t.Run(c.path+" "+c.want, func(t *testing.T) {
			e := e.in(t)
			e.open(c.path, c.text)
			e.await(c.want, func() bool {
				for _, d := range e.told[e.uri(c.path)].Diagnostics {
					if d.Code == c.want {
						return true
					}
				}
				return false
			})
			e.close(c.path)
			e.findings(c.path)
		})
	}
}
