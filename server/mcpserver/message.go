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
)

// message is what of a JSON-RPC message decides how it is handled.
type message struct {
	ID     json.RawMessage // nil: it asks nothing
	Method string
}

// readMessage reads a request far enough to answer for it if it is none. What the
// SDK would answer with plain text is answered here as JSON-RPC has it.
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
		return m, failure(jsonrpc.CodeInvalidRequest, "invalid request: no message of JSON-RPC 2.0")
	case !isID(m.ID):
		m.ID = nil
		return m, failure(jsonrpc.CodeInvalidRequest, "invalid request: an id is a string of at most "+strconv.Itoa(maxID)+" bytes, or a whole number up to 2^53")
	case m.ID != nil && full.Get("method") == nil && (full.Get("result") != nil || full.Get("error") != nil):
		return m, nil // an answer, to nothing that we ask
	case m.Method == "" || len(m.Method) > maxText:
		m.ID = nil
		return m, failure(jsonrpc.CodeInvalidRequest, "invalid request: it needs a method")
	case m.ID != nil && kinds[m.Method] == nil:
		return m, failure(jsonrpc.CodeMethodNotFound, "method not found")
	}
	return m, checkParams(m.Method, full.Get("params"))
}

// members reads an object as the SDK does, by the exact names of its members, which
// encoding/json does not. None may stand twice: what two readers understand
// differently is a way around what one of them checks.
func members(raw []byte) (content.Object, *jsonrpc.Error) {
	var all content.Object
	if json.Unmarshal(raw, &all) != nil {
		return nil, failure(jsonrpc.CodeInvalidRequest, "invalid request: no message of JSON-RPC 2.0")
	}
	seen := make(map[string]bool, len(all))
	for _, m := range all {
		if seen[m.Name] {
			return nil, failure(jsonrpc.CodeInvalidRequest, "invalid request: a member stands twice")
		}
		seen[m.Name] = true
	}
	return all, nil
}

// maxID is how many bytes an id or a progress token may have, as it is written. The
// SDK keeps ids as long as it knows of their requests.
const maxID = 256

// isID reports whether a JSON value can be the id of a request; none is that of a
// notification. What the SDK would give back as another is refused: large numbers, and
// strings that are not Unicode.
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

// listenMethod opens a stream for notifications, openMethod opens a session.
const (
	listenMethod = "subscriptions/listen"
	openMethod   = "initialize"
)

// kinds are the methods that a client may call, with what the SDK reads their
// parameters into.
var kinds = map[string]func() any{
	openMethod: kind[mcp.InitializeParams], "ping": kind[mcp.PingParams], "server/discover": kind[mcp.DiscoverParams],
	listenMethod: kind[mcp.SubscriptionsListenParams], "completion/complete": kind[mcp.CompleteParams],
	"tools/list": kind[mcp.ListToolsParams], "tools/call": kind[mcp.CallToolParamsRaw],
	"prompts/list": kind[mcp.ListPromptsParams], "prompts/get": kind[mcp.GetPromptParams],
	"skills/list": kind[listSkillsParams], "skills/get": kind[getSkillParams],
	"resources/list": kind[mcp.ListResourcesParams], "resources/templates/list": kind[mcp.ListResourceTemplatesParams],
	"resources/read": kind[mcp.ReadResourceParams], "resources/subscribe": kind[mcp.SubscribeParams], "resources/unsubscribe": kind[mcp.UnsubscribeParams],
}

func kind[P any]() any { return new(P) }

// checkBatch says what is wrong with a batch, which only one revision has.
func checkBatch(body []byte, version string) *jsonrpc.Error {
	var messages []json.RawMessage
	if json.Unmarshal(body, &messages) != nil || len(messages) == 0 || len(messages) > maxBatch {
		return failure(jsonrpc.CodeInvalidRequest, "invalid request: a batch has 1 to 20 messages")
	}
	if version > "2025-03-26" {
		return failure(jsonrpc.CodeInvalidRequest, "invalid request: this revision has no batches")
	}
	var asked []jsonrpc.ID
	for _, one := range messages {
		if bytes.HasPrefix(bytes.TrimSpace(one), []byte("[")) {
			return failure(jsonrpc.CodeInvalidRequest, "invalid request: a batch in a batch")
		}
		m, fault := readMessage(one, version)
		switch id := idOf(m); {
		case fault != nil:
			return fault
		case m.Method == openMethod:
			return failure(jsonrpc.CodeInvalidRequest, "invalid request: "+openMethod+" comes alone")
		case id.IsValid() && slices.Contains(asked, id):
			return failure(jsonrpc.CodeInvalidRequest, "invalid request: two requests of a batch have one id")
		case id.IsValid():
			asked = append(asked, id)
		}
	}
	return nil
}

