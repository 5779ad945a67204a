package mcpserver

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxSessions is the maximum number of sessions of all clients: an idle one takes about
	// 17 KB. If a session is ended for another, the next request of its client is answered
	// accordingly, and the client opens a new one.
	maxSessions = 2000
	// maxIdle is the time after which an idle session ends.
	maxIdle = time.Hour
)

// sessions are those of clients with revisions before 2026-07-28. They are not ended by the
// SDK, which takes a client for idle that only reads its stream.
type sessions struct {
	log   *slog.Logger
	limit int

	mu     sync.Mutex
	held   int // sessions, including those that are being opened
	byID   map[string]*session
	ending map[*session]chan struct{} // the channels are closed when the sessions have ended
	sweep  *time.Timer                // nil while there are no sessions
}

// A session counts for the limit from before it is opened.
type session struct {
	used    atomic.Int64 // Unix time in nanoseconds
	streams atomic.Int32

	*mcp.ServerSession // nil until it is opened
	subscribed         map[string]bool
}

func newSessions(limit int, log *slog.Logger) *sessions {
	return &sessions{
		log: log, limit: limit, byID: map[string]*session{}, ending: map[*session]chan struct{}{},
	}
}

// reserve returns a session to be opened. If there are as many as there may be, the one that was
// unused for longest makes room; nil if all have streams or are being opened.
func (s *sessions) reserve() *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held >= s.limit {
		oldest := s.unused()
		if oldest == nil {
			return nil
		}
		s.end(oldest)
	}
	s.held++
	one := &session{subscribed: map[string]bool{}}
	one.use()
	return one
}

// unused returns the session without a stream that was unused for longest, nil if there is none.
// s.mu is held.
func (s *sessions) unused() (oldest *session) {
	for _, one := range s.byID {
		if one.streams.Load() == 0 && (oldest == nil || one.used.Load() < oldest.used.Load()) {
			oldest = one
		}
	}
	return oldest
}

type opening struct{}

// inContext adds the session to the context of the request that opens it.
func (one *session) inContext(ctx context.Context) context.Context {
	return context.WithValue(ctx, opening{}, one)
}

// opened stores the session opened by a request.
func (s *sessions) opened(ctx context.Context, by *mcp.ServerSession) {
	one, _ := ctx.Value(opening{}).(*session)
	if one == nil || by.ID() == "" {
		return // a session of a single request, or of stdio
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one.ServerSession = by
	s.byID[by.ID()] = one
	if s.sweep == nil {
		s.sweep = time.AfterFunc(maxIdle, s.endIdle)
	}
}

// release no longer counts a session that was not opened.
func (s *sessions) release(one *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one.ServerSession == nil {
		s.held--
	}
}

// open returns the number of sessions.
func (s *sessions) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byID)
}

func (one *session) use() { one.used.Store(time.Now().UnixNano()) }

// end ends a session. s.mu is held.
func (s *sessions) end(one *session) {
	s.held--
	delete(s.byID, one.ID())
	s.close(one)
}

// close closes a session in the background, as that waits for its requests; [sessions.shut]
// waits for it. s.mu is held.
func (s *sessions) close(one *session) {
	closed := make(chan struct{})
	s.ending[one] = closed
	go func() {
		defer s.forget(one, closed)
		defer func() { report(s.log, "session", recover()) }()
		_ = one.Close() // the error cannot be reported
	}()
}

func (s *sessions) forget(one *session, closed chan struct{}) {
	s.mu.Lock()
	delete(s.ending, one)
	s.mu.Unlock()
	close(closed)
}

// endIdle ends idle sessions, and schedules the next sweep while there are sessions.
func (s *sessions) endIdle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	oldest := time.Now().Add(-maxIdle).UnixNano()
	for _, one := range s.byID {
		if one.streams.Load() == 0 && one.used.Load() <= oldest {
			s.end(one)
		}
	}
	if len(s.byID) == 0 {
		s.sweep = nil
		return
	}
	s.sweep.Reset(maxIdle / 4)
}

// use records the use of a session, and the change of its number of streams.
func (s *sessions) use(id string, streams int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.byID[id]; one != nil {
		one.use()
		one.streams.Add(streams)
	}
}

// drop ends a session that its client closes or that cannot answer any more. The SDK does not
// end it if other parts of the request are invalid.
func (s *sessions) drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.byID[id]; one != nil {
		s.end(one)
	}
}

// subscribe records that a session subscribes to a resource, and reports whether it may: it can
// have too many. Without an id the session is of stdio, and is not limited.
func (s *sessions) subscribe(id, uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.byID[id]
	if one == nil {
		return id == ""
	}
	if len(one.subscribed) >= maxSubscriptions && !one.subscribed[uri] {
		return false
	}
	one.subscribed[uri] = true
	return true
}

func (s *sessions) unsubscribe(id, uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.byID[id]; one != nil {
		delete(one.subscribed, uri)
	}
}

// shut ends all sessions and waits for them.
func (s *sessions) shut() {
	s.mu.Lock()
	if s.sweep != nil {
		s.sweep.Stop()
		s.sweep = nil
	}
	for _, one := range s.byID {
		s.end(one)
	}
	all := slices.Collect(maps.Values(s.ending))
	s.mu.Unlock()
	for _, closed := range all {
		<-closed
	}
}
