package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/server/api"
)

// message has the members of a JSON-RPC message that determine how it is handled.
type message struct {
	ID     json.RawMessage // nil if it is a notification
	Method string
}

// readMessage validates the JSON-RPC envelope. The SDK would answer some faults with plain
// text, which here are errors of JSON-RPC.
func readMessage(body []byte, version string) (m message, fault *jsonrpc.Error) {
	body = bytes.TrimSpace(body)
	if !json.Valid(body) {
		return m, failure(jsonrpc.CodeParseError, "parse error: the body is no JSON")
	}
	if body[0] == '[' {
		return m, checkBatch(body, version)
	}
	full, fault := members(body)
	if fault != nil {
		return m, fault
	}
	m = message{ID: full.Get("id"), Method: full.Text("method")}
	switch {
	case full.Text("jsonrpc") != "2.0":
		m.ID = nil
		return m, badRequest("no message of JSON-RPC 2.0")
	case !isID(m.ID):
		m.ID = nil
		return m, badRequest(
			"an id is a string of at most " + strconv.Itoa(maxID) + " bytes, or a whole number up to 2^53",
		)
	case m.ID != nil && full.Get("method") == nil && (full.Get("result") != nil || full.Get("error") != nil):
		return m, nil // an answer, though the server sends no requests
	case m.Method == "" || len(m.Method) > maxText:
		m.ID = nil
		return m, badRequest("it needs a method")
	case m.ID != nil && methodParams[m.Method] == nil:
		return m, failure(jsonrpc.CodeMethodNotFound, "method not found")
	}
	return m, checkParams(m.Method, full.Get("params"))
}

// members parses an object by the exact names of its members, like the SDK and unlike
// encoding/json. Duplicate names are refused: two parsers could use different ones, which
// would circumvent checks.
func members(raw []byte) (content.Object, *jsonrpc.Error) {
	var all content.Object
	if json.Unmarshal(raw, &all) != nil {
		return nil, badRequest("no message of JSON-RPC 2.0")
	}
	seen := make(map[string]bool, len(all))
	for _, m := range all {
		if seen[m.Name] {
			return nil, badRequest("a member stands twice")
		}
		seen[m.Name] = true
	}
	return all, nil
}

// maxID is the maximum length of an id or a progress token as JSON, in bytes. The SDK keeps
// ids as long as their requests.
const maxID = 256

