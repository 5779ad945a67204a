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

// query is what a request asks about: a document, in the folder as it is.
type query struct {
	*view
	*entry
	tongue tongue
}

// errNoDocument is what ask returns for a document that there is nothing to say about.
var errNoDocument = errors.New("no document of the content")

// need is what has to be known of a folder before something can be answered.
type need int

const (
	files    need = iota // which files there are, and what is in them
	versions             // what is published
	remarks              // what is found in the files
	needs
)

// ask takes note of a document and lets the next message be read; it waits until the
// files of the folder were read.
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
	if d != nil && (e == nil || e.of != d) { // it has changed since
		e = f.entry(path, d.text, d, e)
		v.entries[path] = e
	}
	if e == nil || len(e.raw) > check.MaxSize {
		return nil, errNoDocument
	}
	return &query{v, e, s.language()}, nil
}

// wait waits until something else is known too.
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

func (s *server) language() tongue {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tongue
}

// absent makes nothing of a document that there is nothing to say about.
func absent(err error) error {
	if errors.Is(err, errNoDocument) {
		return nil
	}
	return err
}

// schema describes the fields of a file by the format that it names, or else by the
// newest.
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
		return e.text.of(n.value)
	}
	return ""
}

// target is what the cursor is at.
type target struct {
	*query
	place
	at     spot
	root   *content.Field // of the file
	field  *content.Field // of the value; of a name, of the value that has it
	symbol symbol
}

// symbol is what has a name and places where it is named: an item, or a record.
type symbol struct {
	item       string // folder and name
	list, code string
}

// target finds out what is at a position.
func (q *query) target(p protocol.Position) *target {
	t := &target{query: q, at: q.units.spot(q.text, p), root: q.schema(q.schemas)}
	t.place = q.outline().place(q.text, t.at)
	t.field = t.root.At(t.path...)
	if t.role == aValue || t.role == belowIt {
		t.symbol = t.symbolOf(q.text.of(t.word))
	}
	if t.symbol == (symbol{}) && (t.role == inText || t.field != nil && t.field.Prose) {
		t.symbol, t.word = t.mentioned()
	}
	return t
}

// symbolOf returns what the value at the cursor names or is the name of.
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

// isCode reports whether the cursor is at the code of a record.
func (t *target) isCode() bool {
	at := t.place.path
	if t.file.Kind != content.Registries || len(at) != 3 {
		return false
	}
	list := t.root.Field(at[0])
	return list != nil && list.Unique == at[2]
}

// idForm is what the name of an item looks like in a text.
var idForm = regexp.MustCompile(`[A-Za-z0-9_][A-Za-z0-9_./-]*[A-Za-z0-9_]`)

// mentioned finds an item that the text at the cursor names.
func (t *target) mentioned() (symbol, span) {
	for _, m := range idForm.FindAllIndex(t.line(t.at.line), -1) {
		at := span{spot{t.at.line, m[0]}, spot{t.at.line, m[1]}}
		if !at.holds(t.at) {
			continue
		}
		word := t.text.of(at)
		for _, e := range t.all() {
			if e.isCalled(word) {
				return symbol{item: e.file.Item()}, at
			}
		}
	}
	return symbol{}, span{}
}

// isCalled reports whether a word of a text names the item of the file. Without a folder
// it is a name only if no other word looks like it.
func (e *entry) isCalled(word string) bool {
	if !e.isItem() || word == e.file.Item() {
		return e.isItem()
	}
	return strings.ContainsAny(word, ".-") && (word == e.file.Name || word == e.file.Body.Text(e.file.Kind.ID))
}

// named lists the places where a symbol is named, and where it has its name.
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

// location returns where a name is.
func (v *view) location(n named) protocol.Location {
	return protocol.Location{URI: v.uriOf(n.entry), Range: v.units.rangeOf(n.text, n.span(n.Name))}
}

// uriOf returns what the client calls a file.
func (v *view) uriOf(e *entry) uri.URI {
	if d := v.buffer(e.path); d != nil {
		return d.uri
	}
	return uri.File(v.folder.file(e.path))
}
