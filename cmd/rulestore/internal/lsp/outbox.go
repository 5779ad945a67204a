package lsp

import (
	"errors"
	"io"
	"sync"
	"time"
)

// outbox writes messages in the background. Otherwise server and client could deadlock, each
// waiting for the other to read.
type outbox struct {
	out     io.Writer
	written chan struct{} // closed when run has ended

	mu     sync.Mutex
	more   sync.Cond
	queue  [][]byte
	size   int
	closed bool // nothing more comes
	err    error
}

// maxUnread is the maximum size of messages waiting to be written, in bytes.
const maxUnread = 256 << 20

var errUnread = errors.New("the editor reads nothing")

func newOutbox(out io.Writer) *outbox {
	o := &outbox{out: out, written: make(chan struct{})}
	o.more.L = &o.mu
	go o.run()
	return o
}

// put queues a message.
func (o *outbox) put(p []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.size += len(p); o.size > maxUnread && o.err == nil {
		o.err = errUnread
	}
	if o.err != nil {
		return o.err
	}
	o.queue = append(o.queue, p)
	o.more.Signal()
	return nil
}

// run writes until the outbox is finished, or writing fails.
func (o *outbox) run() {
	defer close(o.written)
	for p := o.next(); p != nil; p = o.next() {
		_, err := o.out.Write(p)
		o.mu.Lock()
		o.size -= len(p)
		o.err = errors.Join(o.err, err)
		o.mu.Unlock()
	}
}

// next waits for a message; nil if there are no more.
func (o *outbox) next() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 && !o.closed && o.err == nil {
		o.more.Wait()
	}
	if len(o.queue) == 0 || o.err != nil {
		return nil
	}
	p := o.queue[0]
	o.queue = o.queue[1:]
	return p
}

// finish waits until all messages are written, at most for a while: the client may have
// stopped reading.
func (o *outbox) finish() {
	o.mu.Lock()
	o.closed = true
	o.more.Signal()
	o.mu.Unlock()
	select {
	case <-o.written:
	case <-time.After(10 * time.Second):
	}
}
