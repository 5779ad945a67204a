package mcpserver

import (
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/server/site"
)

// address is an address of the service in a text, as the instructions write it: with the
// method, or bare.
var address = regexp.MustCompile("(^|[\\s`(«])(?:(?:GET|POST) )?(/api/v1/[A-Za-z0-9_./{}-]*[A-Za-z0-9_}])(\\?[^\\s`»)]*[^\\s`»).,;:])?")

// forTools is a text that names addresses of HTTP, with calls of tools in their place: who
// reads it by MCP has these. What no tool answers that is there by default is read by its
// address.
func (s *Server) forTools(text []byte, discovery []content.Link) string {
	said := address.ReplaceAllStringFunc(string(text), func(found string) string {
		parts := address.FindStringSubmatch(found)
		return parts[1] + s.sayingOf(parts[2], parts[3])
	})
	for _, l := range discovery {
		t := s.sayingOf(l.Path, "")
		said = strings.NewReplacer("по адресу "+l.Name, "инструментом "+t, "по адресу `"+l.Name+"`", "инструментом "+t).Replace(said)
	}
	return said
}

// sayingOf is the call that answers what is at a path with a query, from "?" on.
func (s *Server) sayingOf(path, query string) string {
	values, err := url.ParseQuery(strings.TrimPrefix(query, "?"))
	if a, ok := callAt(path, values); err == nil && ok && s.byDefault(a.tool) {
		return a.String()
	}
	return "read_url url=" + path + query
}

// byDefault reports whether a tool is there for who chose no toolsets.
func (s *Server) byDefault(name string) bool {
	t := s.tool(name, s.sets)
	return t != nil && t.sets.has(s.sets)
}

// An asking is a call of a tool in the place of a request of HTTP.
type asking struct {
	tool string
	args url.Values
}

// String writes the call as the instructions of the server do, for example
// get_guideline guideline_id=product.common.001 section=[rules, sources].
func (a asking) String() string {
	var b strings.Builder
	b.WriteString(a.tool)
	names := slices.Sorted(maps.Keys(a.args))
	slices.SortStableFunc(names, func(x, y string) int { return rank(x) - rank(y) })
	for _, name := range names {
		said := strings.Join(a.args[name], ", ")
		if name == section.name || len(a.args[name]) > 1 {
			said = "[" + said + "]"
		}
		b.WriteString(" " + name + "=" + said)
	}
	return b.String()
}

// rank is where an argument stands: what names a thing comes before what is wanted of it.
func rank(name string) int {
	return slices.Index([]string{version.name, section.name, views.name}, name)
}

// arguments are those of the call as a client gives them to the tool.
func (a asking) arguments(params []param) json.RawMessage {
	var o content.Object
	for _, name := range slices.Sorted(maps.Keys(a.args)) {
		values := a.args[name]
		i := slices.IndexFunc(params, func(p param) bool { return p.name == name })
		switch {
		case len(values) > 1 || i >= 0 && params[i].kind == listKind:
			o = o.With(name, stringList(values))
		case i >= 0 && (params[i].kind == numberKind || params[i].kind == switchKind) && json.Valid([]byte(values[0])):
			o = o.With(name, json.RawMessage(values[0]))
		default:
			o = o.With(name, content.String(values[0]))
		}
	}
	return o.AppendJSON(nil)
}

// toolsAt are the tools that read what is at paths of their own.
var toolsAt = map[string]string{
	site.SearchPath: "search", site.FraudBriefPath: "fraud_brief", site.MathPath: "find_calculation",
	"/api/v1/changelog": "get_changelog", "/api/v1/checksums": "list_checksums", site.UpcomingPath: "list_upcoming", healthPath: "get_health",
	"/api/v1/taxonomy": "get_taxonomy", "/api/v1/glossary": "list_glossary_terms", "/api/v1/authority-resources": "list_authority_resources",
	"/api/v1/fraud/signals": "list_fraud_signals", "/api/v1/fraud/states": "list_fraud_states",
	"/api/v1/fraud/scenarios": "list_fraud_scenarios", "/api/v1/fraud/routes": "list_fraud_routes",
	site.MathPath + "/loan/calculate": "calculate_loan", site.MathPath + "/loan/compare": "compare_loan_variants",
}

// callAt returns the call that answers what is at a path with a query; false if no tool
// does.
func callAt(path string, query url.Values) (a asking, ok bool) {
	if a, ok = itemAt(path, query); !ok {
		if a, ok = historyAt(path); !ok {
			a.tool = toolsAt[path]
		}
	}
	if id, found := strings.CutPrefix(path, site.ToolsPath); found {
		a = asking{"calculate", url.Values{"tool_id": {id}}}
	}
	args := maps.Clone(query)
	if args == nil {
		args = url.Values{}
	}
	maps.Copy(args, a.args)
	return asking{a.tool, args}, a.tool != ""
}

// historyAt is the call that says what versions of an item did.
func historyAt(path string) (a asking, ok bool) {
	for below, tool := range map[string]string{site.ComparePath: "compare_versions", site.TimelinePath: "get_timeline"} {
		if item, found := strings.CutPrefix(path, below); found {
			folder, name, ok := strings.Cut(item, "/")
			return asking{tool, url.Values{"folder": {folder}, "name": {name}}}, ok
		}
	}
	return a, false
}

// itemAt is the call that reads an item or the list of a kind.
func itemAt(path string, query url.Values) (a asking, ok bool) {
	for _, k := range content.Kinds {
		if !k.List {
			continue
		}
		for own, at := range k.Paths {
			if at == path && (query.Has(section.name) || query.Has(views.name)) { // the list of its records has neither
				return itemCall(k, own)
			}
		}
		if path == k.Path {
			return asking{tool: listTool(k)}, true
		}
		if name, ok := strings.CutPrefix(path, k.Path+"/"); ok {
			return itemCall(k, name)
		}
	}
	return asking{}, false
}

// itemCall is the call that reads what is at an address of an item of a kind with a list:
// the item, a version, or the list of these.
func itemCall(k *content.Kind, name string) (a asking, ok bool) {
	name, v, versioned := strings.Cut(name, "/versions")
	switch {
	case versioned && v == "":
		return asking{"list_versions", url.Values{"folder": {k.Folder}, "name": {name}}}, true
	case strings.Contains(name, "/") && !k.Folders:
		return asking{}, false
	}
	a = asking{itemTool(k), url.Values{k.Argument(): {name}}}
	if versioned {
		a.args.Set(version.name, strings.TrimPrefix(v, "/"))
	}
	return a, true
}
