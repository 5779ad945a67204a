package lsp

import (
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"rulestore/content/check"
)

// remedies asks what can be done about a whole file.
func (e *editor) remedies(path string, only ...protocol.CodeActionKind) (all []*protocol.CodeAction) {
	e.Helper()
	p := &protocol.CodeActionParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(path)},
		Context: protocol.CodeActionContext{Diagnostics: []protocol.Diagnostic{}, Only: only}}
	text := newText([]byte(e.typed(path)))
	p.Range = inUTF16.rangeOf(text, span{spot{}, text.end()})
	found, err := e.CodeAction(e.Context(), p)
	e.must(err)
	for _, f := range found {
		all = append(all, f.(*protocol.CodeAction))
	}
	return all
}

// Each remedy makes of the file what it should, and is offered for the finding that it
// mends.
func TestRemedies(t *testing.T) {
	e := small(t)
	one := strings.ReplaceAll(scenarioFile, "NAME", "one") + "product_types: [deposit, loan]\n"
	for _, c := range []struct {
		name, path, text, title, want string
	}{
		{"a field", "scenarios/one.yaml", strings.Replace(one, "title:", "titel:", 1), "Change to title", one},
		{"a code", "scenarios/one.yaml", strings.Replace(one, "deposit,", "deposti,", 1), "Change to deposit", one},
		{"a code in quotes", "scenarios/one.yaml", strings.Replace(one, "deposit,", "\"deposti\",", 1),
			"Change to deposit", strings.Replace(one, "deposit,", "\"deposit\",", 1)},
		{"a scenario of the settings", "rulestore.yaml", strings.Replace(settingsFile, "[one]", "[onne]", 1),
			"Change to one", settingsFile},
		{"a mark's item", "lifecycle.yaml",
			"schema_version: \"1.0\"\nmarks:\n  - {item: scenarios/onne, status: archived, reason: Проверка, since: " +
				"2026-01-01}\n", "Change to one",
			"schema_version: \"1.0\"\nmarks:\n  - {item: scenarios/one, status: archived, reason: Проверка, since: " +
				"2026-01-01}\n"},
		{"line ends", "scenarios/one.yaml", strings.ReplaceAll(one, "\n", "\r\n"), "Mend: the lines end in CR LF", one},
		{"the format", "scenarios/one.yaml", strings.Replace(one, `"1.0"`, "1.0", 1),
			"Mend: the format 1.0 is not known", one},
		{"a byte order mark", "scenarios/one.yaml", "\uFEFF" + one,
			"Mend: the file begins with a byte order mark", one},
		{"tabs", "scenarios/one.yaml", strings.Replace(one, "product_types: [deposit, loan]\n",
			"product_types:\n\t- deposit\n\t- loan\n", 1), "Mend: the line is indented with a tab",
			strings.Replace(one, "product_types: [deposit, loan]\n", "product_types:\n  - deposit\n  - loan\n", 1)},
		{"one of two", "scenarios/one.yaml", "\uFEFF" + strings.ReplaceAll(strings.Replace(one, "Сценарий\n",
			"Сценарий 𝔸\n", 1), "\n", "\r\n"), "Mend: the file begins with a byte order mark",
			strings.ReplaceAll(strings.Replace(one, "Сценарий\n", "Сценарий 𝔸\n", 1), "\n", "\r\n")},
		{"all", "scenarios/one.yaml", "\uFEFF" + strings.ReplaceAll(one, "\n", "\r\n"),
			"Mend all that is mechanical: bom, crlf", one},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			e.open(c.path, c.text)
			defer e.close(c.path)
			e.await("something is found", func() bool { return len(e.told[e.uri(c.path)].Diagnostics) > 0 })
			var titles []string
			for _, a := range e.remedies(c.path) {
				if titles = append(titles, a.Title); a.Title != c.title {
					continue
				}
				if got := e.applied(a.Edit)[c.path]; got != c.want {
					t.Errorf("it becomes %q, expected %q", got, c.want)
				}
				if a.Kind == nil || *a.Kind == protocol.CodeActionKindQuickFix && len(a.Diagnostics) != 1 {
					t.Errorf("it is %+v", a)
				}
				return
			}
			t.Errorf("it offers %q, not %q", titles, c.title)
		})
	}
}

// What an editor does before it saves is what validate --fix does.
func TestFixAll(t *testing.T) {
	e := small(t)
	const path = "scenarios/one.yaml"
	text := "\uFEFF" + strings.ReplaceAll(strings.ReplaceAll(scenarioFile, "NAME", "one"), "\n", " \r\n") + "a: 1.50"
	e.open(path, text)
	all := e.remedies(path, protocol.CodeActionKindSourceFixAll)
	want, _ := check.Fix(path, []byte(text))
	if len(all) != 1 || *all[0].Kind != fixAll || e.applied(all[0].Edit)[path] != string(want) {
		t.Errorf("%+v", all)
	}
	if some := e.remedies(path, protocol.CodeActionKindRefactor); len(some) > 0 {
		t.Errorf("as a refactoring it offers %v", some)
	}
	e.change(path, string(want))
	if some := e.remedies(path, protocol.CodeActionKindSource); len(some) > 0 {
		t.Errorf("for what is mended it offers %v", some)
	}
}

// A remedy is offered where its finding is.
func TestRemediesOfRange(t *testing.T) {
	e := small(t)
	const path = "scenarios/one.yaml"
	text, at := marked(t, strings.ReplaceAll(scenarioFile, "NAME", "one")+"product_types: [dep¦osti, lona]\n")
	e.open(path, string(text.raw))
	e.await("findings", func() bool { return len(e.told[e.uri(path)].Diagnostics) > 0 })
	p := &protocol.CodeActionParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(path)},
		Context: protocol.CodeActionContext{Diagnostics: []protocol.Diagnostic{}}}
	p.Range = inUTF16.rangeOf(text, span{at, at})
	found, err := e.CodeAction(t.Context(), p)
	e.must(err)
	var titles []string
	for _, f := range found {
		titles = append(titles, f.(*protocol.CodeAction).Title)
	}
	if want := []string{"Change to deposit"}; !slices.Equal(titles, want) {
		t.Errorf("it offers %q", titles)
	}
}
