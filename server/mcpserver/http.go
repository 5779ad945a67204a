package mcpserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"rulestore/server/api"
	"rulestore/server/clients"
)

const (
	// maxBody is the maximum size of a request, in bytes: a calculation takes 64 KiB.
	maxBody = 256 << 10
	// maxBatch is the maximum number of messages in a batch, which only 2025-03-26 has: the SDK keeps all
	// answers until the last one, and 5,000 lists of tools are 500 MB.
	maxBatch = 20

	versionHeader = "Mcp-Protocol-Version"
	methodHeader  = "Mcp-Method"
	streamType    = "text/event-stream"

	// statelessSince is the first revision without sessions.
	statelessSince = "2026-07-28"
	// listenMethod opens a stream for notifications.
	listenMethod = "subscriptions/listen"
)

// methods lists the HTTP methods of the endpoint.
const methods = "GET, HEAD, POST, OPTIONS"

// ServeHTTP serves the endpoint and the documents below it. All protocol versions use one
// address; the header states the client's version.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header()["X-Snapshot"] = s.Sites.Current().Name()
	if r.URL.Path != api.MCPPath {
		s.serveCard(w, r)
		return
	}
	origin := r.Header.Get("Origin")
	if origin != "" {
		s.admit(w.Header(), origin)
	}
	switch {
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", methods)
		w.WriteHeader(http.StatusNoContent)
		return
	case (r.Method == http.MethodGet || r.Method == http.MethodHead) && !accepts(r, streamType):
		s.serveDescription(w, r)
		return
	}
	if !slices.Contains(s.Origins, origin) {
		w.Header().Del("Access-Control-Allow-Origin")
	}
	if why := s.guard(r); why != "" {
		refuse(w, http.StatusForbidden, "forbidden: "+why)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", methods)
		refuse(w, http.StatusMethodNotAllowed, "method not allowed: this endpoint answers "+methods)
		return
	}
	s.post(w, r)
}

// admit lets the scripts of an origin read the answers if it is one of those configured (Fetch standard,
// section 3.3).
func (s *Server) admit(h http.Header, origin string) {
	h.Add("Vary", "Origin")
	if slices.Contains(s.Origins, origin) {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Methods", methods)
		h.Set("Access-Control-Allow-Headers", "*")
		h.Set("Access-Control-Expose-Headers", "*")
	}
}

// accepts reports whether the request accepts the media type.
func accepts(r *http.Request, mediaType string) bool {
	for _, l := range r.Header["Accept"] {
		for element := range strings.SplitSeq(l, ",") {
			name, _, _ := strings.Cut(element, ";")
			if strings.EqualFold(strings.TrimSpace(name), mediaType) {
				return true
			}
		}
	}
	return false
}

// guard says why a request is refused that could come from a web page: with another origin, or by
// DNS rebinding, to which the answers would be of its own origin. Other resources of the service are
// public and read-only.
func (s *Server) guard(r *http.Request) string {
	base := s.Sites.Current().URL("")
	switch {
	case !clients.OwnOrigin(r, base) && !slices.Contains(s.Origins, r.Header.Get("Origin")):
		return "requests of other origins are not answered; --mcp-origins of the service can name them"
	case s.knowsItsNames(r) && !clients.OwnHost(r, clients.Host(base)):
		return "the Host header names another machine; start the service with --base-url if that is its address"
	}
	return ""
}

// knowsItsNames reports whether all host names are known by which a request can reach the
// service. On loopback they are; elsewhere only if the operator or the settings state the
// address of the service, since that of the listener is a guess.
func (s *Server) knowsItsNames(r *http.Request) bool {
	local, connected := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if tcp, ok := local.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		return true
	}
	return connected && (s.BaseURL != "" || s.Sites.Current().Snapshot.Settings.CanonicalBaseURL != "")
}

