package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/loader"
	"rulestore/loader/git"
)

// What is found is what validate finds: while one types, in the file, against the other files, typed or saved,
// and against what is published; it goes when it is mended or the file is closed.
func TestFindings(t *testing.T) {
	e := small(t, "")
	valid := scenario("one", "deposit, loan")
	for _, c := range []struct {
		name, path, text string
		want             []string
	}{
		{"nothing", one, valid, nil},
		{"a field", one, valid + "typo: 1\n", []string{"6:1-6:5 unknown-field"}},
		{"a code, behind letters of two units", one, "{scenario_id: one, schema_version: \"1.0\", title: «Ё𝔸𝔸», " +
			"description: Описание сценария, product_types: [depozit]}\n", []string{"1:107-1:114 unknown-code"}},
		{"YAML", one, "a: [", []string{"1:1-1:2 syntax"}},
		{"the settings", "rulestore.yaml", settingsFile + "dema: 1\n", []string{"10:1-10:5 unknown-field"}},
		{"a mark", "lifecycle.yaml", strings.Replace(marksFile, "/one", "/nine", 1), []string{"3:12-3:26 mark"}},
		{"a seal", "sealed/scenarios/one.sum", "nonsense\n", []string{"1:1-1:9 seal"}},
		{"a file that is too large", two, scenario("two", "loan") + strings.Repeat("#", check.MaxSize),
			[]string{"1:1-1:1 size"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			e.open(c.path, c.text)
			e.findings(c.path, c.want...)
			e.close(c.path)
			e.findings(c.path)
		})
	}
}

// Findings follow other files: as they are typed, as they are saved, and as they are when nobody tells of it.
func TestFindingsFollowFiles(t *testing.T) {
	e := small(t, "")
	const unknown = "5:17-5:21 unknown-code"
	card := taxonomyFile + "  - {code: card, title: Карта}\n"
	e.open(one, scenario("one", "card"))
	e.findings(one, unknown)
	e.open(taxonomy, card)
	e.findings(one)
	e.close(taxonomy)
	e.findings(one, unknown)
	save(t, e.dir, taxonomy, card)
	e.findings(one)
	save(t, e.dir, taxonomy, taxonomyFile)
	e.tell("textDocument/didSave", e.document(one, nil))
	e.findings(one, unknown)
}

// People are answered in the language that their editor names.
func TestLanguage(t *testing.T) {
	for locale, want := range map[string]string{
		"ru": "Возможно", "ru-RU": "Возможно", "RU_ru": "Возможно", "en": "did you mean", "": "did you mean",
		"de": "did you mean", "rue": "did you mean",
	} {
		t.Run(locale, func(t *testing.T) {
			dir := t.TempDir()
			save(t, dir, "rulestore.yaml", settingsFile)
			e := start(t, dir, locale)
			e.open(one, strings.ReplaceAll(scenarioFile, "NAME", "one")+"product_type: []\n")
			if m := e.findings(one, "5:1-5:13 unknown-field")[0].Message; !strings.Contains(m, want) {
				t.Errorf("it says %q", m)
			}
		})
	}
}

// within is the text in a range of one line.
func within(t text, r textRange) string { return t[r.Start.Line][t.column(r.Start):t.column(r.End)] }

// offered says what the line becomes with each of the offers: "card — Карта: product_types: [card]".
func (e *editor) offered(path, textWithCursor string) (all []string) {
	e.Helper()
	var list completionList
	e.ask("textDocument/completion", e.at(path, textWithCursor), &list)
	text := newText([]byte(e.texts[path]))
	for _, i := range list.Items {
		line := text[i.TextEdit.Range.Start.Line]
		from, to := text.column(i.TextEdit.Range.Start), text.column(i.TextEdit.Range.End)
		all = append(all, i.Label+" — "+i.Detail+": "+line[:from]+i.TextEdit.NewText+line[to:])
	}
	return all
}