// idOf returns the id of a request as the SDK knows it, one that is not valid for what
// asks nothing.
func idOf(m message) jsonrpc.ID {
	var value any
	if m.Method == "" || m.ID == nil || json.Unmarshal(m.ID, &value) != nil {
		return jsonrpc.ID{}
	}
	id, _ := jsonrpc.MakeID(value) // it was checked
	return id
}

const (
	// maxString is how many bytes the name of something may have, its URI, a cursor and
	// whatever else is given by a string, as it is written.
	maxString = 2048
	// maxKept is how many bytes parameters may have that last as long as their session
	// or stream.
	maxKept = 32 << 10
)

// free are the parameters whose strings are bounded by the size of the whole alone:
// arguments have checks of their own, and the others are what clients say of themselves.
var free = []string{"arguments", "_meta", "clientInfo", "capabilities"}

// checkParams says what is wrong with the types of parameters and the lengths of
// strings. The SDK finds the types too, but answers with what it was given and their
// names.
func checkParams(method string, raw json.RawMessage) *jsonrpc.Error {
	if raw == nil {
		return nil
	}
	p, fault := members(raw)
	switch {
	case fault != nil:
		return failure(jsonrpc.CodeInvalidParams, "invalid params: they are an object, no member of which stands twice")
	case (method == openMethod || method == listenMethod) && len(raw) > maxKept:
		return failure(jsonrpc.CodeInvalidParams, "invalid params: these have at most "+strconv.Itoa(maxKept)+" bytes")
	case tooLong(method, p):
		return failure(jsonrpc.CodeInvalidParams, "invalid params: a string has at most "+strconv.Itoa(maxString)+" bytes, a progress token "+strconv.Itoa(maxID))
	}
	for _, name := range []string{"name", "uri", "cursor"} {
		if !startsWith(p.Get(name), '"') {
			return failure(jsonrpc.CodeInvalidParams, "invalid params: name, uri and cursor are strings")
		}
	}
	if !startsWith(p.Get("arguments"), '{') || !startsWith(p.Get("_meta"), '{') {
		return failure(jsonrpc.CodeInvalidParams, "invalid params: arguments and _meta are objects")
	}
	if read := kinds[method]; read != nil && !isPlainCall(method, p) && json.Unmarshal(raw, read()) != nil {
		return failure(jsonrpc.CodeInvalidParams, "invalid params: a member is not of the type that "+method+" has for it")
	}
	return nil
}

// isPlainCall reports whether parameters are those that most calls of tools have, whose
// types are known by now.
func isPlainCall(method string, params content.Object) bool {
	return method == "tools/call" && !slices.ContainsFunc(params, func(m content.Member) bool {
		return m.Name != "name" && m.Name != "arguments" && m.Name != "_meta"
	})
}

// tooLong reports whether a string among parameters is longer than it may be.
func tooLong(method string, params content.Object) bool {
	for _, m := range params {
		if slices.Contains(free, m.Name) && (m.Name != "arguments" || method == "tools/call") {
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

// longest returns how many bytes the longest string within a JSON value has, as it is
// written and with its quotes.
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

// startsWith says whether a value, if there is one and it is not null, is of the
// type that begins so.
func startsWith(value json.RawMessage, first byte) bool {
	return value == nil || string(value) == "null" || value[0] == first
}

// status is the HTTP status of a fault: sessions had 200 for what a method
// answers, 2026-07-28 has a status for each.
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
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(refusal(id, fault)) // a client that went away is no error of ours
}

// refusal is the answer to a request that is none, or to one of no known id.
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

// translator turns the plain text with which the SDK refuses what is wrong with
// an HTTP request into errors of JSON-RPC.
type translator struct {
	http.ResponseWriter
	id      json.RawMessage
	refused int  // the status of a refusal whose text comes next
	told    bool // something was written
}

// Unwrap lets a response controller reach the connection.
func (t *translator) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *translator) WriteHeader(status int) {
	t.told = true
	if status >= 400 && strings.HasPrefix(t.Header().Get("Content-Type"), "text/plain") {
		t.refused = status
		return
	}
	t.ResponseWriter.WriteHeader(status)
}

func (t *translator) Write(p []byte) (int, error) {
	t.told = true
	if t.refused == 0 {
		return t.ResponseWriter.Write(p)
	}
	refuse(t.ResponseWriter, t.refused, t.id, failure(codeOf(t.refused), clip(strings.TrimSpace(string(p)))))
	return len(p), nil
}

// Flush implements [http.Flusher].
func (t *translator) Flush() { _ = http.NewResponseController(t.ResponseWriter).Flush() } // it was written

// codeSessionNotFound is what other servers answer for a session that is no more.
const codeSessionNotFound = -32001

func codeOf(status int) int64 {
	if status == http.StatusNotFound {
		return codeSessionNotFound
	}
	return jsonrpc.CodeInvalidRequest
}
