package lsp

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
)

// requestFailed is the code of a request that is valid and cannot be granted.
const requestFailed jsonrpc2.Code = -32803

// errParams is the error of a request with unsuitable parameters.
var errParams = jsonrpc2.ErrInvalidParams

func (l localizer) refuse(format string, values ...any) error {
	return jsonrpc2.NewError(requestFailed, l.say(format, values...))
}

// PrepareRename implements protocol.Server: it returns what would be renamed, or why it
// cannot be.
func (s *server) PrepareRename(
	ctx context.Context, p *protocol.PrepareRenameParams,
) (protocol.PrepareRenameResult, error) {
	q, err := s.ask(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, ignoreAbsent(err)
	}
	t := q.target(p.Position)
	if err := t.renameable(); err != nil {
		return nil, err
	}
	return &protocol.PrepareRenamePlaceholder{Range: t.units.rangeOf(t.text, t.word), Placeholder: t.symbol.code}, nil
}

// renameable returns the reason why the value at the cursor cannot be renamed.
func (t *target) renameable() error {
	switch {
	case t.symbol.item != "":
		return t.tongue.refuse(saysNeverID, t.text.slice(t.word), t.symbol.item)
	case t.symbol.code == "":
		return t.tongue.refuse(saysNotCode)
	}
	if _, ok := t.view.record(t.symbol.list, t.symbol.code); !ok {
		return t.tongue.refuse(saysUnknown, t.symbol.code, t.symbol.list)
	}
	return nil
}

// Rename implements protocol.Server: it renames a code everywhere. If the code is published,
// it warns of the effect on readers.
func (s *server) Rename(ctx context.Context, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	q, err := s.ask(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, ignoreAbsent(err)
	}
	if err := q.wait(ctx, versions); err != nil {
		return nil, err
	}
	t := q.target(p.Position)
	if err := t.renameable(); err != nil {
		return nil, err
	}
	r := &renaming{target: t, to: p.NewName}
	if err := r.plan(); err != nil {
		return nil, err
	}
	warning := r.warning()
	if warning != "" {
		s.async("warn", func(ctx context.Context) {
			message := &protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: warning}
			_ = s.client.ShowMessage(ctx, message)
		})
	}
	return r.edit(warning), nil
}

// renaming is a new name for a code, with the files that change.
type renaming struct {
	*target
	to    string
	files []renamed
}

// renamed is a file with the places of the code.
type renamed struct {
	*entry
	spans []span
	after check.File
}

// plan finds the places, and returns an error if the new name is not allowed.
func (r *renaming) plan() error {
	if err := r.findUnreadable(); err != nil {
		return err
	}
	if _, taken := r.view.record(r.symbol.list, r.to); taken && r.to != r.symbol.code {
		return r.tongue.refuse(saysTaken, r.to, r.symbol.list)
	}
	for _, n := range r.view.named(r.symbol) {
		if last := len(r.files) - 1; last < 0 || r.files[last].entry != n.entry {
			r.files = append(r.files, renamed{entry: n.entry})
		}
		f := &r.files[len(r.files)-1]
		f.spans = append(f.spans, n.span(n.Name))
	}
	for i := range r.files {
		if err := r.validate(&r.files[i]); err != nil {
			return err
		}
	}
	return nil
}

// findUnreadable returns an error for a file that cannot be parsed and contains the code,
// since its places are unknown. Cases are not searched: one that expects the old code fails
// and becomes a finding.
func (r *renaming) findUnreadable() error {
	for _, path := range slices.Sorted(maps.Keys(r.entries)) {
		e := r.entries[path]
		if !content.HoldsSeals(path) && !content.HoldsCases(path) && !e.readable() &&
			bytes.Contains(e.raw, []byte(r.symbol.code)) {
			return r.tongue.refuse(saysUnread, path, r.symbol.code)
		}
	}
	return nil
}

// validate checks a file with the new name.
func (r *renaming) validate(f *renamed) error {
	raw := replaced(f.text, f.spans, r.to)
	tree, _ := r.reader.Open(f.path, raw)
	if len(tree.Items) == 1 {
		f.after = tree.Items[0]
	}
	before := map[string]int{}
	for _, x := range f.findings {
		before[x.Rule]++
	}
	for _, x := range tree.Findings {
		if before[x.Rule]--; before[x.Rule] < 0 && x.Severity == content.Error {
			message, _ := r.tongue.finding(x)
			return r.tongue.refuse(saysRefused, f.path, x.Line, message)
		}
	}
	return nil
}

// replaced returns a text with its spans replaced.
func replaced(t *text, spans []span, by string) []byte {
	var raw []byte
	from := 0
	slices.SortFunc(spans, func(a, b span) int { return t.offset(a.start) - t.offset(b.start) })
	for _, s := range spans {
		raw = append(append(raw, t.raw[from:t.offset(s.start)]...), by...)
		from = t.offset(s.end)
	}
	return append(raw, t.raw[from:]...)
}

// warning describes the effect of the new name on readers, "" if the code is not published.
func (r *renaming) warning() string {
	for _, f := range r.files {
		if !f.isItem() || f.file.Kind != content.Registries {
			continue
		}
		next, err := r.nextPublication(f.after)
		lost := func(x change.Field) bool { return x.Code() == r.symbol.code }
		if err == nil && next.Old != nil && slices.ContainsFunc(next.Fields, lost) {
			return r.tongue.say(saysBreaking, r.symbol.code, f.file.Item(), next.Old, next.Least)
		}
	}
	return ""
}

// annotation is the id of the warning that belongs to an edit.
const annotation = "published"

// edit is the new name in all files. If there is a warning, the client is to ask for
// confirmation, if it supports that.
func (r *renaming) edit(warning string) *protocol.WorkspaceEdit {
	edit := &protocol.WorkspaceEdit{}
	if !r.can.versions {
		edit.Changes = map[uri.URI][]protocol.TextEdit{}
		for _, f := range r.files {
			edit.Changes[r.uriOf(f.entry)] = r.edits(f)
		}
		return edit
	}
	ask := warning != "" && r.can.annotate
	if ask {
		label := r.tongue.say(saysRename, r.symbol.code, r.to)
		edit.ChangeAnnotations = map[protocol.ChangeAnnotationIdentifier]protocol.ChangeAnnotation{
			annotation: {Label: label, NeedsConfirmation: new(true), Description: &warning},
		}
	}
	for _, f := range r.files {
		edit.DocumentChanges = append(edit.DocumentChanges, r.changed(f.entry, r.edits(f), ask))
	}
	return edit
}

func (r *renaming) edits(f renamed) (edits []protocol.TextEdit) {
	for _, s := range f.spans {
		edits = append(edits, protocol.TextEdit{Range: r.units.rangeOf(f.text, s), NewText: r.to})
	}
	return edits
}

// changed is an edit of a specific version of a file.
func (v *view) changed(e *entry, edits []protocol.TextEdit, ask bool) *protocol.TextDocumentEdit {
	d := &protocol.TextDocumentEdit{}
	d.TextDocument.URI = v.uriOf(e)
	if e.buffer != nil {
		d.TextDocument.Version = &e.buffer.version
	}
	for _, t := range edits {
		if ask {
			d.Edits = append(d.Edits, &protocol.AnnotatedTextEdit{TextEdit: t, AnnotationID: annotation})
		} else {
			d.Edits = append(d.Edits, &t)
		}
	}
	return d
}
