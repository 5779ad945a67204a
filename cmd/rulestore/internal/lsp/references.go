package lsp

import (
	"path/filepath"

	"rulestore/content/check"
)

type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

// named lists the places that define or refer to a symbol.
func (s *state) named(what symbol) []use {
	return s.uses(func(n check.Name) bool {
		if what.item != "" {
			return n.Item == what.item
		}
		return n.List == what.list && n.Text == what.code && what.code != ""
	})
}

// definition answers textDocument/definition: it goes from a code to its record, and from an id to its file.
func (s *server) definition(d *document, p params) any {
	return s.locations(d, p, func(u use) bool { return u.Defines })
}

// references answers textDocument/references: every place that names the symbol at the cursor.
func (s *server) references(d *document, p params) any {
	return s.locations(d, p, func(u use) bool { return !u.Defines || p.Context.IncludeDeclaration })
}

// locations lists the wanted places of the symbol at the cursor.
func (s *server) locations(d *document, p params, wanted func(use) bool) []location {
	what, in, all := s.symbol(d, s.cursor(d, p.Position)), d.folder.current(), []location{}
	for _, u := range in.named(what) {
		if !wanted(u) {
			continue
		}
		uri := fileURI(filepath.Join(d.folder.root, filepath.FromSlash(u.path)))
		if open := in.open[u.path]; open != nil {
			uri = open.uri
		}
		text := newText(u.raw)
		at := text.unquoted(text.at(u.Position(u.Pointer...)))
		all = append(all, location{uri, at.rangeIn(text)})
	}
	return all
}
