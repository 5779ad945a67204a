package page

import (
	"bytes"
	"html/template"
)

// PartSize is the maximum size of the HTML of a long list on one page, in bytes, so that the
// whole page is smaller than 100 KB.
const PartSize = 80 << 10

// part is an element of a list on a page, with the names of the templates of the page and of the
// element.
type part interface {
	template() (page, part string)
}

func (Row) template() (page, part string)         { return "item", "row" }
func (Entry) template() (page, part string)       { return "list", "entry" }
func (RejectedTag) template() (page, part string) { return "health", "rejected" }
func (Finding) template() (page, part string)     { return "health", "found" }

// Fitting renders parts of a page one by one, at most n, as many as fit into [PartSize]: at
// least one, if there are any. Parts after the first that does not fit are not rendered.
func Fitting[P part](n int, make func(i int) P) (parts []P) {
	left := PartSize
	return FitInto(&left, n, make)
}

// FitInto is [Fitting] with the remaining room that several lists share.
func FitInto[P part](left *int, n int, make func(i int) P) (parts []P) {
	size := 0
	for i := range n {
		p := make(i)
		of, name := p.template()
		var drawn bytes.Buffer
		if err := templates()[of].ExecuteTemplate(&drawn, name, p); err != nil {
			panic(err) // a template that does not fit its data
		}
		if size+drawn.Len() > *left && i > 0 {
			break
		}
		size += drawn.Len()
		if row, ok := any(&p).(*Row); ok { // rendered once, as there are hundreds
			row.Drawn = template.HTML(drawn.String())
		}
		parts = append(parts, p)
	}
	*left -= size
	return parts
}
