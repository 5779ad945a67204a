package mcpserver

import (
	"context"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/server/clients"
)

const (
	// maxSessions is how many sessions there may be, which clients share: an idle one
	// costs about 17 KB. The client of one that ends for another is told so when it
	// comes back, and opens another.
	maxSessions = 2000
	// maxIdle is how long a session may be idle.
	maxIdle = time.Hour
)

// sessions are those of clients before 2026-07-28. They are ended here, not by the SDK:
// to the SDK a client that reads its stream and asks nothing is idle.
type sessions struct {
	log   *slog.Logger
	table *clients.Table

	mu     sync.Mutex
	byID   map[string]*session
	ending map[*session]chan struct{} // closed when they have ended
	sweep  *time.Timer                // nil while there are no sessions
}

// A session has a place from before it is opened.
type session struct {
	all     *sessions
	place   *clients.Place
	used    atomic.Int64 // when, in nanoseconds
	streams atomic.Int32

	*mcp.ServerSession // nil until it is opened
	ended              bool
	subscribed         map[string]bool
}

func newSessions(limit int, log *slog.Logger) *sessions {
	return &sessions{log: log, table: clients.NewTable(limit), byID: map[string]*session{}, ending: map[*session]chan struct{}{}}
}

// reserve takes a place for a session of a client; nil means that there is none.
func (s *sessions) reserve(client netip.Addr) *session {
	one := &session{all: s, subscribed: map[string]bool{}}
	one.use()
	if one.place = s.table.Enter(client, one); one.place == nil {
		return nil
	}
	return one
}

type opening struct{}

// during marks the context of the request that opens a session.
func (one *session) during(ctx context.Context) context.Context {
	return context.WithValue(ctx, opening{}, one)
}

// opened keeps a session that has just been opened by a request.
func (s *sessions) opened(ctx context.Context, by *mcp.ServerSession) {
	one, _ := ctx.Value(opening{}).(*session)
	if one == nil || by.ID() == "" {
		return // it is of one request, or of stdio
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one.ServerSession = by
	if one.ended { // its place was given away meanwhile
		s.close(one)
		return
	}
	s.byID[by.ID()] = one
	if s.sweep == nil {
		s.sweep = time.AfterFunc(maxIdle, s.endIdle)
	}
}

// settle gives the place of a session back that was not opened.
func (s *sessions) settle(one *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one.ServerSession == nil {
		one.place.Leave()
	}
}

// open returns how many sessions there are.
func (s *sessions) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byID)
}

// Doing implements [clients.Holder].
func (one *session) Doing() (clients.Doing, time.Time) {
	used := time.Unix(0, one.used.Load())
	if one.streams.Load() > 0 {
		return clients.Busy, used
	}
	return clients.Idle, used
}

// End implements [clients.Holder].
func (one *session) End() {
	one.all.mu.Lock()
	defer one.all.mu.Unlock()
	one.all.end(one)
}

func (one *session) use() { one.used.Store(time.Now().UnixNano()) }

// end ends a session. s.mu is held.
func (s *sessions) end(one *session) {
	if one.ended {
		return
	}
	one.ended = true
	one.place.Leave()
	if one.ServerSession != nil {
		delete(s.byID, one.ID())
		s.close(one)
	}
}

// close closes a session. That waits for its requests, so nobody waits for it but
// [sessions.shut]. s.mu is held.
func (s *sessions) close(one *session) {
	closed := make(chan struct{})
	s.ending[one] = closed
	go func() {
		defer s.forget(one, closed)
		defer func() { report(s.log, "session", recover()) }()
		_ = one.Close() // it has nowhere to report to
	}()
}

func (s *sessions) forget(one *session, closed chan struct{}) {
	s.mu.Lock()
	delete(s.ending, one)
	s.mu.Unlock()
	close(closed)
}

// endIdle ends what was idle for too long, and comes back while there is any.
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

// use notes that a session was used, and how many streams it has more.
func (s *sessions) use(id string, streams int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.byID[id]; one != nil {
		one.use()
		one.streams.Add(streams)
	}
}

// drop ends a session that its client has no more use for, or that answers nothing any
// more. The SDK may have refused to, for what else the request says.
func (s *sessions) drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.byID[id]; one != nil {
		s.end(one)
	}
}

// subscribe notes that a session follows a resource; false means that it follows
// too many. What has no id is not of HTTP, and is followed by one client alone.
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

// shut ends all sessions, and waits until they have ended.
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
