//go:build slow

package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// However many sessions are opened, the last ones live, and memory is bounded.
func TestManySessions(t *testing.T) {
	r := start(t, starterSite())
	const opened = 3000
	ids := make([]string, opened)
	before := heap()
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := w; i < opened; i += 8 {
				ids[i] = r.open()
			}
		})
	}
	wg.Wait()
	if grown := int64(heap()) - int64(before); grown > 100<<20 {
		t.Errorf("%d sessions took %d MB", opened, grown>>20)
	}
	ping := func(id string) int {
		status, _ := r.message(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, map[string]string{"Mcp-Session-Id": id})
		return status
	}
	alive := 0
	for _, id := range ids {
		if ping(id) == 200 {
			alive++
		}
	}
	if alive > 2000 || alive < 1900 {
		t.Errorf("%d sessions live", alive)
	}
	if last := r.open(); ping(last) != 200 {
		t.Error("no session can be opened any more")
	}
}

// Whatever clients do, when they are gone nothing is left of them, while the server
// goes on.
func TestNoLeak(t *testing.T) {
	r := start(t, starterSite())
	transport := &http.Transport{}
	http.DefaultClient.CloseIdleConnections()
	before := runtime.NumGoroutine()
	for range 20 {
		for _, era := range eras {
			c, heard := r.client(era.version, "")
			if _, err := c.ListTools(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			r.swap(published())
			<-soon(t, heard.resources)
			r.swap(starterSite())
			_ = c.Close()
		}
		// One that goes in the middle of a stream, and ends its session as another era.
		id := r.open()
		ctx, cancel := context.WithCancel(t.Context())
		req := must(http.NewRequestWithContext(ctx, http.MethodGet, r.url+"/mcp", nil))
		req.Header.Set("Accept", "text/event-stream")
		req.Header.Set("Mcp-Session-Id", id)
		res, err := transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(res.Body).ReadString('\n'); err != nil || !strings.HasPrefix(line, ":") {
			t.Fatalf("%q %v", line, err)
		}
		cancel()
		res.Body.Close()
		r.end(id, "2026-07-28")
	}
	r.await("no session and no stream is open", func() bool {
		sessions, streams := r.mcp.Open()
		return sessions == 0 && streams == 0
	})
	http.DefaultClient.CloseIdleConnections()
	transport.CloseIdleConnections()
	var after int
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if after = runtime.NumGoroutine(); after <= before+3 {
			return
		}
	}
	var stacks bytes.Buffer
	buf := make([]byte, 1<<20)
	stacks.Write(buf[:runtime.Stack(buf, true)])
	t.Errorf("%d goroutines before, %d after:\n%.4000s", before, after, stacks.String())
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
