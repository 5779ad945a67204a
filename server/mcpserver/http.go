package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"rulestore/server/clients"
)

const (
	// maxBody is how many bytes a request may have: a calculation takes 64 KiB.
	maxBody = 256 << 10
	// maxBatch is how many messages a batch may have. Only 2025-03-26 has batches.
	maxBatch = 20

	versionHeader = "Mcp-Protocol-Version"
	sessionHeader = "Mcp-Session-Id"
	streamType    = "text/event-stream"

	// statelessSince is the revision from which on there are no sessions.
	statelessSince = "2026-07-28"
)

// methods lists what the endpoint answers.
const methods = "GET, HEAD, POST, DELETE, OPTIONS"

// ServeHTTP serves the endpoint and the documents below it. All protocol versions use one
// address; the header states the client's version.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header()["X-Snapshot"] = s.Sites.Current().Name()
	if r.URL.Path != Path {
		s.serveCard(w, r)
		return
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
	w.Header().Del("Access-Control-Allow-Origin") // scripts of other origins have no business here
	if err := s.guard(r); err != nil {
		refuse(w, http.StatusForbidden, nil, err)
		return
	}
	switch r.Method {
	case http.MethodPost:
		s.post(w, r)
	case http.MethodGet:
		s.stream(w, r, nil, s.handler(r))
	case http.MethodDelete:
		s.handler(r).ServeHTTP(&translator{ResponseWriter: w}, r)
		s.sessions.drop(r.Header.Get(sessionHeader))
	default:
		w.Header().Set("Allow", methods)
		refuse(w, http.StatusMethodNotAllowed, nil, failure(jsonrpc.CodeInvalidRequest, "method not allowed: this endpoint answers "+methods))
	}
}

// handler returns the handler of the era that a request belongs to.
func (s *Server) handler(r *http.Request) http.Handler {
	if r.Header.Get(versionHeader) >= statelessSince {
		return s.stateless
	}
	return s.stateful
}

// accepts says whether the request names the media type among those it takes.
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

// post answers a message.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		unread(w, err)
		return
	}
	m, fault := readMessage(body, r.Header.Get(versionHeader))
	if fault != nil {
		refuse(w, status(fault, r), m.ID, fault)
		return
	}
	r, err = s.choose(r, body)
	if err != nil {
		refuse(w, http.StatusBadRequest, m.ID, failure(jsonrpc.CodeInvalidParams, err.Error()))
		return
	}
	if accepts(r, jsonType) && !accepts(r, streamType) && m.Method != listenMethod {
		plain := &unstreamed{ResponseWriter: w}
		defer plain.finish()
		w = plain
		r.Header = r.Header.Clone()
		r.Header.Set("Accept", jsonType+", "+streamType)
	}
	id := r.Header.Get(sessionHeader)
	s.sessions.use(id, 0)
	switch h := s.handler(r); {
	case m.Method == listenMethod:
		s.stream(w, r, m.ID, s.stateless)
	case id != "" || h == s.stateless:
		s.ask(w, r, m.ID, h)
	case m.Method == openMethod:
		s.open(w, r, m.ID)
	default:
		s.ask(w, r, m.ID, s.stateless)
	}
}

// unread answers a request whose body was not read.
func unread(w http.ResponseWriter, err error) {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		refuse(w, http.StatusRequestEntityTooLarge, nil, failure(jsonrpc.CodeInvalidRequest, "the request is too large: at most "+strconv.Itoa(maxBody)+" bytes"))
		return
	}
	if errors.Is(err, clients.ErrBusy) {
		busy(w, nil)
		return
	}
	refuse(w, http.StatusRequestTimeout, nil, failure(jsonrpc.CodeInvalidRequest, "the request did not arrive in time"))
}

// open has a session opened, if there is a place for it.
func (s *Server) open(w http.ResponseWriter, r *http.Request, id json.RawMessage) {
	session := s.sessions.reserve(s.Proxies.Client(r))
	if session == nil {
		busy(w, id)
		return
	}
	defer s.sessions.settle(session)
	s.ask(w, r.WithContext(session.during(r.Context())), id, s.stateful)
}

// maxAnswer is how long an answer may take: calculations are done in milliseconds.
const maxAnswer = time.Minute

// ask has a handler answer a message. What it leaves unanswered is answered here, and
// ends the session: the SDK writes nothing to one any more that it once failed to
// write to, and keeps in flight for ever what it could not answer.
func (s *Server) ask(w http.ResponseWriter, r *http.Request, id json.RawMessage, h http.Handler) {
	ctx, cancel := context.WithTimeout(r.Context(), s.within)
	defer cancel()
	t := &translator{ResponseWriter: w, id: id}
	h.ServeHTTP(t, r.WithContext(ctx))
	late := ctx.Err() != nil && r.Context().Err() == nil
	if t.told && !late {
		return
	}
	s.sessions.drop(r.Header.Get(sessionHeader))
	if !t.told {
		refuse(w, http.StatusInternalServerError, id, failure(jsonrpc.CodeInternalError, "internal error: the request was not answered"))
	}
}

// choose returns the request with its body read, and with the toolsets that its
// address or header asks for.
func (s *Server) choose(r *http.Request, body []byte) (*http.Request, error) {
	asked := r.Header.Get(setsHeader)
	if r.URL.RawQuery != "" {
		if v := r.URL.Query().Get("toolsets"); v != "" {
			asked = v
		}
	}
	next := *r
	next.Body = io.NopCloser(bytes.NewReader(body))
	if asked != "" {
		chosen, err := parseSets(asked)
		if err != nil {
			return nil, err
		}
		next.Header = r.Header.Clone()
		next.Header.Set(setsHeader, chosen.String())
	}
	return &next, nil
}

// streaming marks the context of requests that may be answered by a stream. What
// only the SDK takes for such a request, one in a batch for instance, is counted
// nowhere.
type streaming struct{}

func mayStream(ctx context.Context) context.Context {
	return context.WithValue(ctx, streaming{}, true)
}

// stream answers with a stream that stays open.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, id json.RawMessage, h http.Handler) {
	ctx, cancel := context.WithCancel(mayStream(r.Context()))
	defer cancel()
	place := s.streams.table.Enter(s.Proxies.Client(r), &stream{time.Now(), cancel})
	if place == nil {
		busy(w, id)
		return
	}
	defer place.Leave()
	session := r.Header.Get(sessionHeader)
	s.sessions.use(session, 1)
	defer s.sessions.use(session, -1)
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the request was read
	s.streams.serve(&translator{ResponseWriter: w, id: id}, r.WithContext(ctx), h)
}

// busy turns a client away for the moment.
func busy(w http.ResponseWriter, id json.RawMessage) {
	w.Header().Set("Retry-After", "30")
	refuse(w, http.StatusServiceUnavailable, id, failure(jsonrpc.CodeInternalError, "too many requests or clients: try again later"))
}
