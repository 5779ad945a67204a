package lsp

import "context"

// definition answers textDocument/definition: it goes from a code to its record, and from an id to its
// file.
func (q *query) definition(_ context.Context, p documentParams) (any, error) {
	t := q.target(p.Position)
	found := []location{}
	for _, n := range t.view.named(t.symbol) {
		if n.Defines {
			found = append(found, t.location(n))
		}
	}
	// the file cannot be parsed
	if e := t.view.item(t.symbol.item); len(found) == 0 && t.symbol.item != "" && e != nil {
		found = append(found, location{URI: t.uriOf(e)})
	}
	return found, nil
}

// references answers textDocument/references: every place that names the symbol at the cursor.
func (q *query) references(_ context.Context, p documentParams) (any, error) {
	t := q.target(p.Position)
	all := []location{}
	for _, n := range t.view.named(t.symbol) {
		if !n.Defines || p.Context.IncludeDeclaration {
			all = append(all, t.location(n))
		}
	}
	return all, nil
}
