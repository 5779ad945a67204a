package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/server/api"
)

// noJSON is a result that cannot be written.
type noJSON struct {
	mcp.ResultBase
	Text json.RawMessage `json:"text"`
}

// broken is a server that gives the SDK what it cannot write: an error to who reads a
// resource, which fails to be written, and a result to who wants a prompt, which is
// never answered.
func broken(t *testing.T) *Server {
	s := starterServer(t)
	s.mcp.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			switch method {
			case "resources/read":
				return nil, &jsonrpc.Error{Code: 1, Message: "x", Data: json.RawMessage(`{"uri":"\x01"}`)}
			case "prompts/get":
				return &noJSON{Text: json.RawMessage("{")}, nil
			}
			return next(ctx, method, r)
		}
	})
	return s
}

const (
	unwritten  = `{"jsonrpc":"2.0","id":"a","method":"resources/read","params":{"uri":"x"META}}`
	unanswered = `{"jsonrpc":"2.0","id":"a","method":"prompts/get","params":{"name":"x"META}}`
	opens      = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	newMeta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
)

// exchange posts a message with headers, given as names and values in turn.
func exchange(t *testing.T, h http.Handler, body string, headers ...string) *httptest.ResponseRecorder {
	all := map[string]string{}
	for i := 0; i < len(headers); i += 2 {
		all[headers[i]] = headers[i+1]
	}
	return exchangeIn(t.Context(), h, body, all)
}

func exchangeIn(ctx context.Context, h http.Handler, body string,
	headers map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, api.MCPPath, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range headers {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// What of an error could not be written is left out, so that the rest can be.
func TestErrorThatCannotBeWritten(t *testing.T) {
	var out strings.Builder
	in := strings.NewReader(opens + "\n" + strings.Replace(unwritten, "META", "", 1) + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n")
	if err := broken(t).Run(t.Context(), in, &out); err != nil {
		t.Error(err)
	}
	for _, want := range []string{`"id":"a","error":{"code":1,"message":"x"}`, `"id":2,"result":{}`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("not answered with %s:\n%s", want, &out)
		}
	}
}

// locked is a buffer for several goroutines.
type locked struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

func (l *locked) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.String()
}

// A handler that crashes or aborts on a stream ends that stream, and no other.
func TestStreamThatCrashes(t *testing.T) {
	for name, test := range map[string]struct {
		with   any
		logged bool
	}{"crashes": {"a defect of ours", true}, "aborts": {http.ErrAbortHandler, false}} {
		t.Run(name, func(t *testing.T) {
			var log locked
			all := newStreams(10, slog.New(slog.NewTextHandler(&log, nil)))
			crash, goOn := make(chan struct{}), make(chan struct{})
			h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				all.serve(w, r, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", streamType)
					_, _ = io.WriteString(w, ": ok\n\n")
					if r.URL.Path == "/crash" {
						<-crash
						panic(test.with)
					}
					<-goOn
					_, _ = io.WriteString(w, "data: still here\n\n")
				}))
			}))
			t.Cleanup(h.Close)
			h.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
			other, err := http.Get(h.URL + "/other")
			if err != nil {
				t.Fatal(err)
			}
			bad, err := http.Get(h.URL + "/crash")
			if err != nil {
				t.Fatal(err)
			}
			close(crash)
			if got, err := io.ReadAll(bad.Body); err == nil {
				t.Errorf("the stream ends as if that were its end: %q", got)
			}
			close(goOn)
			if got, err := io.ReadAll(other.Body); err != nil || !strings.Contains(string(got), "still here") {
				t.Errorf("another stream reads %q, %v", got, err)
			}
			if got := strings.Contains(log.text(), "a defect of ours"); got != test.logged {
				t.Errorf("logged: %s", log.text())
			}
		})
	}
}
