package page

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// Finding is one thing wrong with content.
type Finding struct {
	Severity             string
	Message, Place, Hint string
	Excerpt              *Excerpt // nil if there is none
}

// Excerpt is a line of a file with a caret below what is meant.
type Excerpt struct {
	Line  int
	Text  string
	Caret int // how many characters stand before
}

// Pointed returns the line with its number, and the caret below it.
func (e *Excerpt) Pointed() string {
	return fmt.Sprintf("%5d | %s\n      | %*s", e.Line, e.Text, e.Caret+1, "^")
}

// Remark is a finding that is shown at what it is about.
type Remark struct {
	Finding
	ID     string // the anchor
	Line   int    // in the file, 0 if it is about the file as a whole
	Offset int    // in the Markdown, at which what it is about begins; -1 for nowhere
	Placed bool   // it stands in the text
}

// Manuscript is a file that there is something to say about.
type Manuscript struct {
	Path, Href string // an address may be ""
	Errors     int
	Others     int       // warnings and notes
	Findings   []Finding // of what has no page of its own
}

// Source is a part of a file as it is written.
type Source struct {
	Path  string
	Lines []SourceLine
}

// SourceLine is a line of it; Broken is the one to look at.
type SourceLine struct {
	Number int
	Text   string
	Broken bool
}

// remark is a block of a document with what is to be said there.
type remark struct {
	ast.BaseBlock
	html []byte
}

var remarkKind = ast.NewNodeKind("Remark")

// Kind implements ast.Node.
func (n *remark) Kind() ast.NodeKind { return remarkKind }

// Dump implements ast.Node.
func (n *remark) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

func (r *reader) remark(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.Write(n.(*remark).html)
	}
	return ast.WalkSkipChildren, nil
}

// place puts the remarks behind the blocks that they are about, and marks those
// that found one.
func (r *reader) place(root ast.Node) {
	for i := range r.Remarks {
		m := &r.Remarks[i]
		block := r.blockAt(root, m.Offset)
		if block == nil {
			continue
		}
		m.Placed = true
		insert(block, &remark{html: execute("remark", m)})
	}
}

// blockAt returns the first block whose text ends behind an offset, nil if there is
// none.
func (r *reader) blockAt(root ast.Node, offset int) (found ast.Node) {
	if offset < 0 || offset >= len(r.source) {
		return nil
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		if !entering || n.Type() != ast.TypeBlock || n.Lines() == nil || n.Lines().Len() == 0 {
			return ast.WalkContinue, nil
		}
		if lines := n.Lines(); lines.At(lines.Len()-1).Stop >= offset {
			found = n
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return found
}

// insert puts a remark behind a block and the remarks that are there already, or
// into the cell of a table.
func insert(block ast.Node, m *remark) {
	if block.Kind() == extast.KindTableCell {
		block.AppendChild(block, m)
		return
	}
	after := block
	for next := after.NextSibling(); next != nil && next.Kind() == remarkKind; next = next.NextSibling() {
		after = next
	}
	block.Parent().InsertAfter(block.Parent(), after, m)
}

// execute runs a template of the parts that pages share.
func execute(name string, data any) []byte {
	var out bytes.Buffer
	if err := templates()["item"].ExecuteTemplate(&out, name, data); err != nil {
		panic(err) // a template that does not fit its data
	}
	return out.Bytes()
}
