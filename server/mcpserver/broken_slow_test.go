//go:build slow

package mcpserver

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// What cannot be written is answered by an error all the same.
func TestWriteThatFails(t *testing.T) {
	for name, request := range map[string]string{"an error": unwritten, "a result": unanswered} {
		t.Run(name, func(t *testing.T) {
			s := broken(t)
			s.timeout = 100 * time.Millisecond
			method := strings.Split(request, `"`)[11]
			stateless := exchange(t, s, strings.Replace(request, "META", newMeta, 1), versionHeader, "2026-07-28",
				"Mcp-Method", method, "Mcp-Name", "x")
			earlier := exchange(t, s, strings.Replace(request, "META", "", 1))
			for era, w := range map[string]*httptest.ResponseRecorder{"2026-07-28": stateless, "2025-11-25": earlier} {
				var answer struct {
					ID    string
					Error jsonrpc.Error
				}
				if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil ||
					w.Code != http.StatusInternalServerError || answer.ID != "a" ||
					answer.Error.Code != jsonrpc.CodeInternalError {
					t.Errorf("%s: %d %s", era, w.Code, w.Body)
				}
			}
			if w := exchange(t, s, opens); w.Code != http.StatusOK {
				t.Errorf("another gets %d", w.Code)
			}
		})
	}
}

// deaf is a client that is gone after its first answer, and does not say so.
type deaf struct{ answers int }

func (d *deaf) Write(p []byte) (int, error) {
	if d.answers++; d.answers > 1 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// Over stdio a write that fails is the end, though the client goes on to speak.
func TestWriteThatFailsOverStdio(t *testing.T) {
	in, requests := io.Pipe()
	defer requests.Close()
	go func() { _, _ = io.WriteString(requests, opens+"\n"+`{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n") }()
	if err := starterServer(t).Run(t.Context(), in, &deaf{}); err == nil {
		t.Error("it ends as if nothing had happened")
	}
}