// isID reports whether a JSON value is a valid id of a request; an absent one is that of a
// notification. Values that the SDK would return in another form are refused: large numbers,
// and strings that are not Unicode.
func isID(id json.RawMessage) bool {
	if id == nil {
		return true
	}
	var text string
	if id[0] == '"' {
		return len(id) <= maxID && json.Unmarshal(id, &text) == nil && !strings.ContainsRune(text, utf8.RuneError)
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -1<<53 <= n && n <= 1<<53
}

// Methods that open a stream for notifications, and with which clients of earlier revisions begin.
const (
	listenMethod = "subscriptions/listen"
	openMethod   = "initialize"
)

// methodParams has the methods that a client may call, with the SDK's types of their
// parameters.
var methodParams = map[string]func() any{
	openMethod: kind[mcp.InitializeParams], "ping": kind[mcp.PingParams], "server/discover": kind[mcp.DiscoverParams],
	listenMethod: kind[mcp.SubscriptionsListenParams], "completion/complete": kind[mcp.CompleteParams],
	"tools/list": kind[mcp.ListToolsParams], "tools/call": kind[mcp.CallToolParamsRaw],
	"prompts/list": kind[mcp.ListPromptsParams], "prompts/get": kind[mcp.GetPromptParams],
	"skills/list": kind[listSkillsParams], "skills/get": kind[getSkillParams],
	"resources/list": kind[mcp.ListResourcesParams], "resources/templates/list": kind[mcp.ListResourceTemplatesParams],
	"resources/read": kind[mcp.ReadResourceParams],
}

func kind[P any]() any { return new(P) }

// checkBatch validates a batch, which only one revision has.
func checkBatch(body []byte, version string) *jsonrpc.Error {
	var messages []json.RawMessage
	if json.Unmarshal(body, &messages) != nil || len(messages) == 0 || len(messages) > maxBatch {
		return badRequest("a batch has 1 to 20 messages")
	}
	if version > "2025-03-26" {
		return badRequest("this revision has no batches")
	}
	var asked []jsonrpc.ID
	for _, one := range messages {
		if bytes.HasPrefix(bytes.TrimSpace(one), []byte("[")) {
			return badRequest("a batch in a batch")
		}
		m, fault := readMessage(one, version)
		switch id := idOf(m); {
		case fault != nil:
			return fault
		case m.Method == openMethod:
			return badRequest(openMethod + " comes alone")
		case id.IsValid() && slices.Contains(asked, id):
			return badRequest("two requests of a batch have one id")
		case id.IsValid():
			asked = append(asked, id)
		}
	}
	return nil
}

// idOf returns the id of a request as the SDK represents it, an invalid one for a
// notification.
func idOf(m message) jsonrpc.ID {
	var value any
	if m.Method == "" || m.ID == nil || json.Unmarshal(m.ID, &value) != nil {
		return jsonrpc.ID{}
	}
	id, _ := jsonrpc.MakeID(value) // checked by isID
	return id
}

const (
	// maxString is the maximum length of a string in parameters, such as a name, a URI or a
	// cursor, as JSON, in bytes.
	maxString = 2048
	// maxKept is the maximum size of parameters that are kept with their session or stream,
	// in bytes.
	maxKept = 32 << 10
)

// unboundedParams are the parameters whose strings are limited by the size of the message
// only: arguments have their own checks, the others describe the client.
var unboundedParams = []string{"arguments", "_meta", "clientInfo", "capabilities"}

// checkParams validates the types of parameters and the lengths of strings. The SDK checks
// the types too, but its errors repeat values and names of Go types.
func checkParams(method string, raw json.RawMessage) *jsonrpc.Error {
	if raw == nil {
		return nil
	}
	p, fault := members(raw)
	switch {
	case fault != nil:
		return badParams("they are an object, no member of which stands twice")
	case (method == openMethod || method == listenMethod) && len(raw) > maxKept:
		return badParams("these have at most " + strconv.Itoa(maxKept) + " bytes")
	case tooLong(method, p):
		return badParams(
			"a string has at most " + strconv.Itoa(maxString) +
				" bytes, a progress token " + strconv.Itoa(maxID),
		)
	}
	for _, name := range []string{"name", "uri", "cursor"} {
		if !startsWith(p.Get(name), '"') {
			return badParams("name, uri and cursor are strings")
		}
	}
	if !startsWith(p.Get("arguments"), '{') || !startsWith(p.Get("_meta"), '{') {
		return badParams("arguments and _meta are objects")
	}
	if read := methodParams[method]; read != nil && !isPlainCall(method, p) && json.Unmarshal(raw, read()) != nil {
		return badParams("a member is not of the type that " + method + " has for it")
	}
	return nil
}

// isPlainCall reports whether parameters are those of most calls of tools, whose types have
// been checked.
func isPlainCall(method string, params content.Object) bool {
	return method == "tools/call" && !slices.ContainsFunc(params, func(m content.Member) bool {
		return m.Name != "name" && m.Name != "arguments" && m.Name != "_meta"
	})
}

// tooLong reports whether a string in parameters exceeds its limit.
func tooLong(method string, params content.Object) bool {
	for _, m := range params {
		if slices.Contains(unboundedParams, m.Name) && (m.Name != "arguments" || method == "tools/call") {
			continue
		}
		if longest(m.Value) > maxString {
			return true
		}
	}
	var meta struct {
		Token json.RawMessage `json:"progressToken"`
	}
	about := params.Get("_meta")
	return len(about) > maxID && json.Unmarshal(about, &meta) == nil && len(meta.Token) > maxID
}

// longest returns the length of the longest string within a JSON value, in bytes with its
// quotes.
func longest(value []byte) (most int) {
	for i := 0; i < len(value); i++ {
		if value[i] != '"' {
			continue
		}
		from := i
		for i++; value[i] != '"'; i++ {
			if value[i] == '\\' {
				i++
			}
		}
		most = max(most, i+1-from)
	}
	return most
}

// startsWith reports whether a value is of the type that begins with a character; absent and
// null values are.
func startsWith(value json.RawMessage, first byte) bool {
	return value == nil || string(value) == "null" || value[0] == first
}

// status is the HTTP status of a fault: before 2026-07-28 200 for an unknown method; that revision
// defines a status for each.
func status(fault *jsonrpc.Error, r *http.Request) int {
	switch {
	case fault.Code != jsonrpc.CodeMethodNotFound:
		return http.StatusBadRequest
	case r.Header.Get(versionHeader) >= statelessSince:
		return http.StatusNotFound
	}
	return http.StatusOK
}

// refuse answers with an error of JSON-RPC.
func refuse(w http.ResponseWriter, status int, id json.RawMessage, fault *jsonrpc.Error) {
	w.Header().Set("Content-Type", api.JSONType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(refusal(id, fault)) // a client that went away is no error of ours
}

// refusal is the error answer to an invalid request, or to one without an id.
func refusal(id json.RawMessage, fault *jsonrpc.Error) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, fault})
}

// translator converts the plain text of the SDK's HTTP errors to errors of JSON-RPC.
type translator struct {
	http.ResponseWriter
	id      json.RawMessage
	refused int  // the status of an error whose text is written next
	written bool // something was written
}

// Unwrap lets a response controller reach the connection.
func (t *translator) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *translator) WriteHeader(status int) {
	t.written = true
	if status >= 400 && strings.HasPrefix(t.Header().Get("Content-Type"), api.TextType) {
		t.refused = status
		return
	}
	t.ResponseWriter.WriteHeader(status)
}

func (t *translator) Write(p []byte) (int, error) {
	t.written = true
	if t.refused == 0 {
		return t.ResponseWriter.Write(p)
	}
	refuse(t.ResponseWriter, t.refused, t.id, failure(jsonrpc.CodeInvalidRequest, clip(strings.TrimSpace(string(p)))))
	return len(p), nil
}

// Flush implements [http.Flusher].
func (t *translator) Flush() { _ = http.NewResponseController(t.ResponseWriter).Flush() } // it was written
