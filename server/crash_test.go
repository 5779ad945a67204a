package server_test

import (
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
)

// explosive is a text that panics once it is armed.
type explosive struct {
	content.Text
	armed *atomic.Bool
}

func (e explosive) Body() content.Object {
	if e.armed.Load() {
		panic("a defect")
	}
	return e.Text.Body()
}

// An item on which the service crashes is a 500 of its own, in every format and over
// MCP, which says nothing of the stack; the log has that once for each format, and for each page. All
// other items are as they are.
func TestCrashingItem(t *testing.T) {
	const id, other = "fraud.code.001", "claims"
	var armed atomic.Bool
	var all []*content.Publication
	for _, item := range kindsSite().Snapshot.Items {
		for _, e := range item.Entries {
			p := *e.Publication
			if p.Name == id {
				p.Text = explosive{p.Text, &armed}
			}
			all = append(all, &p)
		}
	}
	snapshot := content.NewSnapshot(content.Input{Settings: storeSite().Snapshot.Settings, Publications: all})
	s := site.Build(nil, snapshot, site.Config{BaseURL: baseURL, Schemas: schemas.Embedded(), Requests: counted})
	var log lockedText
	c := start(t, server.Config{Sites: serving(s), Log: slog.New(slog.NewTextHandler(&log, nil))})
	armed.Store(true)
	formats := []string{"application/json", "text/markdown", "text/html"}
	for _, format := range formats {
		for range 3 {
			r := c.get("/api/v1/guidelines/"+id, "Accept", format)
			if body := string(r.body); r.status != http.StatusInternalServerError || strings.Contains(body, ".go") ||
				strings.Contains(body, "a defect") {
				t.Errorf("%s: %d %s", format, r.status, body)
			}
		}
		if r := c.get("/api/v1/instructions/"+other, "Accept", format); r.status != http.StatusOK {
			t.Errorf("%s of another: %d %s", format, r.status, r.body)
		}
	}
	for _, path := range []string{"/", "/api/v1/guidelines", "/api/v1/search?q=банк",
		"/api/v1/checksums", "/api/v1/health"} {
		if r := c.get(path); r.status != http.StatusOK {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	said := log.String()
	if n := strings.Count(said, "a defect"); n == 0 || n > len(formats)+2 || strings.Count(said, "stack=") < n ||
		!strings.Contains(said, "crash_test.go") {
		t.Errorf("%d crashes are in the log:\n%s", n, said)
	}
}

// lockedText is a log that several goroutines write.
type lockedText struct {
	mu sync.Mutex
	strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Builder.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Builder.String()
}
