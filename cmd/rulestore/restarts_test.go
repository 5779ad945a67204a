package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// times returns how often a fault is tried: more often by scripts/faults/run, which sets
// FAULTS.
func times(few, many int) int {
	if os.Getenv("FAULTS") != "" {
		return many
	}
	return few
}

// callers send what a client may send, each again and again, and count what fails.
type callers struct {
	running
	stop    chan struct{}
	work    sync.WaitGroup
	sent    atomic.Int64
	mu      sync.Mutex
	asked   map[string]int
	failing []string
}

// A call is a request that changes nothing, though a proxy cannot know that of a POST.
type call struct{ name, method, path, body string }

var calls = []call{
	{"GET", http.MethodGet, "/api/v1/search?q=1", ""},
	{"calculation", http.MethodPost, "/api/v1/math/tools/loan_payment",
		`{"inputs":{"principal":"100000","annual_rate_pct":"12","term_months":12}}`},
	{"MCP", http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`},
}

// callAll has n clients of each kind call until the returned function is called, which
// returns how often each was called, and what failed.
func callAll(t *testing.T, url string, n int) (end func() (map[string]int, []string)) {
	t.Helper()
	c := &callers{running: running{T: t, url: url}, stop: make(chan struct{}), asked: map[string]int{}}
	patient := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 3 * n}}
	for _, one := range calls {
		for range n {
			c.work.Go(func() { c.repeat(patient, one) })
		}
	}
	return func() (map[string]int, []string) {
		close(c.stop)
		c.work.Wait()
		patient.CloseIdleConnections()
		return c.asked, c.failing
	}
}

func (c *callers) repeat(by *http.Client, one call) {
	for {
		select {
		case <-c.stop:
			return
		default:
		}
		failed := c.once(by, one)
		c.mu.Lock()
		c.asked[one.name]++
		if failed != nil {
			c.failing = append(c.failing, fmt.Sprintf("%s: %v", one.name, failed))
		}
		c.mu.Unlock()
	}
}

func (c *callers) once(by *http.Client, one call) error {
	path := one.path
	if one.method == http.MethodGet {
		path += strconv.FormatInt(c.sent.Add(1), 10) // no answer comes from a cache
	}
	req, err := http.NewRequest(one.method, c.url+path, strings.NewReader(one.body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	res, err := by.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK {
		return fmt.Errorf("%d, %v: %.200s", res.StatusCode, err, body)
	}
	return nil
}

// restarts has clients call while servers are restarted so many times.
func (s *running) restarts(n int, restart func(i int)) {
	s.Helper()
	end := callAll(s.T, s.url, 4)
	for i := range n {
		restart(i)
	}
	asked, failing := end()
	if len(failing) > 0 {
		s.Errorf("%d of %v failed: %s", len(failing), asked, strings.Join(failing[:min(len(failing), 10)], "\n"))
	}
	for _, c := range calls {
		if asked[c.name] < n {
			s.Errorf("only %d of %s were sent", asked[c.name], c.name)
		}
	}
	s.Logf("%d restarts behind nginx: of %v requests %d failed", n, asked, len(failing))
}
