package mcpserver

import (
	"cmp"
	"net/url"
	"regexp"
	"strings"

	"rulestore/content"
	"rulestore/server/site"
)

// address is an address of the service in a text, as the instructions write it, and the
// sections that are asked for there.
var address = regexp.MustCompile(`(?:GET|POST) (/api/v1/[A-Za-z0-9_./{}-]*[A-Za-z0-9_}])(?:\?(section=[^\s` + "`" + `]+))?`)

// forTools is a text that names addresses of HTTP, with the tools in their place: who
// reads it by MCP has these.
func forTools(text []byte, discovery []content.Link) string {
	said := address.ReplaceAllStringFunc(string(text), func(found string) string {
		parts := address.FindStringSubmatch(found)
		if t := cmp.Or(sectionsAt(parts[1], parts[2]), toolAt(parts[1])); t != "" {
			return t
		}
		return found
	})
	for _, l := range discovery {
		if t := toolAt(l.Path); t != "" {
			said = strings.NewReplacer("по адресу "+l.Name, "инструментом "+t, "по адресу `"+l.Name+"`", "инструментом "+t).Replace(said)
		}
	}
	return said
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

// sectionsAt returns the tool that answers with the sections that a query asks for of what
// is at a path; "" if none does.
func sectionsAt(path, query string) string {
	values, err := url.ParseQuery(query)
	if err != nil || values["section"] == nil {
		return ""
	}
	for _, k := range content.Kinds {
		name, ok := strings.CutPrefix(path, k.Path+"/")
		for own, at := range k.Paths {
			if at == path {
				name, ok = own, true
			}
		}
		if ok && k.List {
			return itemCall(k, name) + " section=[" + strings.Join(values["section"], ", ") + "]"
		}
	}
	return ""
}

// toolAt returns the tool that answers what is at a path, with its argument; "" if none
// does.
func toolAt(path string) string {
	if t := toolsAt[path]; t != "" {
		return t
	}
	if id, ok := strings.CutPrefix(path, site.ToolsPath); ok {
		return "calculate tool_id=" + id
	}
	for _, k := range content.Kinds {
		name, ok := strings.CutPrefix(path, k.Path+"/")
		switch {
		case !k.List:
		case path == k.Path:
			return "list_" + k.Folder
		case ok:
			name, version, versioned := strings.Cut(name, "/versions/")
			if versioned {
				name += " version=" + version
			}
			return itemCall(k, name)
		}
	}
	return ""
}

// itemCall is the call of the tool that reads an item of a kind with a list.
func itemCall(k *content.Kind, name string) string {
	return itemTool(k) + " " + k.Argument() + "=" + name
}
