package mcpserver_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// end sends a DELETE for a session, and returns the status.
func (r *running) end(session, version string) int {
	r.Helper()
	req := must(http.NewRequestWithContext(r.Context(), http.MethodDelete, r.url+"/mcp", nil))
	req.Header.Set("Mcp-Session-Id", session)
	if version != "" {
		req.Header.Set("Mcp-Protocol-Version", version)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		r.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

// await waits until something is so.
func (r *running) await(what string, so func() bool) {
	r.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.Fatal("not within 20 seconds: " + what)
		}
	}
}

// A session that its client has ended is no more, whatever the SDK made of the
// header: one that lived on would count towards no limit.
func TestEndedSessionIsNoMore(t *testing.T) {
	r := start(t, starterSite())
	for version, want := range map[string]int{"": 204, "2025-11-25": 204, "2026-07-28": 405, "2000-01-01": 400} {
		t.Run(version, func(t *testing.T) {
			id := r.open()
			if got := r.end(id, version); got != want {
				t.Errorf("%q: DELETE answers %d", version, got)
			}
			if sessions, _ := r.mcp.Open(); sessions != 0 {
				t.Errorf("%q: %d sessions are open", version, sessions)
			}
			r.await("the session is no more after a DELETE of "+version, func() bool {
				status, _ := r.message(`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
					map[string]string{"Mcp-Session-Id": id})
				return status == http.StatusNotFound
			})
		})
	}
}

// However a message is written, no stream is opened where none is left.
func TestNoWayAroundTheLimitOfStreams(t *testing.T) {
	const params = `"params":{"notifications":{"resourcesListChanged":true},` + newMeta + `}`
	r := start(t, starterSite())
	r.mcp.LimitStreams(0)
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",` + params + `}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","Method":"ping",` + params + `}`,
		`{"jsonrpc":"2.0","id":1,"Method":"ping","method":"subscriptions/listen",` + params + `}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","method":"subscriptions/listen",` + params + `}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","method":"ping",` + params + `}`,
		`{"jsonrpc":"2.0","id":1,"m\u0065thod":"ping","method":"subscriptions/listen",` + params + `}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions\/listen",` + params + `}`,
		`[{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",` +
			`"params":{"notifications":{"resourcesListChanged":true}}}]`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen",` +
			`"params":{"notifications":{"resourcesListChanged":true}}}]`,
	} {
		for _, headers := range []map[string]string{
			{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"},
			{"Mcp-Protocol-Version": "2025-03-26"},
			{"Mcp-Session-Id": r.open()},
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
	req := must(http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/mcp", strings.NewReader(body)))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	told, _ := io.ReadAll(res.Body) // the end of the time is no error
	return string(told)
}

// A client that would open one stream more than there may be is asked to come
// back, in either era, and can when another has gone.
func TestLimitOfStreams(t *testing.T) {
	r := start(t, starterSite())
	r.mcp.LimitStreams(2)
	stateful := func() *http.Request {
		req := must(http.NewRequest(http.MethodGet, r.url+"/mcp", nil))
		req.Header.Set("Accept", "text/event-stream")
		req.Header.Set("Mcp-Session-Id", r.open())
		return req
	}
	listen := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",` +
		`"params":{"notifications":{"resourcesListChanged":true},` + newMeta + `}}`
	stateless := func() *http.Request {
		req := must(http.NewRequest(http.MethodPost, r.url+"/mcp", strings.NewReader(listen)))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
		req.Header.Set("Mcp-Method", "subscriptions/listen")
		return req
	}
	ask := func(req *http.Request, want int) *http.Response {
		res, err := http.DefaultClient.Do(req.WithContext(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		if res.StatusCode != want || want == 503 && res.Header.Get("Retry-After") == "" {
			t.Fatalf("%s: %d %v", req.Method, res.StatusCode, res.Header)
		}
		t.Cleanup(func() { res.Body.Close() })
		return res
	}
	ask(stateful(), 200)
	last := ask(stateless(), 200)
	ask(stateful(), 503)
	ask(stateless(), 503)
	if status, body := r.message(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, nil); status != 200 {
		t.Errorf("what needs no stream: %d %s", status, body)
	}
	last.Body.Close()
	r.await("the server notices that a stream is closed", func() bool {
		_, streams := r.mcp.Open()
		return streams == 1
	})
	ask(stateful(), 200)
}

// A client may follow a hundred resources: more are refused to a session, and
// left out for a listener. What is followed no more makes room.
func TestLimitOfSubscriptions(t *testing.T) {
	const most = 100
	var uris []string
	for _, it := range starterSite().Snapshot.Items {
		for _, e := range it.Entries {
			uris = append(uris, "rulestore://"+e.Tag(), "rulestore://"+e.Tag()+".md")
		}
	}
	uris = uris[:most+1]
	r := start(t, starterSite())
	session := map[string]string{"Mcp-Session-Id": r.open()}
	ask := func(method, uri string) string {
		_, body := r.message(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"uri":"`+uri+`"}}`, session)
		return body
	}
	for i, uri := range uris {
		if body := ask("resources/subscribe", uri); strings.Contains(body, `"result":{`) != (i < most) {
			t.Errorf("subscription %d: %s", i+1, body)
		}
	}
	if body := ask("resources/subscribe", uris[0]); !strings.Contains(body, `"result":{`) {
		t.Errorf("what is followed already: %s", body)
	}
	if body := ask("resources/unsubscribe", uris[0]) + ask("resources/subscribe",
		uris[most]); strings.Contains(body, `"error":`) {
		t.Errorf("in place of another: %s", body)
	}
	told := r.briefly(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",`+
		`"params":{"notifications":{"resourceSubscriptions":["`+
		strings.Join(uris, `","`)+`"]},`+newMeta+`}}`, map[string]string{"Mcp-Protocol-Version": "2026-07-28",
		"Mcp-Method": "subscriptions/listen"})
	if n := strings.Count(told, "rulestore://"); n != most {
		t.Errorf("a listener is told of %d: %.300s", n, told)
	}
}

// Where there are as many sessions as there may be, the one that was unused for longest makes room for
// another, unless all have streams.
func TestLimitOfSessions(t *testing.T) {
	const most = 5
	r := start(t, starterSite())
	r.mcp.LimitSessions(most)
	answers := func(id string) bool {
		status, _ := r.message(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, map[string]string{"Mcp-Session-Id": id})
		return status == http.StatusOK
	}
	var ids []string
	for range most + 2 {
		ids = append(ids, r.open())
		if !answers(ids[0]) {
			t.Fatal("a session in use is ended")
		}
	}
	for i, id := range ids {
		if want := i == 0 || i > 2; answers(id) != want {
			t.Errorf("session %d answers: %v", i, !want)
		}
	}
	for _, i := range []int{0, 3, 4, 5, 6} {
		req := must(http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/mcp", nil))
		req.Header.Set("Accept", "text/event-stream")
		req.Header.Set("Mcp-Session-Id", ids[i])
		res := must(http.DefaultClient.Do(req))
		defer res.Body.Close()
	}
	status, _ := r.message(initialize, nil)
	if sessions, _ := r.mcp.Open(); status != http.StatusServiceUnavailable || sessions != most {
		t.Errorf("one more session is answered with %d, and %d are open", status, sessions)
	}
}
