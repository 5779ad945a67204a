package lsp

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"rulestore/content"
	"rulestore/content/check"
)

// query is the context of a request: a document in a snapshot of its folder.
type query struct {
	*view
	*entry
	tongue localizer
}

// errNoDocument is the error of ask for a file that is not content.
var errNoDocument = errors.New("no document of the content")

// need is data of a folder that an answer depends on.
type need int

const (
	files    need = iota // the files and their texts
	versions             // the publications
	remarks              // the findings
	needs
)

// ask looks up a document and waits until the files of its folder have been read. Meanwhile,
// the next message is read.
func (s *server) ask(ctx context.Context, u uri.URI) (*query, error) {
	f, path := s.folderOf(u)
	if f == nil {
		return nil, errNoDocument
	}
	d := f.buffer(path)
	jsonrpc2.Async(ctx)
	if err := await(ctx, s.ctx, f.known[files]); err != nil {
		return nil, err
	}
	v := f.view()
	e := v.entries[path]
	if d != nil && (e == nil || e.buffer != d) { // it has changed since the check
		e = f.entry(path, d.text, d, e)
		v.entries[path] = e
	}
	if e == nil || len(e.raw) > check.MaxSize {
		return nil, errNoDocument
	}
	return &query{v, e, s.language()}, nil
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
		return protocol.ErrRequestCancelled
	case <-session.Done():
		return protocol.ErrRequestCancelled
	}
}

func (s *server) language() localizer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tongue
}

// ignoreAbsent removes errNoDocument: the answer is empty.
func ignoreAbsent(err error) error {
	if errors.Is(err, errNoDocument) {
		return nil
	}
	return err
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
func (q *query) target(p protocol.Position) *target {
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
func (v *view) location(n named) protocol.Location {
	return protocol.Location{URI: v.uriOf(n.entry), Range: v.units.rangeOf(n.text, n.span(n.Name))}
}

// uriOf returns the client's URI of a file.
func (v *view) uriOf(e *entry) uri.URI {
	if d := v.buffer(e.path); d != nil {
		return d.uri
	}
	return uri.File(v.folder.file(e.path))
}
