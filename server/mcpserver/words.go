package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// assistant is the name of the main instruction.
const assistant = "assistant"

// maxGreeting is the maximum length of the instructions, in characters: some clients cut them
// there.
const maxGreeting = 1800

// instructions is the text about this server that clients give to their models: what data not
// to send, where to start, and how to read selectively.
func (s *Server) instructions(chosen sets) string {
	current, words := s.Sites.Current(), declared().Greeting
	text := words["private"] + current.Snapshot.Settings.Title + ".\n"
	if chosen == setsOf(connector) {
		return text + words["connector"]
	}
	rules := chosen.has(setsOf("rules"))
	if chosen.has(setsOf("fraud")) {
		codes := "list_fraud_signals"
		if rules {
			codes = "search kind=signal с сутью случая"
		}
		text += fmt.Sprintf(words["urgent"], codes)
	}
	if it := current.Snapshot.Item(content.Instructions, assistant); it != nil && it.Current != nil {
		text += start(it.Current, rules)
	}
	if rules {
		text += words["reading"]
	}
	if chosen.has(setsOf("math", "frequent", "calculations")) {
		text += words["calculating"]
	}
	text += fmt.Sprintf(words["sets"], chosen)
	if rest := every &^ chosen &^ setsOf(connector); rest != 0 {
		text += fmt.Sprintf(words["other sets"], rest)
	}
	return shortened(text + "\n")
}

// shortened cuts a text to maxGreeting, at a line.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= maxGreeting {
		return text
	}
	text = string([]rune(text)[:maxGreeting])
	return text[:strings.LastIndexByte(text, '\n')+1]
}

// start says where to start, and which instruction applies to which scenario.
func start(e *content.Entry, rules bool) string {
	read, steps := "ресурс "+scheme+"instructions/"+e.Name+markdownSuffix, ""
	if rules {
		read, steps = "get_instruction name="+e.Name+" view=brief format=markdown", ", section=steps"
	}
	text := fmt.Sprintf(declared().Greeting["start"], read)
	var scenarios []struct{ Scenario, Instruction string }
	if json.Unmarshal(e.Body().Get("scenario_instructions"), &scenarios) != nil || len(scenarios) == 0 {
		return text + "\n" // formats without scenarios
	}
	var all []string
	for _, sc := range scenarios {
		all = append(all, sc.Scenario+" — "+sc.Instruction)
	}
	return text + fmt.Sprintf(declared().Greeting["scenarios"], steps, strings.Join(all, ", ")) + "\n"
}

// address matches an address of the service in a text of the instructions, with or without
// the method.
var address = regexp.MustCompile(
	"(^|[\\s`(«])(?:(?:GET|POST) )?(/api/v1/[A-Za-z0-9_./{}-]*[A-Za-z0-9_}])(\\?[^\\s`»)]*[^\\s`»).,;:])?",
)

// forTools replaces addresses in a text by calls of tools, for readers over MCP. An address
// without a tool in the default toolsets becomes a call of read_url.
func (s *Server) forTools(text []byte, discovery []content.Link) string {
	said := address.ReplaceAllStringFunc(string(text), func(found string) string {
		parts := address.FindStringSubmatch(found)
		return parts[1] + s.callText(parts[2], parts[3])
	})
	for _, l := range discovery {
		t := s.callText(l.Path, "")
		said = strings.NewReplacer(
			"по адресу "+l.Name, "инструментом "+t, "по адресу `"+l.Name+"`", "инструментом "+t,
		).Replace(said)
	}
	return said
}

// callText is the call that answers a path with a query, from "?" on.
func (s *Server) callText(path, query string) string {
	values, err := url.ParseQuery(strings.TrimPrefix(query, "?"))
	if a := s.callAt(path, values); err == nil && a.tool != nil && a.tool.sets.has(s.sets) {
		return a.String()
	}
	return "read_url url=" + path + query
}

// A toolCall is a call of a tool that replaces a request over HTTP.
type toolCall struct {
	tool *tool // nil if none does
	args url.Values
}

// takes reports whether there is a tool with that argument.
func (a toolCall) takes(name string) bool {
	return a.tool != nil && slices.ContainsFunc(a.tool.params, func(p *api.Param) bool { return p.Name == name })
}

// String formats the call as in the instructions of the server, for example get_guideline
// guideline_id=product.common.001 section=[rules, sources].
func (a toolCall) String() string {
	var b strings.Builder
	b.WriteString(a.tool.Name)
	names := slices.Sorted(maps.Keys(a.args))
	slices.SortStableFunc(names, func(x, y string) int { return rank(x) - rank(y) })
	for _, name := range names {
		said := strings.Join(a.args[name], ", ")
		if name == api.Section || len(a.args[name]) > 1 {
			said = "[" + said + "]"
		}
		b.WriteString(" " + name + "=" + said)
	}
	return b.String()
}

// rank is the position of an argument: those that identify an item come first.
func rank(name string) int {
	return slices.Index([]string{versionName, api.Section, api.View}, name)
}

// arguments are the arguments of the call in the form of a client.
func (a toolCall) arguments() json.RawMessage {
	var o content.Object
	for _, name := range slices.Sorted(maps.Keys(a.args)) {
		if values := a.args[name]; len(values) > 1 {
			o = append(o, api.Object(name, values)...)
		} else {
			o = append(o, api.Object(name, values[0])...)
		}
	}
	return api.JSON(o)
}

// callAt returns the call that answers a path with a query.
func (s *Server) callAt(path string, query url.Values) toolCall {
	if asksForItem(query) {
		path = amongItems(path)
	}
	for _, t := range s.tools {
		for _, pattern := range t.at {
			if args := matched(pattern, path); args != nil {
				for name, values := range query {
					if !args.Has(name) {
						args[name] = values
					}
				}
				return toolCall{t, args}
			}
		}
	}
	return toolCall{}
}

// amongItems is the path of an item with an address of its own below the list of its kind, else the path itself.
func amongItems(path string) string {
	for _, k := range content.Kinds {
		for name, own := range k.Paths {
			if own == path {
				return k.Path + "/" + name
			}
		}
	}
	return path
}

// asksForItem reports whether a query at the path of a registry asks for the registry itself, not
// for a list of its records: for a part of it, or for the one of another day.
func asksForItem(query url.Values) bool {
	for name := range query {
		if !slices.Contains([]string{api.Section, api.View, "as_of", site.InForceParameter}, name) {
			return query.Has(api.Section) || query.Has(api.View)
		}
	}
	return len(query) > 0
}
