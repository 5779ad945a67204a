package lsp

import (
	"context"
	"regexp"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
)

// query is the context of a request: a document in a snapshot of its folder.
type query struct {
	*view
	*entry
	tongue localizer
}

// need is data of a folder that an answer depends on.
type need int

const (
	files    need = iota // the files and their texts
	versions             // the publications
	remarks              // the findings
	needs
)

// questions are the requests about a document.
var questions = map[string]func(*query, context.Context, documentParams) (any, error){
	"textDocument/hover":      (*query).hover,
	"textDocument/completion": (*query).completion,
	"textDocument/definition": (*query).definition,
	"textDocument/references": (*query).references,
	"textDocument/codeLens":   (*query).lenses,
}

// ask returns what a request about a document needs, which may have to wait until the files of the
// folder have been read; nil if the file is not content. The document is what the editor's text was
// when the request came, nil if it was not open.
func (f *folder) ask(ctx context.Context, path string, d *document) (*query, error) {
	if err := await(ctx, f.ctx, f.known[files]); err != nil {
		return nil, err
	}
	v := f.view()
	e := v.entries[path]
	if d != nil && (e == nil || e.buffer != d) { // it has changed since the check
		e = f.entry(path, d.text, d, e)
		v.entries[path] = e
	}
	if e == nil || len(e.raw) > check.MaxSize {
		return nil, nil
	}
	return &query{v, e, f.language()}, nil
}

// wait waits for other data of the folder too.
func (q *query) wait(ctx context.Context, what need) error {
	if err := await(ctx, q.ctx, q.known[what]); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.view.published = q.folder.published
	return nil
}

// await waits for a channel to be closed.
func await(request, session context.Context, c <-chan struct{}) error {
	select {
	case <-c:
		return nil
	case <-request.Done():
	case <-session.Done():
	}
	return &rpcError{requestCancelled, "the request is cancelled"}
}

func (s *server) language() localizer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tongue
}

// schema describes the fields of a file by the format that it names, or by the newest.
func (e *entry) schema(schemas content.Schemas) *content.Field {
	folder, field := check.RootFormats(e.path), "schema_version"
	if e.isItem() {
		folder, field = content.FormatsOf(schemas, e.file.Kind, e.file.Name), e.file.Kind.Format
	}
	formats := schemas.Formats(folder)
	if len(formats) == 0 {
		return nil
	}
	if s := schemas.Schema(folder, e.format(field)); s != nil {
		return s.Root()
	}
	return schemas.Schema(folder, formats[len(formats)-1]).Root()
}

// format returns the format that the file names.
func (e *entry) format(field string) string {
	if format, ok := e.file.Value(field).(string); ok {
		return format
	}
	if n := e.outline().root.child(field); n != nil {
		return e.text.slice(n.value)
	}
	return ""
}

// target is the value at the cursor.
type target struct {
	*query
	place
	at     spot
	root   *content.Field // of the file
	field  *content.Field // of the value; of a name, of the value that has it
	symbol symbol
}

// symbol is an item or a record, which has a name and references.
type symbol struct {
	item       string // folder and name
	list, code string
}

// target finds the value at a position.
func (q *query) target(p position) *target {
	t := &target{query: q, at: q.units.spot(q.text, p), root: q.schema(q.schemas)}
	t.place = q.outline().place(q.text, t.at)
	t.field = t.root.At(t.path...)
	if t.role == valueRole || t.role == nestedValueRole {
		t.symbol = t.symbolOf(q.text.slice(t.word))
	}
	if t.symbol == (symbol{}) && (t.role == textRole || t.field != nil && t.field.Prose) {
		t.symbol, t.word = t.mentioned()
	}
	return t
}

// symbolOf returns the symbol that the value at the cursor defines or refers to.
func (t *target) symbolOf(text string) symbol {
	to := check.TargetOf(t.entry.path, t.place.path, t.field)
	switch {
	case text == "":
	case to.List != "":
		return symbol{list: to.List, code: text}
	case to.Item(text) != "":
		return symbol{item: to.Item(text)}
	case t.isItem() && len(t.place.path) == 1 && t.place.path[0] == t.file.Kind.ID:
		return symbol{item: t.file.Item()}
	case t.isCode():
		return symbol{list: t.file.Name + "/" + t.place.path[0], code: text}
	}
	return symbol{}
}

// isCode reports whether the cursor is on the code of a record.
func (t *target) isCode() bool {
	at := t.place.path
	if t.file.Kind != content.Registries || len(at) != 3 {
		return false
	}
	list := t.root.Field(at[0])
	return list != nil && list.Unique == at[2]
}

// idForm matches the name of an item in a text.
var idForm = regexp.MustCompile(`[A-Za-z0-9_][A-Za-z0-9_./-]*[A-Za-z0-9_]`)

// mentioned finds an item that the text at the cursor mentions.
func (t *target) mentioned() (symbol, span) {
	for _, m := range idForm.FindAllIndex(t.line(t.at.line), -1) {
		at := span{spot{t.at.line, m[0]}, spot{t.at.line, m[1]}}
		if !at.contains(t.at) {
			continue
		}
		word := t.text.slice(at)
		for _, e := range t.all() {
			if e.isCalled(word) {
				return symbol{item: e.file.Item()}, at
			}
		}
	}
	return symbol{}, span{}
}

// isCalled reports whether a word of a text is the name of the item of the file. A name
// without folder counts only if no other item has it.
func (e *entry) isCalled(word string) bool {
	if !e.isItem() || word == e.file.Item() {
		return e.isItem()
	}
	return strings.ContainsAny(word, ".-") && (word == e.file.Name || word == e.file.Body.Text(e.file.Kind.ID))
}

// named lists the places that define or refer to a symbol.
func (v *view) named(s symbol) []named {
	if s == (symbol{}) {
		return nil
	}
	return v.find(func(n check.Name) bool {
		if s.item != "" {
			return n.Item == s.item
		}
		return n.List == s.list && n.Text == s.code
	})
}

// location converts a name to the protocol.
func (v *view) location(n named) location {
	return location{URI: v.uriOf(n.entry), Range: v.units.rangeOf(n.text, n.span(n.Name))}
}

// uriOf returns the client's URI of a file.
func (v *view) uriOf(e *entry) documentURI {
	if d := v.buffer(e.path); d != nil {
		return d.uri
	}
	return fileURI(v.folder.file(e.path))
}
