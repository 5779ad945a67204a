package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"rulestore/content"
)

// message is what of a JSON-RPC message decides what becomes of it.
type message struct {
	ID     json.RawMessage
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
	case m.ID != nil && full.Get("method") == nil && (full.Get("result") != nil || full.Get("error") != nil):
		return m, nil // an answer, to nothing that we ask
	case m.Method == "" || !isID(m.ID):
		m.ID = nil
		return m, failure(jsonrpc.CodeInvalidRequest, "invalid request: it needs a method, and an id that is a string or a whole number up to 2^53")
	case m.ID != nil && !slices.Contains(answered, m.Method):
		return m, failure(jsonrpc.CodeMethodNotFound, "method not found")
	}
	return m, checkParams(full.Get("params"))
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

// isID says whether a JSON value can be the id of a request; none is that of a
// notification. A number that the SDK would give back as another is refused.
func isID(id json.RawMessage) bool {
	if id == nil || id[0] == '"' {
		return true
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -1<<53 <= n && n <= 1<<53
}

// listenMethod is answered by a stream that stays open.
const listenMethod = "subscriptions/listen"

// answered are the methods that a client may call.
var answered = []string{
	"initialize", "ping", "server/discover", listenMethod, "completion/complete",
	"tools/list", "tools/call", "prompts/list", "prompts/get", "skills/list", "skills/get",
	"resources/list", "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe",
}

// checkBatch says what is wrong with a batch, which only one revision has.
func checkBatch(body []byte, version string) *jsonrpc.Error {
	var messages []json.RawMessage
	if json.Unmarshal(body, &messages) != nil || len(messages) == 0 || len(messages) > maxBatch {
		return failure(jsonrpc.CodeInvalidRequest, "invalid request: a batch has 1 to 20 messages")
	}
	if version > "2025-03-26" {
		return failure(jsonrpc.CodeInvalidRequest, "invalid request: this revision has no batches")
	}
	for _, one := range messages {
		if bytes.HasPrefix(bytes.TrimSpace(one), []byte("[")) {
			return failure(jsonrpc.CodeInvalidRequest, "invalid request: a batch in a batch")
		}
		if _, fault := readMessage(one, version); fault != nil {
			return fault
		}
	}
	return nil
}

// checkParams says what is wrong with the types of parameters. The SDK finds that
// too, but answers with what it was given and the names of its types.
func checkParams(raw json.RawMessage) *jsonrpc.Error {
	if raw == nil {
		return nil
	}
	p, fault := members(raw)
	if fault != nil {
		return failure(jsonrpc.CodeInvalidParams, "invalid params: they are an object, no member of which stands twice")
	}
	for _, name := range []string{"name", "uri", "cursor"} {
		if !startsWith(p.Get(name), '"') {
			return failure(jsonrpc.CodeInvalidParams, "invalid params: name, uri and cursor are strings")
		}
	}
	if !startsWith(p.Get("arguments"), '{') {
		return failure(jsonrpc.CodeInvalidParams, "invalid params: arguments are an object")
	}
	return nil
}

// startsWith says whether a value, if there is one and it is not null, is of the
// type that begins so.
func startsWith(value json.RawMessage, first byte) bool {
	return value == nil || string(value) == "null" || value[0] == first
}

func failure(code int64, text string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: code, Message: text}
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
	refused int // the status of a refusal whose text comes next
}

// Unwrap lets a response controller reach the connection.
func (t *translator) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *translator) WriteHeader(status int) {
	if status >= 400 && strings.HasPrefix(t.Header().Get("Content-Type"), "text/plain") {
		t.refused = status
		return
	}
	t.ResponseWriter.WriteHeader(status)
}

func (t *translator) Write(p []byte) (int, error) {
	if t.refused == 0 {
		return t.ResponseWriter.Write(p)
	}
	refuse(t.ResponseWriter, t.refused, t.id, failure(codeOf(t.refused), strings.TrimSpace(string(p))))
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
