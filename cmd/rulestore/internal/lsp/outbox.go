package lsp

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"time"
)

// outbox writes messages one after the other, while whoever sends them goes on: a
// server that waits for its client to read, and reads nothing meanwhile, may wait for
// ever, because the client may do the same.
type outbox struct {
	out     io.Writer
	written chan struct{} // closed when nothing more is written

	mu    sync.Mutex
	more  sync.Cond
	queue [][]byte
	size  int
	full  bool // no more is taken
	err   error
}

// maxUnread is how many bytes a client may leave unread.
const maxUnread = 256 << 20

var errUnread = errors.New("the editor reads nothing")

func newOutbox(out io.Writer) *outbox {
	o := &outbox{out: out, written: make(chan struct{})}
	o.more.L = &o.mu
	go o.run()
	return o
}

// Write implements io.Writer: it takes a message to be written.
func (o *outbox) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.size += len(p); o.size > maxUnread && o.err == nil {
		o.err = errUnread
	}
	if o.err != nil {
		return 0, o.err
	}
	o.queue = append(o.queue, bytes.Clone(p))
	o.more.Signal()
	return len(p), nil
}

// run writes until there is nothing more, or nothing can be written.
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

// next waits for a message; nil says that there are no more.
func (o *outbox) next() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 && !o.full && o.err == nil {
		o.more.Wait()
	}
	if len(o.queue) == 0 || o.err != nil {
		return nil
	}
	p := o.queue[0]
	o.queue = o.queue[1:]
	return p
}

// finish waits until all is written, unless that takes too long: then nobody reads.
func (o *outbox) finish() {
	o.mu.Lock()
	o.full = true
	o.more.Signal()
	o.mu.Unlock()
	select {
	case <-o.written:
	case <-time.After(10 * time.Second):
	}
}

// Read implements io.Reader; nothing is ever read.
func (o *outbox) Read([]byte) (int, error) { return 0, io.EOF }

// Close implements io.Closer. Whoever handed over what is written to closes it.
func (o *outbox) Close() error { return nil }
