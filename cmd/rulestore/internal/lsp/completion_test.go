package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// offered asks what may stand at the cursor: "label → text that replaces a range".
func (e *editor) offered(path, text string) []protocol.CompletionItem {
	e.Helper()
	got, err := e.Completion(e.Context(), &protocol.CompletionParams{TextDocumentPositionParams: e.at(path, text)})
	e.must(err)
	list, ok := got.(*protocol.CompletionList)
	if !ok {
		return nil
	}
	return list.Items
}

func labels(items []protocol.CompletionItem) (all []string) {
	for _, i := range items {
		all = append(all, i.Label)
	}
	return all
}

const head = "guideline_id: a.b.001\nschema_version: \"1.0\"\n"

// What is offered says in Russian what it is, and can be found by that.
func TestCompletionTitles(t *testing.T) {
	e := starterSession(t, func(p *protocol.InitializeParams) { p.Locale = new("ru") })
	for _, c := range []struct{ text, label, detail, about string }{
		{head + "own¦", "owner", "Ответственный (обязательно)", "Кто отвечает за содержание"},
		{head + "scenario: ¦", "fraud_risk", "риск мошенничества", ""},
		{head + "rules:\n  - stop_code: ¦", "STOP_PUNITIVE_ROUTE", "", ""},
		{head + "rules:\n  - related_guidelines: [¦]", "product.common.001",
			"Общие правила анализа финансового продукта", "С чего начинать"},
	} {
		t.Run(c.label, func(t *testing.T) {
			items := e.in(t).offered("guidelines/a.b.001.yaml", c.text)
			i := slices.Index(labels(items), c.label)
			if i < 0 {
				t.Fatal(labels(items))
			}
			detail, _ := items[i].Detail.Get()
			filter, _ := items[i].FilterText.Get()
			if c.detail != "" && detail != c.detail || detail == "" || !strings.Contains(filter, detail) ||
				!strings.HasPrefix(filter, c.label) {
				t.Errorf("%q, found by %q", detail, filter)
			}
			if about := fmt.Sprint(items[i].Documentation); c.about != "" && !strings.Contains(about, c.about) {
				t.Errorf("it says %s", about)
			}
		})
	}
}

// A code that is typed in another file, and not saved, is offered; while that file
// cannot be read, what it had is.
func TestCompletionAcrossBuffers(t *testing.T) {
	e := starterSession(t)
	const taxonomy, file, text = "registries/taxonomy.yaml", "guidelines/a.b.001.yaml",
		head + "applicability: {product_types: [¦]}\n"
	more := e.with(taxonomy, "product_types:\n", "product_types:\n  - {code: pawn_ticket, title: Залоговый билет}\n")
	e.open(taxonomy, more)
	if got := labels(e.offered(file, text)); len(got) == 0 || got[0] != "pawn_ticket" {
		t.Errorf("it offers %q", got)
	}
	e.change(taxonomy, more+"a: [\n")
	if got := labels(e.offered(file, text)); len(got) == 0 || got[0] != "pawn_ticket" {
		t.Errorf("while the registry is broken it offers %q", got)
	}
}

// Of more offers than anybody reads those are made that fit what is typed, and the
// client is told to ask again.
func TestManyOffers(t *testing.T) {
	e := small(t)
	for i := range 300 {
		e.write(fmt.Sprintf("scenarios/s%03d.yaml", i), strings.ReplaceAll(scenarioFile, "NAME",
			fmt.Sprintf("s%03d", i)))
	}
	for _, c := range []struct {
		typed    string
		want     int
		complete bool
	}{{"", maxOffers, false}, {"s29", 10, false}, {"s299", 1, false}, {"nothing", 0, false}} {
		t.Run(c.typed, func(t *testing.T) {
			e := e.in(t)
			e.must(e.DidChangeWatchedFiles(t.Context(),
				&protocol.DidChangeWatchedFilesParams{Changes: []protocol.FileEvent{}}))
			p := &protocol.CompletionParams{TextDocumentPositionParams: e.at("rulestore.yaml",
				"scenarios: ["+c.typed+"¦]\n")}
			var list *protocol.CompletionList
			// until the new files are read
			for list == nil || list.IsIncomplete == c.complete || len(list.Items) != c.want {
				got, err := e.Completion(t.Context(), p)
				e.must(err)
				list = got.(*protocol.CompletionList)
			}
		})
	}
}
