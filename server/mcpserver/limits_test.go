package mcpserver_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// await waits until something is so.
func (r *running) await(what string, so func() bool) {
	r.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.Fatal("not within a minute: " + what)
		}
	}
}

// lists are the changes of which most streams tell.
const lists = `"resourcesListChanged":true`

// listening is a request that opens a stream.
func listening(t *testing.T, url, to string) *http.Request {
	req := must(http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/mcp", strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",`+
			`"params":{"notifications":{`+to+`},`+newMeta+`}}`)))
	for name, value := range map[string]string{"Content-Type": "application/json",
		"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28",
		"Mcp-Method": "subscriptions/listen"} {
		req.Header.Set(name, value)
	}
	return req
}

// However a message is written, no stream is opened where none is left.
func TestNoWayAroundTheLimitOfStreams(t *testing.T) {
	const params = `"params":{"notifications":{` + lists + `},` + newMeta + `}`
	r := start(t)
	r.mcp.LimitStreams(0)
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",` + params + `}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","m\u0065thod":"subscriptions/listen",` + params + `}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions\/listen",` + params + `}`,
		`[{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen",` +
			`"params":{"notifications":{"resourcesListChanged":true}}}]`,
	} {
		for _, headers := range []map[string]string{
			{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"},
			{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "ping"},
			{"Mcp-Protocol-Version": "2025-03-26"},
		} {
			if told := r.briefly(body, headers); strings.Contains(told, "acknowledged") ||
				!strings.Contains(told, `"error":`) {
				t.Errorf("%s with %v: %.300s", body, headers, told)
			}
		}
	}
}

// briefly returns what is answered within two seconds.
func (r *running) briefly(body string, headers map[string]string) string {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	res, err := http.DefaultClient.Do(r.request(http.MethodPost, "/mcp", body, headers).WithContext(ctx))
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	told, _ := io.ReadAll(res.Body) // the end of the time is no error
	return string(told)
}

// A client that would open one stream more than there may be is asked to come back, and can when another has
// gone.
func TestLimitOfStreams(t *testing.T) {
	r := start(t)
	r.mcp.LimitStreams(2)
	stream := func() *http.Request { return listening(t, r.url, lists) }
	ask := func(req *http.Request, want int) *http.Response {
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if res.StatusCode != want || want == 503 && res.Header.Get("Retry-After") == "" {
			t.Fatalf("%s: %d %v", req.Method, res.StatusCode, res.Header)
		}
		t.Cleanup(func() { res.Body.Close() })
		return res
	}
	ask(stream(), 200)
	last := ask(stream(), 200)
	ask(stream(), 503)
	if status, body := r.message(ping, nil); status != 200 {
		t.Errorf("what needs no stream: %d %s", status, body)
	}
	last.Body.Close()
	r.await("the server notices that a stream is closed", func() bool { return r.mcp.Open() == 1 })
	ask(stream(), 200)
}

// A stream tells of a hundred resources: more are left out.
func TestLimitOfSubscriptions(t *testing.T) {
	const most = 100
	uris := slices.Repeat([]string{"rulestore://guidelines/" + common}, most+1)
	r := start(t)
	told := r.briefly(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",`+
		`"params":{"notifications":{"resourceSubscriptions":["`+
		strings.Join(uris, `","`)+`"]},`+newMeta+`}}`, map[string]string{"Mcp-Protocol-Version": "2026-07-28",
		"Mcp-Method": "subscriptions/listen"})
	if n := strings.Count(told, "rulestore://"); n != most {
		t.Errorf("a listener is told of %d: %.300s", n, told)
	}
}
