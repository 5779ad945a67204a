package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
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

// ServeHTTP answers at the endpoint and at what lies beneath it. Both eras of
// the protocol come to one address; the header says which one a client speaks.
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
		s.stream(w, r, s.handler(r))
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

// guard keeps out pages of other origins that the user's browser has open: those
// that say so, and those whose name was rebound to this machine.
func (s *Server) guard(r *http.Request) *jsonrpc.Error {
	base, err := url.Parse(s.Sites.Current().URL(""))
	if err != nil {
		base = &url.URL{}
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host != r.Host && u.Host != base.Host {
			return failure(jsonrpc.CodeInvalidRequest, "forbidden: requests of other origins are not answered")
		}
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local != nil && loopback(local.String()) && !loopback(r.Host) && r.Host != base.Host {
		return failure(jsonrpc.CodeInvalidRequest, "forbidden: the Host header names another machine; start the service with --base-url if that is its address")
	}
	return nil
}

// loopback says whether an address, with a port or without, is this machine's own.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = strings.Trim(addr, "[]")
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// post answers a message.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			refuse(w, http.StatusRequestEntityTooLarge, nil, failure(jsonrpc.CodeInvalidRequest, "the request is too large: at most "+strconv.Itoa(maxBody)+" bytes"))
		}
		return // or the client is gone
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
	id := r.Header.Get(sessionHeader)
	s.sessions.use(id, 0)
	switch {
	case m.Method == listenMethod:
		s.stream(w, r, s.stateless)
	case m.Method == "initialize" && s.sessions.full():
		busy(w, m.ID)
	case m.Method != "initialize" && id == "":
		s.stateless.ServeHTTP(&translator{ResponseWriter: w, id: m.ID}, r)
	default:
		s.handler(r).ServeHTTP(&translator{ResponseWriter: w, id: m.ID}, r)
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
func (s *Server) stream(w http.ResponseWriter, r *http.Request, h http.Handler) {
	if !s.streams.enter() {
		busy(w, nil)
		return
	}
	defer s.streams.leave()
	id := r.Header.Get(sessionHeader)
	s.sessions.use(id, 1)
	defer s.sessions.use(id, -1)
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the request was read
	t := &translator{ResponseWriter: w}
	s.streams.serve(t, r.WithContext(mayStream(r.Context())), h)
}

// busy turns a client away for the moment.
func busy(w http.ResponseWriter, id json.RawMessage) {
	w.Header().Set("Retry-After", "30")
	refuse(w, http.StatusServiceUnavailable, id, failure(jsonrpc.CodeInternalError, "too many clients: try again later"))
}
