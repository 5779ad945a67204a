package lsp

import (
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
)

// document is a file as the editor has it. It is immutable: an edit makes another.
type document struct {
	*text
	uri     documentURI
	path    string // in the folder
	version int32
}

// entry is a file of the folder, checked.
type entry struct {
	*text
	path         string
	buffer       *document // the editor's text; nil if the file is as saved
	file         check.File
	root         *check.Document // of a file in the root, nil if it cannot be read
	findings     []content.Finding
	names        []check.Name
	lastReadable *entry // the last version that could be parsed; nil if this one can, or none could
}

// entry checks a file; before is its previous entry.
func (f *folder) entry(path string, t *text, of *document, before *entry) *entry {
	e := &entry{text: t, path: path, buffer: of}
	tree, ok := f.reader.Open(path, t.raw)
	if !ok {
		return e
	}
	e.findings = tree.Findings
	if len(tree.Items) == 1 {
		e.file = tree.Items[0]
		e.names = e.file.Names(f.schemas)
	} else if path == content.SettingsFile || path == content.LifecycleFile {
		if e.root, _ = check.Parse(path, t.raw); e.root != nil {
			e.names = e.root.Names(f.schemas)
		}
	}
	if before != nil && !e.readable() {
		e.lastReadable = before.readableLast()
	}
	return e
}

func (e *entry) readable() bool { return e.root != nil || e.file.Value() != nil }

// readableLast returns the last version of the file that could be parsed, nil if there is
// none.
func (e *entry) readableLast() *entry {
	if e.readable() {
		return e
	}
	return e.lastReadable
}

// isItem reports whether the file is an item.
func (e *entry) isItem() bool { return e.file.Kind != nil }

// spot returns the position of a value.
func (e *entry) spot(pointer []string) spot {
	if e.root != nil {
		return e.spotOf(e.root.Position(pointer...))
	}
	return e.spotOf(e.file.Position(pointer...))
}

// span returns the position of a name, without its quotes.
func (e *entry) span(n check.Name) span { return e.token(e.spot(n.Pointer), n.Text) }

// token returns the span of a text that begins at a spot, without its quotes.
func (t *text) token(at spot, value string) span {
	line := t.line(at.line)
	if at.column >= len(line) {
		return span{at, at}
	}
	if q := line[at.column]; q == '"' || q == '\'' {
		at.column++
		return span{at, spot{at.line, closing(line, at.column, q)}}
	}
	return span{at, spot{at.line, min(at.column+len(value), len(line))}}
}

// view is an immutable snapshot of a folder.
type view struct {
	*folder
	entries   map[string]*entry // by path
	published *content.Snapshot // nil if unknown
}

// all lists the last parsable versions of the files, by path.
func (v *view) all() []*entry {
	var all []*entry
	for _, e := range v.entries {
		if last := e.readableLast(); last != nil {
			all = append(all, last)
		}
	}
	slices.SortFunc(all, func(a, b *entry) int { return strings.Compare(a.path, b.path) })
	return all
}

// item returns the file of an item, nil if there is none.
func (v *view) item(id string) *entry {
	for _, e := range v.entries {
		if e.isItem() && e.file.Item() == id {
			return e
		}
	}
	return nil
}

// named is a name and its file.
type named struct {
	*entry
	check.Name
}

// find lists the names that satisfy wanted, by file.
func (v *view) find(wanted func(check.Name) bool) (all []named) {
	for _, e := range v.all() {
		for _, n := range e.names {
			if wanted(n) {
				all = append(all, named{e, n})
			}
		}
	}
	return all
}

// records lists the records of a list, in its order.
func (v *view) records(list string) []named {
	return v.find(func(n check.Name) bool { return n.Defines && n.List == list })
}

// record finds a record by its code.
func (v *view) record(list, code string) (named, bool) {
	for _, r := range v.records(list) {
		if r.Text == code {
			return r, true
		}
	}
	return named{}, false
}

// title returns the title of an item or a record, else its first text for readers.
func (n named) title(root *content.Field) string {
	at := n.Pointer[:len(n.Pointer)-1]
	record, _ := n.file.Value(at...).(map[string]any)
	if title, ok := record["title"].(string); ok {
		return title
	}
	if f := root.At(at...); f != nil {
		for _, g := range f.Fields {
			if text, ok := record[g.Name].(string); ok && g.Prose {
				return text
			}
		}
	}
	return ""
}