// post passes a message to the SDK, which parses, checks and answers it.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		refuse(
			w, http.StatusRequestEntityTooLarge, "the request is too large: at most "+strconv.Itoa(maxBody)+" bytes",
		)
		return
	}
	if err != nil {
		refuse(w, http.StatusRequestTimeout, "the request did not arrive in time")
		return
	}
	if why := refusal(body); why != "" {
		refuse(w, http.StatusBadRequest, why)
		return
	}
	chosen := cmp.Or(r.URL.Query().Get("toolsets"), r.Header.Get(setsHeader))
	if _, err := parseSets(chosen); err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	asked := *r
	asked.Body = io.NopCloser(bytes.NewReader(body))
	asked.Header = r.Header.Clone()
	asked.Header.Set(setsHeader, chosen)
	if r.Header.Get("Accept") == "" || accepts(r, api.JSONType) || accepts(r, "application/*") {
		// the SDK wants both, and writes JSON
		asked.Header.Set("Accept", api.JSONType+", "+streamType)
	}
	if r.Header.Get(methodHeader) == listenMethod {
		s.stream(w, &asked, body)
		return
	}
	s.handler.ServeHTTP(&translator{ResponseWriter: w, body: body}, &asked)
}

// refusal says why a body is refused that the SDK would answer otherwise, "" if it is not.
func refusal(body []byte) string {
	var messages []json.RawMessage
	if json.Unmarshal(body, &messages) != nil {
		messages = []json.RawMessage{body}
	}
	switch {
	case len(messages) > maxBatch:
		return "a batch has at most " + strconv.Itoa(maxBatch) + " messages"
	case slices.ContainsFunc(messages, isLostID):
		return lostID
	}
	return ""
}

const (
	// maxID is the least number that is no id: the SDK reads ids as doubles, which hold whole numbers below it.
	maxID  = 1 << 53
	lostID = "an id is a text, or a whole number below 2^53: another one would be changed in the answer"
)

// isLostID reports whether the SDK would answer a message with another id than its own.
func isLostID(message json.RawMessage) bool {
	var m struct{ ID json.RawMessage }
	if json.Unmarshal(message, &m) != nil || len(m.ID) == 0 || !strings.ContainsRune("-0123456789", rune(m.ID[0])) {
		return false
	}
	n, err := strconv.ParseFloat(string(m.ID), 64)
	return err != nil || n != math.Trunc(n) || math.Abs(n) >= maxID
}

// refuse answers with an error of JSON-RPC that belongs to no request.
func refuse(w http.ResponseWriter, status int, why string) {
	refuseFor(w, status, jsonrpc.ID{}, failure(jsonrpc.CodeInvalidRequest, why))
}

func refuseFor(w http.ResponseWriter, status int, id jsonrpc.ID, fault *jsonrpc.Error) {
	w.Header().Set("Content-Type", api.JSONType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// a code and a text, which always have an encoding
	message, _ := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: id, Error: fault})
	_, _ = w.Write(message) // a client that went away is no error of ours
}

// withCode gives an error of the SDK the code that it lacks, of wrong parameters: those of initialize.
func withCode(answer []byte) []byte {
	const longest = 4096 // of such an answer
	if len(answer) > longest {
		return answer
	}
	const none, some = `"error":{"code":0,`, `"error":{"code":-32602,` // quotes in a text are escaped
	return bytes.Replace(answer, []byte(none), []byte(some), 1)
}

// translator makes errors of JSON-RPC of what the SDK refuses in plain text.
type translator struct {
	http.ResponseWriter
	body    []byte // of the request
	refused int    // the status of an error whose text is written next
}

// Unwrap lets a response controller reach the connection.
func (t *translator) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *translator) WriteHeader(status int) {
	if strings.HasPrefix(t.Header().Get("Content-Type"), api.TextType) {
		t.refused = status
		return
	}
	t.ResponseWriter.WriteHeader(status)
}

func (t *translator) Write(p []byte) (int, error) {
	if t.refused == 0 {
		_, err := t.ResponseWriter.Write(withCode(p))
		return len(p), err
	}
	fault, id := failure(jsonrpc.CodeInvalidRequest, strings.TrimSpace(string(p))), jsonrpc.ID{}
	if m, err := jsonrpc.DecodeMessage(t.body); err == nil {
		if r, ok := m.(*jsonrpc.Request); ok {
			id = r.ID
		}
	}
	switch {
	case !json.Valid(t.body):
		fault.Code = jsonrpc.CodeParseError
	case strings.HasSuffix(fault.Message, " unsupported"):
		fault.Code = jsonrpc.CodeMethodNotFound
	}
	refuseFor(t.ResponseWriter, t.refused, id, fault)
	return len(p), nil
}
