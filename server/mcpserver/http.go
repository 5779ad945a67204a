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

	"rulestore/server/api"
)

const (
	// maxBody is the maximum size of a request, in bytes: a calculation takes 64 KiB.
	maxBody = 256 << 10
	// maxBatch is the maximum number of messages in a batch. Only 2025-03-26 has batches.
	maxBatch = 20

	versionHeader = "Mcp-Protocol-Version"
	streamType    = "text/event-stream"

	// statelessSince is the first revision without sessions.
	statelessSince = "2026-07-28"
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
	switch {
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", methods)
		w.WriteHeader(http.StatusNoContent)
		return
	case (r.Method == http.MethodGet || r.Method == http.MethodHead) && !accepts(r, streamType):
		s.serveDescription(w, r)
		return
	}
	w.Header().Del("Access-Control-Allow-Origin") // not for scripts of other origins
	if err := s.guard(r); err != nil {
		refuse(w, http.StatusForbidden, nil, err)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", methods)
		refuse(
			w, http.StatusMethodNotAllowed, nil,
			failure(jsonrpc.CodeInvalidRequest, "method not allowed: this endpoint answers "+methods),
		)
		return
	}
	s.post(w, r)
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

// post answers a message.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		refuseUnread(w, err)
		return
	}
	m, fault := readMessage(body, r.Header.Get(versionHeader))
	if fault != nil {
		refuse(w, status(fault, r), m.ID, fault)
		return
	}
	r, err = s.withToolsets(r, body)
	if err != nil {
		refuse(w, http.StatusBadRequest, m.ID, failure(jsonrpc.CodeInvalidParams, err.Error()))
		return
	}
	if m.Method == listenMethod {
		s.stream(w, r, m.ID)
		return
	}
	if accepts(r, api.JSONType) { // the SDK wants both, and writes JSON
		r.Header = r.Header.Clone()
		r.Header.Set("Accept", api.JSONType+", "+streamType)
	}
	s.handle(w, r, m.ID)
}

// refuseUnread answers a request whose body could not be read.
func refuseUnread(w http.ResponseWriter, err error) {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		refuse(
			w, http.StatusRequestEntityTooLarge, nil,
			failure(jsonrpc.CodeInvalidRequest, "the request is too large: at most "+strconv.Itoa(maxBody)+" bytes"),
		)
		return
	}
	refuse(w, http.StatusRequestTimeout, nil, failure(jsonrpc.CodeInvalidRequest, "the request did not arrive in time"))
}

// maxAnswer is the time limit of an answer: calculations take milliseconds.
const maxAnswer = time.Minute

// handle passes a message to the SDK, and answers with an error what that leaves unanswered.
func (s *Server) handle(w http.ResponseWriter, r *http.Request, id json.RawMessage) {
	ctx, cancel := context.WithTimeout(r.Context(), s.timeout)
	defer cancel()
	t := &translator{ResponseWriter: w, id: id}
	s.answering.ServeHTTP(t, r.WithContext(ctx))
	if !t.written {
		refuse(
			w, http.StatusInternalServerError, id,
			failure(jsonrpc.CodeInternalError, "internal error: the request was not answered"),
		)
	}
}

// withToolsets returns the request with the body that was read, and with the toolsets of its
// query string or header in the header.
func (s *Server) withToolsets(r *http.Request, body []byte) (*http.Request, error) {
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

// streaming marks the context of requests that can be answered by a stream. Those that only
// the SDK recognizes, for instance in a batch, are not counted.
type streaming struct{}

func mayStream(ctx context.Context) context.Context {
	return context.WithValue(ctx, streaming{}, true)
}

// stream answers with a stream that stays open.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, id json.RawMessage) {
	if !s.streams.enter() {
		busy(w, id)
		return
	}
	defer s.streams.leave()
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the request has been read
	s.streams.serve(&translator{ResponseWriter: w, id: id}, r.WithContext(mayStream(r.Context())), s.listening)
}

// busy answers that a limit is reached at the moment.
func busy(w http.ResponseWriter, id json.RawMessage) {
	w.Header().Set("Retry-After", "30")
	refuse(
		w, http.StatusServiceUnavailable, id,
		failure(jsonrpc.CodeInternalError, "too many requests or clients: try again later"),
	)
}
