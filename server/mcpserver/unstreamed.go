package mcpserver

import (
	"bytes"
	"net/http"

	"rulestore/server/api"
)

// unstreamed converts an answer that the SDK writes as an event stream to one JSON document,
// for clients that do not accept streams. The answer is the last event; notifications before
// it are dropped.
type unstreamed struct {
	http.ResponseWriter
	streams bool // the response is an event stream
	begun   bool
	status  int
	body    bytes.Buffer
}

// Unwrap lets a response controller reach the connection.
func (u *unstreamed) Unwrap() http.ResponseWriter { return u.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (u *unstreamed) WriteHeader(status int) {
	if u.begun {
		return
	}
	u.begun, u.status = true, status
	if u.streams = u.Header().Get("Content-Type") == streamType; !u.streams {
		u.ResponseWriter.WriteHeader(status)
	}
}

// Write implements [http.ResponseWriter].
func (u *unstreamed) Write(p []byte) (int, error) {
	u.WriteHeader(http.StatusOK)
	if u.streams {
		return u.body.Write(p)
	}
	return u.ResponseWriter.Write(p)
}

// Flush implements [http.Flusher].
func (u *unstreamed) Flush() {
	if !u.streams {
		_ = http.NewResponseController(u.ResponseWriter).Flush() // it was written
	}
}

// finish writes the answer.
func (u *unstreamed) finish() {
	if !u.streams {
		return
	}
	var last []byte
	for line := range bytes.SplitSeq(u.body.Bytes(), []byte("\n")) {
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok && len(bytes.TrimSpace(data)) > 0 {
			last = bytes.TrimSpace(data)
		}
	}
	u.Header().Set("Content-Type", api.JSONType)
	u.Header().Del("Content-Length")
	u.ResponseWriter.WriteHeader(u.status)
	_, _ = u.ResponseWriter.Write(last) // a client that went away is no error of ours
}
