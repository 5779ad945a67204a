//go:build slow

package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"runtime"
	"testing"
	"time"
)

// Whatever clients do, when they are gone nothing is left of them, while the server
// goes on.
func TestNoLeak(t *testing.T) {
	r := start(t)
	transport := &http.Transport{}
	http.DefaultClient.CloseIdleConnections()
	before := runtime.NumGoroutine()
	for range 20 {
		for _, era := range eras {
			c, heard := r.client(era.version, "")
			if _, err := c.ListTools(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if era.name == "stateless" {
				subscribe(t, c, heard, "rulestore://guidelines/"+common)
				r.swap(published())
				<-soon(t, heard.updated)
				r.swap(kinds())
			}
			_ = c.Close()
		}
		// One that goes in the middle of a stream.
		ctx, cancel := context.WithCancel(t.Context())
		res, err := transport.RoundTrip(listening(t, r.url, lists).WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(res.Body).ReadString('\n'); err != nil {
			t.Fatalf("%q %v", line, err)
		}
		cancel()
		res.Body.Close()
	}
	r.await("no stream is open", func() bool { return r.mcp.Open() == 0 })
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
