package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	// maxMessage is the maximum size of a message, in bytes. It is larger than that of
	// valid files, so that a file that is too large can be opened and made smaller.
	maxMessage = 64 << 20
	// maxHeader is the maximum length of a header line, in bytes.
	maxHeader = 4 << 10
)

// rpcError is the error of a request (JSON-RPC 2.0, section 5.1).
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Message }

// The codes of errors of JSON-RPC and of the protocol.
const (
	parseError       = -32700
	invalidRequest   = -32600
	methodNotFound   = -32601
	invalidParams    = -32602
	internalError    = -32603
	notInitialized   = -32002
	requestCancelled = -32800
)

// message is a request; without an id, a notification; without a method, an answer.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// decode reads the parameters of a message.
func (m *message) decode(params any) error {
	if len(m.Params) == 0 {
		return nil
	}
	if err := json.Unmarshal(m.Params, params); err != nil {
		return &rpcError{invalidParams, fmt.Sprintf("%s: %v", m.Method, err)}
	}
	return nil
}

// wire reads and writes messages, each after a header with its length.
type wire struct {
	in  *bufio.Reader
	out *outbox
}

func newWire(in io.Reader, out io.Writer) *wire {
	return &wire{bufio.NewReaderSize(in, maxHeader), newOutbox(out)}
}

// read returns the next message. An error of JSON-RPC means that it is none, and that the one after it
// can be read.
func (w *wire) read() (*message, error) {
	length, err := w.header()
	if err != nil {
		return nil, err
	}
	if length > maxMessage {
		if _, err := io.CopyN(io.Discard, w.in, length); err != nil {
			return nil, err
		}
		return nil, &rpcError{invalidRequest,
			fmt.Sprintf("the message has %d bytes, at most %d are read", length, maxMessage)}
	}
	raw := make([]byte, length)
	if _, err := io.ReadFull(w.in, raw); err != nil {
		return nil, err
	}
	return decodeMessage(raw)
}

// decodeMessage parses a message.
func decodeMessage(raw []byte) (*message, error) {
	m := new(message)
	var other *json.UnmarshalTypeError
	switch err := json.Unmarshal(raw, m); {
	case bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")):
		return nil, &rpcError{invalidRequest, "a list of messages is not taken"}
	case errors.As(err, &other):
		return nil, &rpcError{invalidRequest, err.Error()}
	case err != nil:
		return nil, &rpcError{parseError, err.Error()}
	case m.JSONRPC != "2.0" || m.Method == "" && m.Result == nil && m.Error == nil:
		return nil, &rpcError{invalidRequest, "this is no message of JSON-RPC 2.0"}
	case bytes.HasPrefix(m.ID, []byte("{")) || bytes.HasPrefix(m.ID, []byte("[")):
		return nil, &rpcError{invalidRequest, "an id is a number or a string"}
	}
	return m, nil
}

// header reads the header of a message and returns the length of the message.
func (w *wire) header() (length int64, err error) {
	length = -1
	for begun := false; ; begun = true {
		raw, err := w.in.ReadSlice('\n')
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

// notify writes a notification.
func (w *wire) notify(method string, params any) error {
	return w.write(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
}

// request writes a request without parameters, of whose answer nothing is wanted.
func (w *wire) request(id, method string) error {
	return w.write(struct {
		JSONRPC string `json:"jsonrpc"`
		ID      string `json:"id"`
		Method  string `json:"method"`
	}{"2.0", id, method})
}

// answer writes the result of a request, or its error; the id of what is no message is null.
func (w *wire) answer(id json.RawMessage, result any, err error) error {
	if err == nil {
		return w.write(struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Result  any             `json:"result"`
		}{"2.0", id, result})
	}
	var coded *rpcError
	if !errors.As(err, &coded) {
		coded = &rpcError{internalError, err.Error()}
	}
	return w.write(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *rpcError       `json:"error"`
	}{"2.0", id, coded})
}

func (w *wire) write(m any) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return w.out.put(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(raw), raw))
}
