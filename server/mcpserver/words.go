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
	current := s.Sites.Current()
	var b strings.Builder
	b.WriteString(
		"Личные данные и документы пользователя сюда не передавать, в вопросах — только суть: сервис только читает и " +
			"считает.\n",
	)
	fmt.Fprintf(&b, "%s.\n", current.Snapshot.Settings.Title)
	if chosen == setsOf(connector) {
		b.WriteString("search находит документы по вопросу, fetch читает их по id.\n")
		return b.String()
	}
	if chosen.has(setsOf("fraud")) {
		b.WriteString(urgent(chosen))
	}
	if it := current.Snapshot.Item(content.Instructions, assistant); it != nil && it.Current != nil {
		writeStart(&b, it.Current, chosen)
	}
	if chosen.has(setsOf("rules")) {
		b.WriteString(reading)
	}
	if chosen.has(setsOf("math", "frequent", "calculations")) {
		b.WriteString(calculating)
	}
	fmt.Fprintf(&b, "Наборы инструментов: %s.", chosen)
	if rest := every &^ chosen &^ setsOf(connector); rest != 0 {
		fmt.Fprintf(&b, " Другие (%s) — параметром toolsets адреса или X-MCP-Toolsets.", rest)
	}
	b.WriteString("\n")
	return shortened(b.String())
}

// shortened cuts a text to maxGreeting, at a line.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= maxGreeting {
		return text
	}
	text = string([]rune(text)[:maxGreeting])
	return text[:strings.LastIndexByte(text, '\n')+1]
}

// urgent is the beginning of the text, for emergencies.
func urgent(chosen sets) string {
	codes := "list_fraud_signals"
	if chosen.has(setsOf("rules")) {
		codes = "search kind=signal с сутью случая"
	}
	return "Уходят деньги, просят код, доступ, перевод или тайну — не читая инструкций: " + codes +
		", затем fraud_brief со всеми подходящими кодами; первый совет — прекратить контакт.\n"
}

const (
	reading = `Читайте мало: search, потом get_… с view=brief, потом section= с адресами нужных разделов; целиком — редко; format=markdown короче. Адреса из ответов (GET /api/v1/…, url) читает read_url. version и as_of (день или RFC 3339) — другая версия, in_force — что действовало в день, offset — next_offset прошлого ответа. В ответе версия, статус и контрольная сумма (у части — source_checksum), в _meta — snapshot: ими и ссылайтесь.
`
	// calculating describes the parts of a request that all calculations share.
	calculating = `Расчёты: деньги и ставки — строками ("5000000.00", "18.5"), даты — 2026-05-01; вместо числа можно назвать параметр, который его устанавливает: {"parameter_id":"…","on":"2026-05-01"}. contract_values — значения из договора для сверки, по именам из outputs; tolerance — допуски absolute, relative, days; options — include_schedule, schedule_from, schedule_limit, include_trace.
`
)

// writeStart writes where to start, and which instruction applies to which scenario.
func writeStart(b *strings.Builder, e *content.Entry, chosen sets) {
	read, steps := "ресурс "+scheme+"instructions/%s"+markdownSuffix, ""
	if chosen.has(setsOf("rules")) {
		read, steps = "get_instruction name=%s view=brief format=markdown", ", section=steps"
	}
	fmt.Fprintf(b, "Начните с "+read+".", e.Name)
	var scenarios []struct{ Scenario, Instruction string }
	if json.Unmarshal(e.Body().Get("scenario_instructions"), &scenarios) != nil || len(scenarios) == 0 {
		b.WriteString("\n")
		return // formats without scenarios
	}
	var all []string
	for _, sc := range scenarios {
		all = append(all, sc.Scenario+" — "+sc.Instruction)
	}
	fmt.Fprintf(b, " Инструкции сценариев%s: %s.\n", steps, strings.Join(all, ", "))
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
	if a, ok := s.callAt(path, values); err == nil && ok && s.byDefault(a.tool) {
		return a.String()
	}
	return "read_url url=" + path + query
}

