package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"
)

const (
	// maxStreams is the maximum number of open streams of all clients.
	maxStreams = 1000
	// maxUnread is the maximum number of notifications that a client has not read.
	maxUnread = 256
	// patience is the time limit of a write to a client.
	patience = 5 * time.Second
	// heartbeat is the interval of comments on idle streams, so that proxies keep them open.
	heartbeat = 25 * time.Second
)

// stream answers a request that listens by a stream that stays open.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, body []byte) {
	defer s.streams.Add(-1)
	if s.streams.Add(1) > s.limit.Load() {
		w.Header().Set("Retry-After", "30")
		refuse(w, http.StatusServiceUnavailable, "too many clients: try again later")
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the request has been read
	q := &queue{ResponseWriter: w, unread: make(chan []byte, maxUnread), end: cancel}
	handled, sent := make(chan struct{}), make(chan struct{})
	defer func() { close(handled); <-sent }()
	go func() { defer close(sent); q.send(handled) }()
	s.handler.ServeHTTP(&translator{ResponseWriter: q, body: body}, r.WithContext(ctx))
}

// A queue is a response writer that does not wait for its client: the SDK writes to all streams one after
// the other, so that one that is not read would delay the rest (TestClientThatNeverReads).
type queue struct {
	http.ResponseWriter
	unread chan []byte
	end    context.CancelFunc // ends the stream
}

var errSlow = errors.New("the client does not read its stream")

func (q *queue) Write(p []byte) (int, error) {
	select {
	case q.unread <- bytes.Clone(p):
		return len(p), nil
	default:
		q.end()
		_ = http.NewResponseController(q.ResponseWriter).SetWriteDeadline(time.Now()) // what send is at ends, too
		return 0, errSlow
	}
}

// Flush implements [http.Flusher]: all is sent at once.
func (q *queue) Flush() {}

// send sends what was written until the request was handled, and the rest of it.
func (q *queue) send(handled <-chan struct{}) {
	defer q.end()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		p := []byte(": \n\n") // a comment
		select {
		case p = <-q.unread:
		default:
			select {
			case p = <-q.unread:
			case <-beat.C:
			case <-handled:
				if len(q.unread) > 0 {
					continue // the end of the answer
				}
				return
			}
		}
		c := http.NewResponseController(q.ResponseWriter)
		_ = c.SetWriteDeadline(time.Now().Add(patience)) // not supported by response writers of tests
		if _, err := q.ResponseWriter.Write(p); err != nil || c.Flush() != nil {
			return
		}
	}
}
