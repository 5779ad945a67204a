package lsp

import (
	"slices"
	"strings"
	"testing"

	"rulestore/content/change"
	"rulestore/loader"
	"rulestore/loader/git"
)

func titles(lenses []codeLens) (all []string) {
	for _, l := range lenses {
		all = append(all, l.Command.Title)
	}
	return all
}

// Above an item stands what is published, and what the draft would become as it is typed.
func TestLenses(t *testing.T) {
	e := small(t)
	one := strings.ReplaceAll(scenarioFile, "NAME", "one") + "product_types: [deposit, loan]\n"
	for _, c := range []struct{ name, path, text, fate string }{
		{"what is published", "scenarios/one.yaml", one, "published: v1.0.0"},
		{"a layout", "scenarios/one.yaml", "# Слова\n" + one, "published: v1.0.0"},
		{"wording", "scenarios/one.yaml", strings.Replace(one, "Описание", "Рассказ", 1),
			"v1.0.0 → v1.0.1: wording"},
		{"an addition", "registries/taxonomy.yaml", taxonomyFile + "  - {code: card, title: Карта}\n",
			"v1.2.0 → v1.3.0: addition"},
		{"a breaking change", "registries/taxonomy.yaml", strings.Replace(taxonomyFile,
			"  - {code: deposit, title: Вклад}\n", "", 1), "v1.2.0 → v2.0.0: breaking"},
		{"a draft", "scenarios/two.yaml", strings.ReplaceAll(scenarioFile, "NAME", "two"),
			"not published yet → v1.0.0"},
		{"a broken draft", "scenarios/one.yaml", strings.Replace(one, "title:", "titel:", 1),
			"v1.0.0, the draft cannot be published: 2 errors"},
		{"a draft that cannot be read", "scenarios/one.yaml", "a: [",
			"v1.0.0, the draft cannot be published: 1 error"},
		{"a new file that is broken", "scenarios/new.yaml", "a: [",
			"a draft that cannot be published: 1 error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			e.open(c.path, c.text)
			defer e.close(c.path)
			if got := titles(e.lenses(c.path)); !slices.Equal(got, []string{c.fate}) {
				t.Errorf("%q, expected %q", got, c.fate)
			}
		})
	}
	for _, path := range []string{"rulestore.yaml", "lifecycle.yaml", "README.md"} {
		t.Run(path, func(t *testing.T) {
			e := e.in(t)
			e.open(path, "a: b\n")
			if got := e.lenses(path); len(got) > 0 {
				t.Errorf("%q", titles(got))
			}
			e.close(path)
		})
	}
}

// What a lens says of a draft is what status and publish say once it is saved.
func TestLensesAgreeWithPlan(t *testing.T) {
	e := small(t)
	drafts := map[string]string{
		"scenarios/one.yaml":       strings.ReplaceAll(scenarioFile, "NAME", "one") + "product_types: [loan]\n",
		"instructions/work.yaml":   strings.Replace(workFile, "Работа", "Работы", 1),
		"registries/taxonomy.yaml": taxonomyFile + "valid_from: 2026-01-01\n",
		"scenarios/two.yaml":       strings.ReplaceAll(scenarioFile, "NAME", "two"),
	}
	said := map[string]string{}
	for path, text := range drafts {
		e.open(path, text)
		said[path] = titles(e.lenses(path))[0]
	}
	for path, text := range drafts {
		e.write(path, text)
	}
	c := config(nil)
	r, err := loader.New(loader.Config{Source: git.OnDisk(e.dir), Drafts: true, Schemas: c.Schemas,
		Now: c.Now}).Load(t.Context())
	e.must(err)
	plan, err := change.Plan(c.Schemas, r.Snapshot, nil)
	e.must(err)
	if len(plan) != len(drafts) {
		t.Errorf("%d steps", len(plan))
	}
	for _, p := range plan {
		version, class := "v"+p.Tag.Version.String(), p.Class.String()
		got := said[p.Tag.Kind.File(p.Tag.Name)]
		if !strings.Contains(got, "→ "+version) || p.Old != nil && !strings.HasSuffix(got, class) {
			t.Errorf("%s: the lens says %q, the plan %s %s", p.Tag, got, version, class)
		}
	}
}

// When something is published elsewhere, the client is asked to look again.
func TestLensesFollowTags(t *testing.T) {
	e := small(t)
	e.open("scenarios/two.yaml", e.read("scenarios/two.yaml"))
	if got := titles(e.lenses("scenarios/two.yaml"))[0]; got != "not published yet → v1.0.0" {
		t.Fatal(got)
	}
	runGit(t, e.dir, "tag", "scenarios/two/v1.0.0")
	for asked := 0; titles(e.lenses("scenarios/two.yaml"))[0] != "published: v1.0.0"; asked++ {
		e.await("it asks for lenses again", func() bool { return e.refresh > asked })
	}
}

func TestLensesInRussian(t *testing.T) {
	e := six(t, func(p *initializeParams) { p.Locale = "ru" })
	e.open(common, e.with(common, "title: ", "title: Новый "))
	if got := titles(e.lenses(common)); !strings.HasSuffix(got[0], ": формулировка") {
		t.Errorf("%q", got)
	}
}