// Each case is a file as it is being typed, which need not parse: what is offered, and what the line becomes.
func TestCompletion(t *testing.T) {
	e := small(t, "")
	e.open(three, scenario("three", ""))
	const head = "scenario_id: four\n"
	for _, c := range []struct{ name, path, text, want string }{
		{"a code", four, head + "product_types:\n  - lo¦\n", "loan — Заём:   - loan"},
		{"a list as indented as its name", four, head + "product_types:\n- deposit\n- ¦\n", "loan — Заём: - loan"},
		{"right behind the dash", four, head + "product_types:\n  -¦\n", "loan — Заём:   - loan"},
		{"in brackets, in a broken file", four, head + "a: [\nproduct_types: [deposit, ¦",
			"loan — Заём: product_types: [deposit, loan"},
		{"in brackets on several lines", four, head + "product_types: [deposit,\n  lo¦]\n", "loan — Заём:   loan]"},
		{"in quotes", four, head + "product_types: [\"d¦\"]\n", "loan — Заём: product_types: [\"loan\"]"},
		{"behind letters of two units", four, "{title: «Ё𝔸𝔸», product_types: [¦]}\n",
			"loan — Заём: {title: «Ё𝔸𝔸», product_types: [loan]}"},
		{"an item", "instructions/new.yaml", "scenarios: [tw¦]\n", "two — Сценарий: scenarios: [two]"},
		{"an item that is typed", "rulestore.yaml", "scenarios:\n  - ¦\n", "three — Сценарий:   - three"},
		{"a mark's item", "lifecycle.yaml", "marks:\n  - status: archived\n    item:¦\n",
			"scenarios/two — Сценарий:     item: scenarios/two"},
		{"a mark in brackets", "lifecycle.yaml", "marks:\n  - {status: x, item: ¦}\n",
			"scenarios/two — Сценарий:   - {status: x, item: scenarios/two}"},
		{"the name of a field", four, "sc¦\n", ""},
		{"a value that refers to nothing", four, head + "title: ¦\n", ""},
		{"a comment", four, head + "product_types: # ¦\n", ""},
		{"a text", four, head + "description: |\n  product_types: [¦\n", ""},
		{"no content", "README.md", "¦", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := e.in(t).offered(c.path, c.text)
			if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
				t.Errorf("it offers %q, expected %q", got, c.want)
			}
		})
	}
}

// While a registry cannot be parsed, the codes that it had last are offered; of more offers than anybody reads, those
// that fit what is typed.
func TestOffers(t *testing.T) {
	e := small(t, "")
	var more strings.Builder
	for i := range maxOffers {
		fmt.Fprintf(&more, "  - {code: card_%d, title: Карта %[1]d}\n", i)
	}
	e.open(taxonomy, taxonomyFile+more.String())
	e.findings(taxonomy)
	e.open(taxonomy, taxonomyFile+more.String()+"a: [")
	e.findings(taxonomy, "209:1-209:2 syntax")
	var list completionList
	e.ask("textDocument/completion", e.at(two, "product_types: [lo¦"), &list)
	if len(list.Items) != 1 || list.Items[0].Label != "loan" || !list.IsIncomplete {
		t.Errorf("%+v", list)
	}
}

// What is at the cursor is explained by its title, an item also by its published version.
func TestHover(t *testing.T) {
	e := small(t, "ru-RU")
	for _, c := range []struct{ name, path, text, says, of string }{
		{"a code", four, "product_types: [deposit, lo¦an]\n", "loan — Заём", "loan"},
		{"a code of a list", taxonomy, "product_types:\n  - {code: lo¦an, title: x}\n", "loan — Заём", "loan"},
		{"an item", "rulestore.yaml", "scenarios: [\"on¦e\"]\n",
			"one — Сценарий\n\nопубликовано: v1.0.0, действует", "one"},
		{"its own id", two, strings.Replace(scenario("two", "loan"), "two", "t¦wo", 1),
			"two — Сценарий\n\nещё не опубликовано", "two"},
		{"an item that there is none of", "rulestore.yaml", "scenarios: [ni¦ne]\n",
			"scenarios/nine нет ни в папке, ни среди опубликованного", "nine"},
		{"a code that there is none of", four, "product_types: [ca¦rd]\n", "", ""},
		{"the name of a field", four, "pro¦duct_types: []\n", "", ""},
		{"a text", four, "title: o¦ne\n", "", ""},
		{"nothing", four, "¦", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			var h *hover
			e.ask("textDocument/hover", e.at(c.path, c.text), &h)
			says, of := "", ""
			if h != nil {
				text := newText([]byte(e.texts[c.path]))
				says, of = h.Contents.Value, within(text, h.Range)
			}
			if says != c.says || of != c.of {
				t.Errorf("it says %q of %q", says, of)
			}
		})
	}
}

// places says where locations are: "registries/taxonomy.yaml: loan".
func (e *editor) places(method string, params map[string]any) (all []string) {
	e.Helper()
	var found []location
	e.ask(method, params, &found)
	for _, l := range found {
		path, ok := strings.CutPrefix(l.URI, fileURI(e.dir)+"/")
		raw, typed := e.texts[path]
		if !typed {
			raw = e.read(path)
		}
		if !ok || strings.ContainsAny(l.URI, " я") {
			e.Errorf("%s cannot be opened", l.URI)
		}
		text := newText([]byte(raw))
		all = append(all, path+": "+within(text, l.Range))
	}
	return all
}

