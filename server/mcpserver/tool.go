package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// A tool is a function for models: its declaration, and its implementation.
type tool struct {
	*mcp.Tool
	sets   sets
	params []*api.Param // nil if the tool reads its arguments itself
	at     []string     // the patterns of the paths that it answers as HTTP does, see [matched]
	run    func(*call) (reply, error)

	kind *content.Kind // that it reads, if it is of one
	item string        // that it reads, if it is of one
	calc *calc.Tool    // likewise

	answered, failed atomic.Uint64 // calls
}

// A call is one call of a tool. It uses one site throughout.
type call struct {
	*args
	*tool
	server *Server
	site   *site.Site
	raw    json.RawMessage // the unparsed arguments
	now    string          // in site.TimeFormat
}

// A reply is what a tool answers: JSON, and the text for models if it differs.
type reply struct {
	json []byte
	text []byte

	total, returned int // of a list: all elements, and those in this page

	of *content.Entry // the version that it shows, if any
}

// readOnly are the hints of every tool: none modifies anything.
var readOnly = &mcp.ToolAnnotations{
	ReadOnlyHint: true, DestructiveHint: new(bool), IdempotentHint: true, OpenWorldHint: new(bool),
}

// object is the schema of a result with at least these fields.
func object(fields ...string) json.RawMessage {
	return api.JSON(api.Object("type", "object", "required", fields))
}

// call runs a tool. Errors in arguments are results, for the model; other errors are of the
// protocol.
func (s *Server) call(t *tool, raw json.RawMessage) *callResult {
	c := &call{
		tool: t, server: s, site: s.Sites.Current(), raw: inText(raw), now: time.Now().UTC().Format(site.TimeFormat),
		args: &args{},
	}
	if t.params != nil {
		c.args = readArgs(c.raw, t.params)
	}
	err := c.err()
	var r reply
	if err == nil {
		r, err = t.run(c)
	}
	if err == nil {
		err = c.err() // faults found with the data of the site
	}
	if err != nil {
		text := s.forTools([]byte(describe(err)), nil)
		failed := &callResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
		failed.SetMeta(map[string]any{snapshotMeta: c.site.ID})
		return failed
	}
	if r.text == nil {
		r.text = r.json
	}
	answer := &callResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.text)}}, Structured: r.json}
	answer.SetMeta(r.meta(c.site))
	return answer
}

// snapshotMeta names the snapshot that a result was read from, as X-Snapshot does.
const snapshotMeta = "snapshot"

// meta is the metadata of an answer: its origin and, of a list, the number of elements.
func (r reply) meta(s *site.Site) map[string]any {
	meta := map[string]any{snapshotMeta: s.ID}
	if r.of != nil {
		if index, ok := s.Logged(r.of.Publication); ok {
			meta["log_index"] = index
		}
	}
	if r.returned > 0 || r.total > 0 {
		meta["total"], meta["returned"], meta["bytes"] = r.total, r.returned, len(r.text)
	}
	return meta
}

// describe formats an error for models.
func describe(err error) string {
	var described any = &toolError{Code: "internal", Detail: err.Error()}
	if e, ok := errors.AsType[*toolError](err); ok {
		described = e
	} else if e, ok := errors.AsType[*calc.Error](err); ok {
		described = e
	}
	return string(marshal(described))
}

// listTools answers tools/list.
func (s *Server) listTools(chosen sets) *mcp.ListToolsResult {
	r := &mcp.ListToolsResult{Tools: []*mcp.Tool{}, Cacheable: s.cacheable(toolsLife)}
	for _, t := range s.tools {
		if t.sets.has(chosen) {
			r.Tools = append(r.Tools, t.Tool)
		}
	}
	return r
}

// tool returns the tool of a name, preferably one of the selected toolsets.
func (s *Server) tool(name string, chosen sets) (found *tool) {
	for _, t := range s.tools {
		if t.Name == name && (found == nil || t.sets.has(chosen)) {
			found = t
		}
	}
	return found
}

// callTool answers tools/call.
func (s *Server) callTool(chosen sets, p *mcp.CallToolParamsRaw) (*callResult, error) {
	t := s.tool(p.Name, chosen)
	switch {
	case t == nil:
		return nil, invalid("unknown tool %.80q", p.Name)
	case !t.sets.has(chosen):
		return nil, invalid(
			"tool %q is in the toolset %s, which was not chosen: add it with ?toolsets=", p.Name, t.sets,
		)
	}
	r := s.call(t, p.Arguments)
	if r.IsError {
		t.failed.Add(1)
	} else {
		t.answered.Add(1)
	}
	return r, nil
}

// Calls counts the calls of a tool by result since the server was made.
type Calls struct {
	Tool             string
	Answered, Failed uint64
}

// Calls lists the tools that were called, by name: two toolsets can have tools of one.
func (s *Server) Calls() (all []Calls) {
	for _, t := range s.tools {
		c := Calls{t.Name, t.answered.Load(), t.failed.Load()}
		i := slices.IndexFunc(all, func(other Calls) bool { return other.Tool == t.Name })
		switch {
		case i >= 0:
			all[i].Answered += c.Answered
			all[i].Failed += c.Failed
		case c.Answered+c.Failed > 0:
			all = append(all, c)
		}
	}
	return all
}

// marshal encodes a value of this package's own types, without escaping < > &.
func marshal(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// connector is the toolset for clients that require the tools search and fetch with a fixed
// contract (platform.openai.com, «Building MCP servers for ChatGPT and API integrations»). It
// is selected alone, as its tool search differs.
const connector = api.ConnectorSet

// Names for several toolsets.
const (
	defaultSets = "default"
	allSets     = "all"
)

// sets is a selection of toolsets: a bit for each, by its index in [api.Toolsets].
type sets uint

// every is the selection of all toolsets.
var every = sets(1)<<len(api.Toolsets) - 1

// setsOf returns the selection of toolsets by name, which must exist.
func setsOf(names ...string) (chosen sets) {
	for _, name := range names {
		chosen |= 1 << slices.IndexFunc(api.Toolsets, func(t api.Toolset) bool { return t.Name == name })
	}
	return chosen
}

// has reports whether the selection has any of the others.
func (s sets) has(other sets) bool { return s&other != 0 }

// String lists the names of the selection, separated by commas.
func (s sets) String() string {
	var names []string
	for _, t := range api.Toolsets {
		if s.has(setsOf(t.Name)) {
			names = append(names, t.Name)
		}
	}
	return strings.Join(names, ",")
}

// CheckToolsets validates a list of toolsets for [Config].
func CheckToolsets(list string) error {
	_, err := parseSets(list)
	return err
}

// parseSets parses names separated by commas. "" and default are the default selection; all
// is every toolset.
func parseSets(list string) (chosen sets, err error) {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		known := false
		for _, t := range api.Toolsets {
			if name == t.Name || name == allSets && t.Name != connector || name == defaultSets && t.Default {
				chosen |= setsOf(t.Name)
				known = true
			}
		}
		if !known && name != "" {
			return 0, i18n.Errorf(
				"no toolset is called %.40q: choose from %s, %s, %s", name, every, defaultSets, allSets,
			)
		}
	}
	if chosen.has(setsOf(connector)) && chosen != setsOf(connector) {
		return 0, i18n.Errorf("the toolset %s is chosen alone: its search is not that of other toolsets", connector)
	}
	if chosen == 0 {
		return parseSets(defaultSets)
	}
	return chosen, nil
}