// byDefault reports whether a tool is in the default toolsets.
func (s *Server) byDefault(name string) bool {
	t := s.tool(name, s.sets)
	return t != nil && t.sets.has(s.sets)
}

// A toolCall is a call of a tool that replaces a request over HTTP.
type toolCall struct {
	tool string
	args url.Values
}

// String formats the call as in the instructions of the server, for example get_guideline
// guideline_id=product.common.001 section=[rules, sources].
func (a toolCall) String() string {
	var b strings.Builder
	b.WriteString(a.tool)
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
	return slices.Index([]string{version.Name, api.Section, api.View}, name)
}

// arguments are the arguments of the call in the form of a client.
func (a toolCall) arguments(params []*api.Param) json.RawMessage {
	var o content.Object
	for _, name := range slices.Sorted(maps.Keys(a.args)) {
		values := a.args[name]
		i := slices.IndexFunc(params, func(p *api.Param) bool { return p.Name == name })
		switch {
		case len(values) > 1 || i >= 0 && params[i].Type == api.List:
			o = append(o, api.Object(name, values)...)
		case i >= 0 && (params[i].Type == api.Number || params[i].Type == api.Switch) && json.Valid([]byte(values[0])):
			o = append(o, api.Object(name, json.RawMessage(values[0]))...)
		default:
			o = append(o, api.Object(name, values[0])...)
		}
	}
	return api.JSON(o)
}

// toolAt is the tool that answers a fixed path, "" if there is none.
func (s *Server) toolAt(path string) string {
	for _, t := range s.tools {
		if slices.Contains(t.paths, path) {
			return t.Name
		}
	}
	return ""
}

// callAt returns the call that answers a path with a query; false if there is none.
func (s *Server) callAt(path string, query url.Values) (a toolCall, ok bool) {
	if a, ok = itemAt(path, query); !ok {
		if a, ok = comparisonAt(path); !ok {
			a.tool = s.toolAt(path)
		}
	}
	if id, found := strings.CutPrefix(path, api.ToolsPath); found {
		a = toolCall{"calculate", url.Values{"tool_id": {id}}}
	}
	args := maps.Clone(query)
	if args == nil {
		args = url.Values{}
	}
	maps.Copy(args, a.args)
	return toolCall{a.tool, args}, a.tool != ""
}

// comparisonAt is the call that answers a path of the comparison of an item's versions.
func comparisonAt(path string) (a toolCall, ok bool) {
	item, ok := strings.CutPrefix(path, api.ComparePath)
	if !ok {
		return a, false
	}
	folder, name, ok := strings.Cut(item, "/")
	return toolCall{"compare_versions", url.Values{"folder": {folder}, "name": {name}}}, ok
}

// itemAt is the call that reads an item or the list of a kind.
func itemAt(path string, query url.Values) (a toolCall, ok bool) {
	for _, k := range content.Kinds {
		if !k.List {
			continue
		}
		for own, at := range k.Paths {
			if at == path && asksForItem(query) {
				return itemCall(k, own)
			}
		}
		if path == k.Path {
			return toolCall{tool: listTool(k)}, true
		}
		if name, ok := strings.CutPrefix(path, k.Path+"/"); ok {
			return itemCall(k, name)
		}
	}
	return toolCall{}, false
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

// itemCall is the call that reads an address of an item of a kind with a list: the item, a
// version, or the list of versions.
func itemCall(k *content.Kind, name string) (a toolCall, ok bool) {
	name, v, versioned := strings.Cut(name, "/versions")
	switch {
	case versioned && v == "":
		return toolCall{"list_versions", url.Values{"folder": {k.Folder}, "name": {name}}}, true
	case strings.Contains(name, "/") && !k.Folders:
		return toolCall{}, false
	}
	a = toolCall{itemTool(k), url.Values{k.Argument(): {name}}}
	if versioned {
		a.args.Set(version.Name, strings.TrimPrefix(v, "/"))
	}
	return a, true
}
