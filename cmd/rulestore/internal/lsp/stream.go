package lsp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

const (
	// maxMessage is the maximum size of a message, in bytes. It is larger than that of
	// valid files, so that a file that is too large can be opened and made smaller.
	maxMessage = 64 << 20
	// maxHeader is the maximum length of a header line, in bytes.
	maxHeader = 4 << 10
)

// stream reads messages with limits. An invalid message is answered with an error, and the
// next one is read. Reading ends only after all calls are answered, because the connection
// does not write after its reading has ended.
type stream struct {
	jsonrpc2.Stream // for writing
	out             *outbox
	in              *bufio.Reader
	stopped         atomic.Bool // Read returns io.EOF

	mu       sync.Mutex
	calls    int           // without an answer
	broken   bool          // writing has failed
	progress chan struct{} // receives when one of these changes
}

func newStream(in io.Reader, out io.Writer) *stream {
	o := newOutbox(out)
	return &stream{
		Stream: jsonrpc2.NewStream(o), out: o, in: bufio.NewReaderSize(in, maxHeader), progress: make(chan struct{}, 1),
	}
}

// Read returns the next message.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		m, err := s.message()
		var faulty *jsonrpc2.Error
		switch {
		case err == nil:
			if _, ok := m.(*jsonrpc2.Call); ok {
				s.count(+1, false)
			}
			return m, 0, nil
		case !errors.As(err, &faulty):
			s.settle(ctx)
			return nil, 0, err
		}
		if _, err := s.Stream.Write(ctx, jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, err)); err != nil {
			return nil, 0, err
		}
	}
}

// message reads one message; a JSON-RPC error means that it is invalid.
func (s *stream) message() (jsonrpc2.Message, error) {
	if s.stopped.Load() {
		return nil, io.EOF
	}
	raw, err := s.next()
	if err != nil {
		return nil, err
	}
	return jsonrpc2.DecodeMessage(raw)
}

// Write writes a message and counts the answers.
func (s *stream) Write(ctx context.Context, m jsonrpc2.Message) (int64, error) {
	n, err := s.Stream.Write(ctx, m)
	written, _ := jsonrpc2.DecodeMessage(jsonrpc2.AppendMessage(nil, m))
	if _, ok := written.(*jsonrpc2.Response); ok {
		s.count(-1, err != nil)
	}
	return n, err
}

func (s *stream) count(calls int, broken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls, s.broken = s.calls+calls, s.broken || broken
	signal(s.progress)
}

// settle waits until all calls are answered, or writing has failed.
func (s *stream) settle(ctx context.Context) {
	for !s.settled() {
		select {
		case <-s.progress:
		case <-ctx.Done():
			return
		}
	}
}

func (s *stream) settled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls <= 0 || s.broken
}

// next reads one message; too long ones are skipped.
func (s *stream) next() ([]byte, error) {
	length, err := s.header()
	switch {
	case err != nil:
		return nil, err
	case length > maxMessage:
		if _, err := io.CopyN(io.Discard, s.in, length); err != nil {
			return nil, err
		}
		const says = "the message has %d bytes, at most %d are read"
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, says, length, maxMessage)
	}
	raw := make([]byte, length)
	_, err = io.ReadFull(s.in, raw)
	return raw, err
}

// header reads the header of a message and returns the length of the message.
func (s *stream) header() (length int64, err error) {
	length = -1
	for begun := false; ; begun = true {
		raw, err := s.in.ReadSlice('\n')
		line := strings.TrimRight(string(raw), "\r\n")
		switch {
		case err == io.EOF && (begun || len(raw) > 0):
			return 0, io.ErrUnexpectedEOF
		case errors.Is(err, bufio.ErrBufferFull):
			return 0, fmt.Errorf("a line of the header is longer than %d bytes", maxHeader)
		case err != nil:
			return 0, err
		case line == "" && length >= 0:
			return length, nil
		case line == "":
			return 0, errors.New("the header says no Content-Length")
		}
		if name, value, _ := strings.Cut(line, ":"); strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || length < 0 {
				return 0, fmt.Errorf("the header says Content-Length: %.40q", value)
			}
		}
	}
}

// codec converts the protocol's values, whose union types encoding/json does not support.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok {
		return raw, nil
	}
	return protocol.Marshal(v)
}

// Unmarshal parses a value. The bytes are copied, because the library may keep references to
// them and the connection reuses its buffer.
func (codec) Unmarshal(raw []byte, v any) error { return protocol.Unmarshal(bytes.Clone(raw), v) }
