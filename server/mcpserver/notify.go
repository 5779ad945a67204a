package mcpserver

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// Swapped notifies subscribers of the differences between the previous site and the current
// one: changed lists, and changed resources. It does not wait for clients.
func (s *Server) Swapped(old, next *site.Site) {
	if !s.hasClients() {
		return // later clients read the next site
	}
	changed := differing(old, next)
	if len(changed) == 0 {
		return
	}
	s.announceLists()
	for _, uri := range changed {
		// the error is always nil
		_ = s.mcp.ResourceUpdated(context.Background(), &mcp.ResourceUpdatedNotificationParams{URI: uri})
	}
}

// hasClients reports whether any client is connected: comparing sites renders all versions of
// changed items.
func (s *Server) hasClients() bool {
	for range s.mcp.Sessions() {
		return true
	}
	return false
}

// announceLists makes the SDK notify clients that the lists of resources and prompts have
// changed. It does that only when its own lists change, which no client sees, as receive
// answers.
func (s *Server) announceLists() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: scheme + "{+changed}", Name: "changed"}, nil)
	s.mcp.AddPrompt(&mcp.Prompt{Name: "changed"}, nil)
}

// differing lists the URIs whose content differs in two sites.
func differing(old, next *site.Site) []string {
	var all []string
	for _, s := range []*site.Site{old, next} {
		for _, it := range s.Snapshot.Items {
			base := it.Kind.ItemPath(it.Name)
			if !same(old.Lookup(base), next.Lookup(base)) {
				all = append(all, scheme+it.ID(), scheme+it.ID()+markdownSuffix)
				if it.Kind == content.Instructions {
					all = append(all, skillURI(it.Name))
				}
			}
			for _, e := range it.Entries {
				if path := e.Path(); !same(old.Lookup(path), next.Lookup(path)) {
					all = append(all, scheme+e.Tag(), scheme+e.Tag()+markdownSuffix)
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// same reports whether two resources, which may be nil, are the same for programs. Pages are
// not compared, as they differ in what surrounds the content. Resources that a new site
// reuses are identical.
func same(a, b *site.Resource) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil, len(a.Representations) != len(b.Representations):
		return false
	}
	for i, rep := range a.Representations {
		if rep.Type != api.JSONType && rep.Type != api.MarkdownType {
			continue
		}
		if rep.Ready().ETag != b.Representations[i].Ready().ETag {
			return false
		}
	}
	return true
}

// maxSubscriptions is the maximum number of resources of which a stream tells.
const maxSubscriptions = 100

// filterServed removes from a subscriptions/listen the resources that do not exist; the
// acknowledgement tells the client what remains.
func (s *Server) filterServed(n *mcp.NotificationSubscriptions) {
	if n == nil {
		return // answered by the SDK
	}
	known := slices.DeleteFunc(n.ResourceSubscriptions, func(uri string) bool { return !s.served(uri) })
	n.ResourceSubscriptions = known[:min(len(known), maxSubscriptions)]
}

func (s *Server) served(uri string) bool {
	current := s.Sites.Current()
	res, _ := locate(current, uri)
	return res != nil || s.skillAt(uri) != nil
}
