package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// offered asks what may stand at the cursor: "label → text that replaces a range".
func (e *editor) offered(path, text string) []completionItem {
	e.Helper()
	var list completionList
	e.ask("textDocument/completion", e.at(path, text), &list)
	return list.Items
}

func labels(items []completionItem) (all []string) {
	for _, i := range items {
		all = append(all, i.Label)
	}
	return all
}

const head = "guideline_id: a.b.001\nschema_version: \"1.0\"\n"

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
			e.tell("workspace/didChangeWatchedFiles", struct{}{})
			at := e.at("rulestore.yaml", "scenarios: ["+c.typed+"¦]\n")
			var list completionList
			// until the new files are read
			for list.Items == nil || list.IsIncomplete == c.complete || len(list.Items) != c.want {
				e.ask("textDocument/completion", at, &list)
			}
		})
	}
}
