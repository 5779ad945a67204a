package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
)

// mcpPath is the path of the MCP endpoint with all tools.
const mcpPath = "/mcp?toolsets=all"

// answersMCP reports whether the server answers MCP requests. A missing endpoint is a
// difference if it is expected.
func (v *verifier) answersMCP(ctx context.Context) bool {
	if v.WithoutMCP {
		return false
	}
	a, err := v.client.ask(ctx, message("tools/list", nil).request, maxBody)
	switch {
	case err != nil:
		v.differ(mcpPath, notFetched, "", err)
		return false
	case a.status < http.StatusBadRequest || a.status == http.StatusTooManyRequests:
		return true
	case v.expected != nil:
		v.differ(mcpPath, theStatus, i18n.New("200, or say --without-mcp"), strconv.Itoa(a.status))
	}
	return false
}

// mcpViews are the requests for the content over MCP: all of them without a revision, and
// some with one.
func (v *verifier) mcpViews(ctx context.Context, e *Expected) (all []view) {
	v.openSessions(ctx)
	all = append(all, initialize())
	for _, w := range listViews(ctx, e) {
		all = append(all, w, w.plain())
		for _, r := range revisions {
			all = append(all, w.inRevision(r))
		}
	}
	for _, w := range append(contentViews(e), calculationViews(ctx, e)...) {
		all = append(all, w, oneOf([]view{w.plain(), w.inRevision(revisions[0]), w.inRevision(revisions[1])}))
	}
	for i := range all {
		all[i].rpc.id = i + 1 // unique in a session
	}
	return all
}

// listViews are the requests for lists, and those without arguments.
func listViews(ctx context.Context, e *Expected) (all []view) {
	for _, method := range []string{
		"tools/list", "resources/list", "resources/templates/list", "prompts/list", "server/discover", "ping",
	} {
		all = append(all, message(method, nil))
	}
	for _, name := range freeTools(ctx, e) {
		all = append(all, tool(name))
	}
	return all
}

// contentViews are the requests for items and their versions.
func contentViews(e *Expected) (all []view) {
	for _, it := range e.Snapshot.Items {
		all = append(all, resourceViews(it)...)
		all = append(all, toolViews(it)...)
		if it.Kind == content.Registries {
			all = append(all, recordViews(e, it)...)
		}
	}
	return all
}

// freeTools are the tools without required arguments.
func freeTools(ctx context.Context, e *Expected) (names []string) {
	for _, t := range e.tools(ctx) {
		if len(t.InputSchema.Required) == 0 {
			names = append(names, t.Name)
		}
	}
	return names
}

// describedTool is a tool in the list of all.
type describedTool struct {
	Name        string
	InputSchema struct{ Required []string }
}

// tools lists the expected tools; none without MCP.
func (e *Expected) tools(ctx context.Context) []describedTool {
	a, err := e.answer(ctx, message("tools/list", nil).request)
	var listed struct {
		Result struct{ Tools []describedTool }
	}
	if err != nil || readMessage(a.body, &listed) != nil {
		return nil
	}
	return listed.Result.Tools
}

// readMessage parses a message of MCP, which may be an event.
func readMessage(body []byte, into any) error {
	return json.NewDecoder(bytes.NewReader(body[max(0, bytes.IndexByte(body, '{')):])).Decode(into)
}

// resourceViews are the requests for an item and its versions as resources and as prompts.
func resourceViews(it *content.Item) (all []view) {
	names := []string{it.ID()}
	for _, e := range it.Entries {
		names = append(names, e.Tag())
		all = append(all, tool("read_url", "url", e.Path()), tool("read_url", "url", e.Path(), "format", "markdown"))
		if it.Kind == content.Instructions {
			all = append(
				all,
				message(
					"prompts/get",
					map[string]any{"name": it.Name, "arguments": map[string]any{"version": e.Version.String()}},
				),
			)
		}
	}
	for _, name := range names {
		all = append(all, resource(name), resource(name+".md"))
	}
	return append(all, message("prompts/get", map[string]any{"name": it.Name}))
}

// toolViews are the calls of tools for an item.
func toolViews(it *content.Item) (all []view) {
	k := it.Kind
	if i := slices.IndexFunc(content.Kinds, func(other *content.Kind) bool {
		return other.Path == k.Path && other.List
	}); i >= 0 {
		k = content.Kinds[i]
	}
	id := k.ID
	if !k.NameIsID {
		id = "name"
	}
	for _, format := range []string{jsonFormat, markdownFormat} {
		all = append(all, tool("get_"+k.Name, id, it.Name, "format", format))
		for _, e := range it.Entries {
			all = append(all, tool("get_"+k.Name, id, it.Name, "version", e.Version.String(), "format", format))
		}
	}
	return append(all, tool("list_versions", "folder", it.Kind.Folder, "name", it.Name), tool("search", "q", it.Name))
}

const jsonFormat, markdownFormat = "json", "markdown"

// recordViews are the calls of tools for the records of a registry.
func recordViews(e *Expected, it *content.Item) (all []view) {
	for _, path := range e.Paths {
		code, ok := strings.CutPrefix(path, it.Kind.ItemPath(it.Name)+"/")
		if ok && !strings.HasPrefix(code, "versions") {
			all = append(all, tool("get_record", "registry", it.Name, "code", code))
		}
	}
	return all
}

func resource(name string) view {
	return message("resources/read", map[string]any{"uri": "rulestore://" + name})
}

// tool is a call of a tool; the arguments are alternating names and values.
func tool(name string, arguments ...string) view {
	given := map[string]any{}
	for pair := range slices.Chunk(arguments, 2) {
		given[pair[0]] = pair[1]
	}
	return call(name, given)
}

func call(name string, arguments any) view {
	return message("tools/call", map[string]any{"name": name, "arguments": arguments})
}

// rpc is a message of MCP.
type rpc struct {
	id                   int // unique in a session
	method, name, params string
}

// message is a request of MCP.
func message(method string, params map[string]any) view {
	if params == nil {
		params = map[string]any{}
	}
	m := rpc{id: 1, method: method, params: encoded(params)}
	for _, of := range []string{"name", "uri"} {
		if name, ok := params[of].(string); ok {
			m.name = name
		}
	}
	return view{what: textOf("MCP " + method + " " + clip(m.params)), params: params, request: request{
		method: http.MethodPost, path: mcpPath, accept: jsonType + ", text/event-stream", rpc: m,
	}}
}

func encoded(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and JSON can always be encoded
	}
	return string(raw)
}
