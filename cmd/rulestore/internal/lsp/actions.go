package lsp

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"rulestore/content"
	"rulestore/content/check"
)

// fixAll is the kind of the action that fixes a whole file, which editors can run before
// saving.
const fixAll = protocol.CodeActionKind(protocol.CodeActionKindSourceFixAll + ".rulestore")

// CodeAction implements protocol.Server: it offers the fixes of validate --fix, per rule and
// all at once, and suggested corrections.
func (s *server) CodeAction(ctx context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	q, err := s.ask(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, ignoreAbsent(err)
	}
	if err := q.wait(ctx, remarks); err != nil {
		return nil, err
	}
	asked := func(kind protocol.CodeActionKind) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only protocol.CodeActionKind) bool {
			return kind == only || strings.HasPrefix(string(kind), string(only)+".")
		})
	}
	all := []protocol.CommandOrCodeAction{}
	if asked(protocol.CodeActionKindQuickFix) {
		all = append(all, q.quickFixes(q.units.span(q.text, p.Range))...)
	}
	if fixed, rules := check.Fix(q.path, q.raw); len(rules) > 0 && asked(fixAll) {
		all = append(all, q.action(q.tongue.say(saysFixAll, strings.Join(rules, ", ")), fixAll, fixed))
	}
	return all, nil
}

// quickFixes lists the fixes for the findings in a span.
func (q *query) quickFixes(at span) (all []protocol.CommandOrCodeAction) {
	o, mended := q.outline(), map[string][]byte{} // by rule: each is tried once
	for _, x := range q.current() {
		around := o.around(q.text, x)
		if around.end.before(at.start) || at.end.before(around.start) {
			continue
		}
		if _, tried := mended[x.Rule]; !tried {
			mended[x.Rule], _ = check.FixRule(q.path, q.raw, x.Rule)
		}
		if fixed := mended[x.Rule]; !bytes.Equal(fixed, q.raw) {
			message, _ := q.tongue.finding(x)
			all = append(all, q.fixAction(x, q.tongue.say(saysFix, message), fixed))
		}
		if guess, ok := check.Meant(x); ok {
			all = append(all, q.fixAction(x, q.tongue.say(saysChange, guess), q.corrected(around, guess)))
		}
	}
	return all
}

// corrected is the file with the text at a finding replaced by the suggestion. A suggested
// folder/name replaces only the name.
func (q *query) corrected(at span, guess string) []byte {
	if text := q.text.slice(at); len(text) > 1 && (text[0] == '"' || text[0] == '\'') {
		at.start.column, at.end.column = at.start.column+1, at.end.column-1
	}
	if folder, _, ok := strings.Cut(q.text.slice(at), "/"); ok && content.KindOf(folder) != nil {
		guess = folder + "/" + guess
	}
	return replaced(q.text, []span{at}, guess)
}

// fixAction is the action that fixes a finding by replacing the file's text.
func (q *query) fixAction(x content.Finding, title string, into []byte) *protocol.CodeAction {
	a := q.action(title, protocol.CodeActionKindQuickFix, into)
	a.IsPreferred = new(true)
	a.Diagnostics = []protocol.Diagnostic{q.diagnostic(q.text, q.outline(), x, q.tongue)}
	return a
}

// action is the action that replaces the file's text.
func (q *query) action(title string, kind protocol.CodeActionKind, into []byte) *protocol.CodeAction {
	edits := q.units.difference(q.text, into)
	edit := &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{q.uriOf(q.entry): edits}}
	if q.can.versions {
		edit = &protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{q.changed(q.entry, edits, false)}}
	}
	return &protocol.CodeAction{Title: title, Kind: &kind, Edit: edit}
}
