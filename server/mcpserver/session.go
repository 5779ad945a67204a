package mcpserver

import (
	"container/list"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxSessions is how many sessions there may be: an idle one costs about
	// 17 KB. When one more is opened, the one that was idle for longest ends; its
	// client is told so when it comes back, and opens another.
	maxSessions = 2000
	// maxIdle is how long a session may be idle.
	maxIdle = time.Hour
)

// sessions are those of clients before 2026-07-28, the one used last in front.
// It ends them, not the SDK: to the SDK a client that reads its stream and asks
// nothing is idle.
type sessions struct {
	mu    sync.Mutex
	limit int
	order *list.List // of *session
	byID  map[string]*list.Element
	sweep *time.Timer // nil while there are no sessions
}

type session struct {
	*mcp.ServerSession
	used       time.Time
	streams    int
	subscribed map[string]bool
}

func newSessions(limit int) *sessions {
	return &sessions{limit: limit, order: list.New(), byID: map[string]*list.Element{}}
}

// add keeps a session that has just been opened.
func (s *sessions) add(opened *mcp.ServerSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.order.Len() >= s.limit && s.endIdlest() {
	}
	s.byID[opened.ID()] = s.order.PushFront(&session{ServerSession: opened, used: time.Now(), subscribed: map[string]bool{}})
	if s.sweep == nil {
		s.sweep = time.AfterFunc(maxIdle, s.endIdle)
	}
}

// open returns how many sessions there are.
func (s *sessions) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.order.Len()
}

// endIdlest ends the session that was idle for longest and has no stream; false
// means that there is none.
func (s *sessions) endIdlest() bool {
	for at := s.order.Back(); at != nil; at = at.Prev() {
		if at.Value.(*session).streams == 0 {
			s.end(at)
			return true
		}
	}
	return false
}

// end ends a session. Closing waits for its requests, so nobody waits for it.
func (s *sessions) end(at *list.Element) {
	ended := s.order.Remove(at).(*session)
	delete(s.byID, ended.ID())
	go ended.Close()
}

// endIdle ends what was idle for too long, and comes back while there is any.
func (s *sessions) endIdle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	oldest := time.Now().Add(-maxIdle)
	for at := s.order.Back(); at != nil; {
		before := at.Prev()
		if one := at.Value.(*session); one.streams == 0 && !one.used.After(oldest) {
			s.end(at)
		}
		at = before
	}
	if s.order.Len() == 0 {
		s.sweep = nil
		return
	}
	s.sweep.Reset(maxIdle / 4)
}

// full says whether no session can be opened: all have streams.
func (s *sessions) full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.order.Len() < s.limit {
		return false
	}
	for at := s.order.Back(); at != nil; at = at.Prev() {
		if at.Value.(*session).streams == 0 {
			return false
		}
	}
	return true
}

// use notes that a session was used, and how many streams it has more.
func (s *sessions) use(id string, streams int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.byID[id]; at != nil {
		one := at.Value.(*session)
		one.used = time.Now()
		one.streams += streams
		s.order.MoveToFront(at)
	}
}

// drop ends a session that its client has no more use for. The SDK may have
// refused to, for what else the request says.
func (s *sessions) drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.byID[id]; at != nil {
		s.end(at)
	}
}

// subscribe notes that a session follows a resource; false means that it follows
// too many. What has no id is not of HTTP, and is followed by one client alone.
func (s *sessions) subscribe(id, uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.byID[id]
	if at == nil {
		return id == ""
	}
	one := at.Value.(*session)
	if len(one.subscribed) >= maxSubscriptions && !one.subscribed[uri] {
		return false
	}
	one.subscribed[uri] = true
	return true
}

func (s *sessions) unsubscribe(id, uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.byID[id]; at != nil {
		delete(at.Value.(*session).subscribed, uri)
	}
}

// close ends all sessions, and waits until they have ended.
func (s *sessions) close() {
	s.mu.Lock()
	all := s.order
	s.order, s.byID = list.New(), map[string]*list.Element{}
	if s.sweep != nil {
		s.sweep.Stop()
		s.sweep = nil
	}
	s.mu.Unlock()
	for at := all.Front(); at != nil; at = at.Next() {
		_ = at.Value.(*session).Close() // it has nowhere to report to
	}
}
