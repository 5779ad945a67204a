package mcpserver

import (
	"cmp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// listPrompts answers prompts/list: the current instructions. They have no arguments for
// texts of users, as the service receives no user data.
func (s *Server) listPrompts() *mcp.ListPromptsResult {
	r := &mcp.ListPromptsResult{Prompts: []*mcp.Prompt{}, Cacheable: s.cacheable(contentLife)}
	current := s.Sites.Current()
	for _, e := range instructions(current) {
		r.Prompts = append(r.Prompts, &mcp.Prompt{
			Name: e.Name, Title: e.Body().Text("title"),
			Description: cmp.Or(e.Body().Text("summary"), e.Body().Text("title")),
			Arguments:   []*mcp.PromptArgument{{Name: "version", Description: "Номер версии; без него — действующая"}},
		})
	}
	return r
}

// instructions are the current versions that are not archived, by name.
func instructions(s *site.Site) (all []*content.Entry) {
	for _, it := range s.Snapshot.Items {
		if it.Kind == content.Instructions && it.Current != nil && it.Current.Status != content.Archived {
			all = append(all, it.Current)
		}
	}
	return all
}

// getPrompt answers prompts/get: the instruction in brief, and a link to the whole.
func (s *Server) getPrompt(p *mcp.GetPromptParams, links bool) (*promptResult, error) {
	current := s.Sites.Current()
	all := instructions(current)
	i := slices.IndexFunc(all, func(e *content.Entry) bool { return e.Name == p.Name })
	if i < 0 {
		return nil, invalid("unknown prompt %.80q", p.Name)
	}
	e := all[i]
	for name, value := range p.Arguments {
		if name != "version" {
			return nil, invalid("unknown argument %.80q: the only one is version", name)
		}
		asked := current.Snapshot.Item(e.Kind, e.Name).Version(value)
		if asked == nil || current.Lookup(asked.Path()) == nil {
			return nil, invalid("prompt %s has no version %.80q", p.Name, value)
		}
		if g := current.Lookup(asked.Path()).Gone; g != nil {
			return nil, isRedacted(g)
		}
		e = asked
	}
	r := &promptResult{
		Description: e.Body().Text("title"),
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: s.promptText(current, e)}}},
	}
	if links {
		r.Messages = append(r.Messages, &mcp.PromptMessage{Role: "user", Content: linkTo(e)})
	}
	return r, nil
}

// promptText is an instruction for clients with tools: in brief, with how to read the rest.
func (s *Server) promptText(current *site.Site, e *content.Entry) string {
	res, err := current.Part(e, site.Part{Brief: true})
	if err != nil {
		return "" // a brief has no sections, so the error is nil
	}
	return s.forTools(bodyOf(res, api.MarkdownType, ""), current.Discovery(e)) +
		"\nРазделы по мере надобности: get_instruction name=" + e.Name + " version=" +
		e.Version.String() + " section=[адреса].\n"
}

// linkTo links a version as a resource.
func linkTo(e *content.Entry) *mcp.ResourceLink {
	return &mcp.ResourceLink{
		URI: scheme + e.Tag() + markdownSuffix, Name: e.Tag() + markdownSuffix, Title: e.Body().Text("title"),
		MIMEType: api.MarkdownType,
	}
}

// maxCompletions is the maximum number of values of an answer (MCP, completion).
const maxCompletions = 100

// complete answers completion/complete: names and versions of items and instructions.
func (s *Server) complete(p *mcp.CompleteParams) *mcp.CompleteResult {
	var all []string
	for _, v := range candidates(s.Sites.Current(), p) {
		if strings.HasPrefix(v, p.Argument.Value) {
			all = append(all, v)
		}
	}
	r := &mcp.CompleteResult{}
	r.Completion.Total = len(all)
	r.Completion.HasMore = len(all) > maxCompletions
	r.Completion.Values = append([]string{}, all[:min(len(all), maxCompletions)]...)
	return r
}

// candidates lists the values of an argument.
func candidates(s *site.Site, p *mcp.CompleteParams) []string {
	switch {
	case p.Ref.Type == "ref/prompt" && p.Argument.Name == "version":
		return site.Numbers(entriesOf(s.Snapshot.Item(content.Instructions, p.Ref.Name)))
	case p.Ref.Type != "ref/resource":
		return nil
	}
	for _, k := range content.Kinds {
		switch {
		case strings.TrimSuffix(p.Ref.URI, markdownSuffix) != template(k):
		case p.Argument.Name == "name":
			return namesOf(s, k)
		case p.Argument.Name == "version" && p.Context != nil:
			return site.Numbers(entriesOf(s.Snapshot.Item(k, p.Context.Arguments["name"])))
		}
	}
	return nil
}

func namesOf(s *site.Site, k *content.Kind) (names []string) {
	for _, it := range s.Snapshot.Items {
		if it.Kind == k {
			names = append(names, it.Name)
		}
	}
	return names
}

// entriesOf are the versions of an item, which may be nil.
func entriesOf(it *content.Item) []*content.Entry {
	if it == nil {
		return nil
	}
	return it.Entries
}
