package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"rulestore/content"
	"rulestore/content/check"
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

// referrers lists the references to an item in other files.
func (v *view) referrers(item string) []named {
	return v.find(func(n check.Name) bool { return n.Item == item && !n.Defines })
}

// maxShown is the maximum number of places that a message offers.
const maxShown = 12

// ExecuteCommand implements protocol.Server: it shows the references to an item. As a server
// cannot make the client show a list of places, the user is asked which one to open.
func (s *server) ExecuteCommand(_ context.Context, p *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	var document uri.URI
	var item string
	known := p.Command == showReferences && len(p.Arguments) == 2
	if !known || json.Unmarshal(p.Arguments[0], &document) != nil || json.Unmarshal(p.Arguments[1], &item) != nil {
		return nil, fmt.Errorf("%w: no command %q with such arguments is known", errParams, p.Command)
	}
	if f, _ := s.folderOf(document); f != nil {
		s.async("show references", func(ctx context.Context) { s.choose(ctx, f.view(), item) })
	}
	return nil, nil
}

// choose asks the user which of the places to open, and opens it.
func (s *server) choose(ctx context.Context, v *view, item string) {
	places := map[string]protocol.Location{}
	ask := &protocol.ShowMessageRequestParams{Type: protocol.MessageTypeInfo}
	ask.Message = s.language().say(saysWhere, item)
	all := v.referrers(item)
	for _, n := range all[:min(len(all), maxShown)] {
		at := v.location(n)
		title := fmt.Sprintf("%s:%d", content.Printable(n.path), at.Range.Start.Line+1)
		if _, twice := places[title]; !twice {
			ask.Actions = append(ask.Actions, protocol.MessageActionItem{Title: title})
		}
		places[title] = at
	}
	if len(all) > maxShown {
		ask.Message += ", " + s.language().say(saysMore, len(all)-maxShown)
	}
	chosen, err := s.client.ShowMessageRequest(ctx, ask)
	if err != nil || chosen == nil || !s.can.show {
		return
	}
	if at, ok := places[chosen.Title]; ok {
		show := &protocol.ShowDocumentParams{URI: at.URI, TakeFocus: new(true), Selection: &at.Range}
		_, _ = s.client.ShowDocument(ctx, show)
	}
}
