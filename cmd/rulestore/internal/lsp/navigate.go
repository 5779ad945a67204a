package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// Definition implements protocol.Server: it goes from a code to its record, and from an id to
// its file.
func (s *server) Definition(ctx context.Context, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	q, err := s.ask(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, ignoreAbsent(err)
	}
	t := q.target(p.Position)
	found := protocol.LocationSlice{}
	for _, n := range t.view.named(t.symbol) {
		if n.Defines {
			found = append(found, t.location(n))
		}
	}
	// the file cannot be parsed
	if e := t.view.item(t.symbol.item); len(found) == 0 && t.symbol.item != "" && e != nil {
		found = append(found, protocol.Location{URI: t.uriOf(e)})
	}
	return found, nil
}

// References implements protocol.Server.
func (s *server) References(ctx context.Context, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	q, err := s.ask(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, ignoreAbsent(err)
	}
	t := q.target(p.Position)
	all := []protocol.Location{}
	for _, n := range t.view.named(t.symbol) {
		if !n.Defines || p.Context.IncludeDeclaration {
			all = append(all, t.location(n))
		}
	}
	return all, nil
}