// From a code or an id one gets to its definition and to all its uses, in all files, typed or saved.
func TestReferences(t *testing.T) {
	e := small(t, "")
	e.open(three, scenario("three", "\"loan\""))
	for _, c := range []struct {
		name, path, text, definition string
		references                   []string
	}{
		{"a code", one, scenario("one", "deposit, lo¦an"), taxonomy + ": loan",
			[]string{one + ": loan", three + ": loan", two + ": loan"}},
		{"its record", taxonomy, strings.Replace(taxonomyFile, "code: loan", "code: lo¦an", 1), taxonomy + ": loan",
			[]string{one + ": loan", three + ": loan", two + ": loan"}},
		{"a code in a file that does not parse", one,
			scenario("one", "deposit, loan") + "a: [lo\nproduct_types: [lo¦an", taxonomy + ": loan",
			[]string{one + ": loan", three + ": loan", two + ": loan"}},
		{"an id", one, strings.Replace(scenario("one", "loan"), "one", "o¦ne", 1), one + ": one",
			[]string{"instructions/work.yaml: one", "lifecycle.yaml: scenarios/one", "rulestore.yaml: one"}},
		{"a mark's item", "lifecycle.yaml", strings.Replace(marksFile, "/one", "/o¦ne", 1), one + ": one",
			[]string{"instructions/work.yaml: one", "lifecycle.yaml: scenarios/one", "rulestore.yaml: one"}},
		{"a code that there is none of", one, scenario("one", "ca¦rd"), "", []string{one + ": card"}},
		{"the name of a field", one, "product¦_types: []\n", "", nil},
		{"nothing", one, "¦", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			at := e.at(c.path, c.text)
			if got := strings.Join(e.places("textDocument/definition", at), " "); got != c.definition {
				t.Errorf("it is at %q, expected %q", got, c.definition)
			}
			if got := e.places("textDocument/references", at); !slices.Equal(got, c.references) {
				t.Errorf("%q\nexpected %q", got, c.references)
			}
			if c.definition == "" {
				return
			}
			at["context"] = map[string]any{"includeDeclaration": true}
			if got := e.places("textDocument/references", at); !slices.Contains(got, c.definition) {
				t.Errorf("with the definition: %q", got)
			}
		})
	}
}

// lens is what stands above a file.
func (e *editor) lens(path string) string {
	e.Helper()
	var lenses []codeLens
	e.ask("textDocument/codeLens", e.document(path, nil), &lenses)
	if len(lenses) == 0 {
		return ""
	}
	return lenses[0].Command.Title
}

// Above an item stands what is published, and what the draft would become as it is typed.
func TestLens(t *testing.T) {
	e := small(t, "")
	text := scenario("one", "deposit, loan")
	for _, c := range []struct{ name, path, text, want string }{
		{"what is published", one, text, "published: v1.0.0, current"},
		{"a layout", one, "# Слова\n" + text, "published: v1.0.0, current"},
		{"wording", one, strings.Replace(text, "Описание", "Рассказ", 1), "v1.0.0 → v1.0.1: wording"},
		{"a draft", two, scenario("two", "loan"), "not published yet → v1.0.0"},
		{"a broken draft", one, strings.Replace(text, "title:", "titel:", 1),
			"v1.0.0, the draft cannot be published: 2 errors"},
		{"a new file that is broken", three, "a: [", "a draft that cannot be published: 1 error"},
		{"no item", "rulestore.yaml", settingsFile, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			e.open(c.path, c.text)
			if got := e.lens(c.path); got != c.want {
				t.Errorf("%q, expected %q", got, c.want)
			}
			e.close(c.path)
		})
	}
}

// When something is published elsewhere, the client is asked to look again.
func TestLensFollowsTags(t *testing.T) {
	e := small(t, "ru")
	e.open(two, e.read(two))
	if got := e.lens(two); got != "ещё не опубликовано → v1.0.0" {
		t.Fatal(got)
	}
	e.findings(two)
	runGit(t, e.dir, "tag", "scenarios/two/v1.0.0")
	for asked := 0; e.lens(two) != "опубликовано: v1.0.0, действует"; asked++ {
		e.await("it asks for lenses again", func() bool { return e.refresh > asked })
	}
}

// What a lens says of a draft is what status and publish say once it is saved.
func TestLensAgreesWithPlan(t *testing.T) {
	e := small(t, "")
	drafts := map[string]string{
		one: scenario("one", "loan"), two: scenario("two", "loan"),
		"instructions/work.yaml": strings.Replace(workFile, "Работа", "Работы", 1),
		taxonomy:                 taxonomyFile + "valid_from: 2026-01-01\n",
	}
	said := map[string]string{}
	for path, text := range drafts {
		e.open(path, text)
		said[path] = e.lens(path)
		save(t, e.dir, path, text)
	}
	c := config(nil)
	r, err := loader.New(loader.Config{
		Source: git.OnDisk(e.dir), Drafts: true, Schemas: c.Schemas, Now: c.Now,
	}).Load(t.Context())
	e.must(err)
	plan, err := change.Plan(c.Schemas, r.Snapshot, nil)
	e.must(err)
	if len(plan) != len(drafts) {
		t.Errorf("%d steps", len(plan))
	}
	for _, p := range plan {
		want := "not published yet → v" + p.Tag.Version.String()
		if p.Old != nil {
			want = "v" + p.Old.String() + " → v" + p.Tag.Version.String() + ": " + p.Class.String()
		}
		if got := said[p.Tag.Kind.File(p.Tag.Name)]; got != want {
			t.Errorf("%s: the lens says %q, the plan %s", p.Tag, got, want)
		}
	}
}
