package page

import (
	"strconv"

	"rulestore/content/document"
)

const (
	// manyGroups is the minimum number of groups of words that are collapsed, as nobody reads so
	// many in order.
	manyGroups = 12
	// longGroups is the size in bytes above which groups have their own page.
	longGroups = 12 << 10
)

// areGroups reports whether a list only assigns words or phrases to many codes, like that of
// synonyms.
func areGroups(n *document.Node) bool {
	if n.Kind != document.Array || len(n.Kids) < manyGroups {
		return false
	}
	for i := range n.Kids {
		if code, words := group(&n.Kids[i], n.Unique()); code == nil || words == nil {
			return false
		}
	}
	return true
}

// group returns the code and the words of an element, nil if it is no group.
func group(n *document.Node, unique string) (code, words *document.Node) {
	if n.Kind != document.Object || len(n.Kids) != 2 {
		return nil, nil
	}
	for i := range n.Kids {
		switch k := &n.Kids[i]; {
		case k.Name == unique:
			code = k
		case k.Kind == document.Array && !k.Pointers() && isPhrases(k):
			words = k
		}
	}
	return code, words
}

func isPhrases(n *document.Node) bool {
	for i := range n.Kids {
		if k := &n.Kids[i]; k.Kind != document.Text || !k.Short(maxBeside) {
			return false
		}
	}
	return true
}

// groups draws collapsed groups of words, one on each line, or a link to them.
func (d *drawer) groups(n *document.Node) {
	if len(n.Raw) > longGroups && d.Only == nil && d.Path != "" && d.ids[n] != "" {
		d.raw(`<p><a href="`, d.pageOf(n), `">Показать все: `, strconv.Itoa(len(n.Kids)), "</a></p>\n")
		return
	}
	d.raw("<details><summary>Показать все: ", strconv.Itoa(len(n.Kids)), "</summary>\n<ul>\n")
	for i := range n.Kids {
		element := &n.Kids[i]
		code, words := group(element, n.Unique())
		d.open("li", element)
		d.inline(code)
		for j := range words.Kids {
			d.raw([]string{": ", ", "}[min(j, 1)])
			d.text(words.Kids[j].Text)
		}
		for _, k := range []*document.Node{element, code, words} {
			d.remark(k)
		}
		d.raw("</li>\n")
	}
	d.raw("</ul>\n</details>\n")
}
