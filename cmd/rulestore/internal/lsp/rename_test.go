package lsp

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// rename renames what is at the cursor, and returns the files as the edit makes them.
func (e *editor) rename(path, text, to string) (map[string]string, *protocol.WorkspaceEdit, error) {
	e.Helper()
	edit, err := e.Rename(e.Context(), &protocol.RenameParams{TextDocumentPositionParams: e.at(path, text),
		NewName: to})
	if err != nil {
		return nil, nil, err
	}
	return e.applied(edit), edit, nil
}

// applied returns the files that an edit changes, as it makes them.
func (e *editor) applied(edit *protocol.WorkspaceEdit) map[string]string {
	e.Helper()
	after := map[string]string{}
	apply := func(u string, edits []protocol.TextEdit) {
		path, err := filepath.Rel(e.dir, u)
		e.must(err)
		text := newText([]byte(e.typed(path)))
		slices.SortFunc(edits, func(a, b protocol.TextEdit) int {
			return text.offset(inUTF16.spot(text, b.Range.Start)) - text.offset(inUTF16.spot(text, a.Range.Start))
		})
		for _, t := range edits { // from the end
			text = newText(replaced(text, []span{inUTF16.span(text, t.Range)}, t.NewText))
		}
		after[path] = string(text.raw)
	}
	for u, edits := range edit.Changes {
		apply(u.FsPath(), edits)
	}
	for _, c := range edit.DocumentChanges {
		d := c.(*protocol.TextDocumentEdit)
		var edits []protocol.TextEdit
		for _, t := range d.Edits {
			switch t := t.(type) {
			case *protocol.TextEdit:
				edits = append(edits, *t)
			case *protocol.AnnotatedTextEdit:
				edits = append(edits, t.TextEdit)
			}
		}
		apply(d.TextDocument.URI.FsPath(), edits)
	}
	return after
}

// A code is renamed wherever it is named, saved or not, and nowhere else; people are told
// first that readers rely on it.
func TestRename(t *testing.T) {
	e := small(t)
	one := strings.ReplaceAll(scenarioFile, "NAME", "one")
	e.open("scenarios/three.yaml", strings.ReplaceAll(scenarioFile, "NAME", "three")+
		"product_types: [\"loan\", deposit] # loan\n")
	want := map[string]string{
		"registries/taxonomy.yaml": strings.Replace(taxonomyFile, "code: loan", "code: credit", 1),
		"scenarios/one.yaml":       one + "product_types: [deposit, credit]\n",
		"scenarios/two.yaml":       strings.ReplaceAll(scenarioFile, "NAME", "two") + "product_types: [credit]\n",
		"scenarios/three.yaml": strings.ReplaceAll(scenarioFile, "NAME", "three") +
			"product_types: [\"credit\", deposit] # loan\n",
	}
	for from, text := range map[string]string{
		"scenarios/one.yaml":       one + "product_types: [deposit, lo¦an]\n",
		"registries/taxonomy.yaml": strings.Replace(taxonomyFile, "code: loan", "code: ¦loan", 1),
	} {
		t.Run(from, func(t *testing.T) {
			e := e.in(t)
			got, edit, err := e.rename(from, text, "credit")
			e.must(err)
			if !maps.Equal(got, want) {
				t.Errorf("it becomes %q", got)
			}
			const says = "loan is published in registries/taxonomy v1.2.0: to rename it breaks what readers rely on, " +
				"v1.2.0 → v2.0.0"
			e.await("people are told", func() bool { return slices.Contains(e.messages, says) })
			if ask := edit.ChangeAnnotations[annotation]; ask.Description == nil || *ask.Description != says ||
				!value(ask.NeedsConfirmation) {
				t.Errorf("the client asks %+v", edit.ChangeAnnotations)
			}
		})
	}
}

// A code that nobody has published is renamed without ado.
func TestRenameOfDraft(t *testing.T) {
	e := small(t)
	e.open("registries/taxonomy.yaml", strings.Replace(taxonomyFile, "code: loan",
		"code: new_loan, title: Новый}\n  - {code: loan", 1))
	_, edit, err := e.rename("scenarios/one.yaml", strings.ReplaceAll(scenarioFile, "NAME", "one")+
		"product_types: [new_¦loan]\n", "newest_loan")
	e.must(err)
	if len(edit.DocumentChanges) != 2 || len(edit.ChangeAnnotations) > 0 {
		t.Errorf("%+v", edit)
	}
}

// What cannot be renamed is refused, with the reason.
func TestNoRename(t *testing.T) {
	e := small(t)
	one := strings.ReplaceAll(scenarioFile, "NAME", "one")
	for _, c := range []struct{ name, path, text, to, says string }{
		{"an id", "scenarios/one.yaml", strings.Replace(one, "scenario_id: one", "scenario_id: o¦ne", 1), "two",
			"one is the id of scenarios/one, and an id never changes"},
		{"a reference", "instructions/work.yaml", strings.Replace(workFile, "[one]", "[o¦ne]", 1), "two",
			"one is the id of scenarios/one, and an id never changes"},
		{"a text", "scenarios/one.yaml", strings.Replace(one, "Сценарий", "Сце¦нарий", 1), "x",
			"only codes of registries can be renamed"},
		{"the name of a field", "scenarios/one.yaml", strings.Replace(one, "title:", "ti¦tle:", 1), "x",
			"only codes of registries can be renamed"},
		{"a code that there is none of", "scenarios/one.yaml", one + "product_types: [noth¦ing]\n", "x",
			`the code "nothing" is not in taxonomy/product_types`},
		{"to a code that there is", "scenarios/one.yaml", one + "product_types: [lo¦an]\n", "deposit",
			`the code "deposit" is in taxonomy/product_types already`},
		{"to what is no code", "scenarios/one.yaml", one + "product_types: [lo¦an]\n", "Не код",
			"registries/taxonomy.yaml:8: "},
		{"to what breaks the line", "scenarios/one.yaml", one + "product_types: [lo¦an]\n", "x\n  y: [",
			"registries/taxonomy.yaml:"},
		{"to nothing", "scenarios/one.yaml", one + "product_types: [lo¦an]\n", "", "registries/taxonomy.yaml:8: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			got, _, err := e.rename(c.path, c.text, c.to)
			if err == nil || !strings.HasPrefix(err.Error(), c.says) {
				t.Errorf("%v, it says %v", got, err)
			}
			prepared, err := e.PrepareRename(t.Context(),
				&protocol.PrepareRenameParams{TextDocumentPositionParams: e.at(c.path, c.text)})
			if strings.HasPrefix(c.name, "to ") {
				if p, ok := prepared.(*protocol.PrepareRenamePlaceholder); err != nil || !ok ||
					p.Placeholder != "loan" {
					t.Errorf("beforehand it says %v, %v", prepared, err)
				}
			} else if err == nil || !strings.HasPrefix(err.Error(), c.says) {
				t.Errorf("beforehand it says %v, %v", prepared, err)
			}
		})
	}
	t.Run("while a file cannot be read", func(t *testing.T) {
		e := e.in(t)
		e.open("scenarios/two.yaml", "product_types: [loan\na: [")
		if _, _, err := e.rename("scenarios/one.yaml", one+"product_types: [lo¦an]\n", "credit"); err == nil ||
			!strings.HasPrefix(err.Error(), "scenarios/two.yaml cannot be read") {
			t.Errorf("it says %v", err)
		}
	})
}
