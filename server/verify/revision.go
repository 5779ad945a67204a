package verify

import (
	"context"
	"maps"
	"net/http"
	"strings"

	"rulestore/content/i18n"
)

// revision is a protocol revision of MCP. Before sessionless, clients open a session first;
// from then on headers repeat parts of the body.
type revision string

const sessionless revision = "2026-07-28"

// revisions has one of each era.
var revisions = []revision{"2025-06-18", sessionless}

// inRevision is the same message from a client of a revision.
func (w view) inRevision(r revision) view {
	w.what = i18n.New("%s by revision %s", w.what, string(r))
	w.speaks = r
	if r == sessionless {
		params := maps.Clone(w.params)
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    string(r),
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		}
		w.rpc.params = encoded(params)
	}
	return w
}

// plain is the same message without a selection of tools.
func (w view) plain() view {
	w.what = i18n.New("%s of the tools that are chosen by default", w.what)
	w.path, _, _ = strings.Cut(w.path, "?")
	return w
}

// revisionFields are the headers of a message in its revision.
func (r request) revisionFields(session string) []field {
	version := field{"Mcp-Protocol-Version", string(r.speaks)}
	switch r.speaks {
	case "":
		return nil
	case sessionless:
		return []field{version, {"Mcp-Method", r.rpc.method}, {"Mcp-Name", r.rpc.name}}
	}
	return []field{version, {"Mcp-Session-Id", session}}
}

// assistants are common clients of MCP.
var assistants = []map[string]any{
	{"name": "claude-code", "version": "2.0.14"}, {"name": "claude-ai", "version": "0.1.0"},
	{"name": "cursor-vscode", "version": "1.0.0"},
	{"name": "Visual Studio Code", "version": "1.105.1"}, {"name": "mcp", "version": "0.1.0"},
	{"name": "inspector-client", "version": "0.17.0"},
}

// initialize opens a session.
func initialize() view {
	return message("initialize", map[string]any{
		"protocolVersion": string(revisions[0]), "capabilities": map[string]any{}, "clientInfo": oneOf(assistants),
	})
}

// openSessions opens a session with the server, and one with the expected handler.
func (v *verifier) openSessions(ctx context.Context) {
	ask := func(ctx context.Context, r request) (answer, error) { return v.client.ask(ctx, r, maxBody) }
	v.client.session = opened(ctx, ask)
	v.expected.session = opened(ctx, v.expected.answer)
}

// opened returns the id of the opened session, "" if it failed: requests in it then show why.
func opened(ctx context.Context, ask func(context.Context, request) (answer, error)) string {
	a, err := ask(ctx, initialize().request)
	if err != nil {
		return ""
	}
	id := a.header.Get("Mcp-Session-Id")
	if !isSessionID(id) {
		return ""
	}
	ready := message("", nil).inRevision(revisions[0])
	ready.rpc, ready.body = rpc{}, `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	ready.header = field{"Mcp-Session-Id", id}
	_, _ = ask(ctx, ready.request) // a notification has no response
	return id
}

// closeSessions closes the sessions with the server.
func (v *verifier) closeSessions(ctx context.Context) {
	for _, id := range append(v.sessions, v.client.session) {
		if id != "" {
			_, _ = v.client.once(
				ctx, request{method: http.MethodDelete, path: mcpPath, header: field{"Mcp-Session-Id", id}}, maxBody,
			)
		}
	}
}
