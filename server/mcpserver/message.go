package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// message is what of a JSON-RPC message decides what becomes of it.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
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
	var full struct {
		message
		Version string          `json:"jsonrpc"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &full) != nil || full.Version != "2.0" {
		return m, failure(jsonrpc.CodeInvalidRequest, "invalid request: no message of JSON-RPC 2.0")
	}
	m = full.message
	switch {
	case m.Method == "" && (full.Result != nil || full.Error != nil):
		return m, nil // an answer, to nothing that we ask
	case m.Method == "" || !isID(m.ID):
		m.ID = nil
		return m, failure(jsonrpc.CodeInvalidRequest, "invalid request: it needs a method, and an id that is a string or a whole number up to 2^53")
	case m.ID != nil && !slices.Contains(answered, m.Method):
		return m, failure(jsonrpc.CodeMethodNotFound, "method not found")
	}
	return m, checkParams(full.Params)
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
	var p struct {
		Name      *string         `json:"name"`
		URI       *string         `json:"uri"`
		Cursor    *string         `json:"cursor"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if raw == nil {
		return nil
	}
	if json.Unmarshal(raw, &p) != nil || raw[0] != '{' {
		return failure(jsonrpc.CodeInvalidParams, "invalid params: name, uri and cursor are strings")
	}
	if a := string(p.Arguments); a != "" && a != "null" && !strings.HasPrefix(a, "{") {
		return failure(jsonrpc.CodeInvalidParams, "invalid params: arguments are an object")
	}
	return nil
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
	if id == nil {
		id = json.RawMessage("null")
	}
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(marshal(struct { // a client that went away is no error of ours
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, fault}))
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
