package server_test

import (
	"bufio"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/server"
	"rulestore/server/api"
)

// preview is a process that serves drafts, and can be told that something changed.
type preview struct {
	*current
	mu      sync.Mutex
	status  server.Status
	changed chan struct{}
}

func previewing(t testing.TB) (*preview, client) {
	p := &preview{current: serving(build(nil, drafts())), changed: make(chan struct{})}
	p.status.LoadedAt = time.Unix(1, 0)
	return p, start(t, server.Config{Sites: p, Status: p.now, Changed: p.next})
}

// drafts is a snapshot for an author.
func drafts(m ...*content.Manuscript) *content.Snapshot {
	snapshot := *storeSite().Snapshot
	snapshot.Drafts, snapshot.Manuscripts = true, m
	return &snapshot
}

func (p *preview) now() server.Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

func (p *preview) next() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

// change changes the status and says so.
func (p *preview) change(f func(*server.Status)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(&p.status)
	close(p.changed)
	p.changed = make(chan struct{})
}

// listen opens the stream of changes and returns its lines, closed at its end.
func (c client) listen(t *testing.T) <-chan string {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url+api.LivePath, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	if kind := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || kind != "text/event-stream" ||
		resp.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(resp.Body); s.Scan(); {
			if data, ok := strings.CutPrefix(s.Text(), "data: "); ok {
				lines <- data
			}
		}
	}()
	return lines
}

// A page of a preview says of which moment it is, the stream says which moment is
// served, and both say another when something was saved or found.
func TestPreviewHearsOfChanges(t *testing.T) {
	p, c := previewing(t)
	lines := c.listen(t)
	first := <-lines
	if body := c.page(deposit, http.StatusOK); !strings.Contains(body, `<meta name="moment" content="`+first+`">`) ||
		!strings.Contains(body, `data-live="/preview/changes"`) {
		t.Errorf("the page is not of the moment %q:\n%.600s", first, body)
	}
	own := p.Current().Snapshot.Item(content.Guidelines, "product.deposit.001").Current
	p.Store(build(p.Current(), drafts(&content.Manuscript{
		Path: "guidelines/product.deposit.001.yaml", Kind: content.Guidelines, Name: own.Name, Blob: own.Blob,
		Remarks: []content.Remark{{Finding: content.Finding{Path: "guidelines/product.deposit.001.yaml", Line: 3,
			Column: 7, Rule: "text", Severity: content.Error, Message: "сломано <b>"}}},
	})))
	p.change(func(s *server.Status) { s.LoadedAt = time.Unix(2, 0) })
	second := <-lines
	body := c.page(deposit, http.StatusOK)
	for _, want := range []string{`content="` + second + `"`,
		"guidelines/product.deposit.001.yaml:3:7", "сломано &lt;b&gt;"} {
		if !strings.Contains(body, want) || first == second {
			t.Errorf("no %s", want)
		}
	}
	if other := c.page("/api/v1/guidelines/fraud.code.001", http.StatusOK); strings.Contains(other, "сломано") {
		t.Error("a finding is on the page of another file")
	}
	if home := c.page("/", http.StatusOK); !strings.Contains(home, "guidelines/product.deposit.001.yaml") {
		t.Error("a finding is not on the first page")
	}
	p.change(func(s *server.Status) { s.Draining = true })
	if line, open := <-lines; open {
		t.Errorf("the process ends, and the stream says %q", line)
	}
}

// A page of a preview is of the moment, so nobody keeps it.
func TestPreviewIsNotKept(t *testing.T) {
	_, c := previewing(t)
	r := c.get(deposit, "Accept", browser)
	if r.header.Get("Cache-Control") != "no-store" || r.header.Get("Etag") != "" ||
		r.header.Get("X-Guideline-Id") == "" {
		t.Errorf("%v", r.header)
	}
	if data := c.get(deposit); data.header.Get("Etag") == "" {
		t.Error("data of a preview has no tag")
	}
	c.do(http.MethodHead, deposit, "Accept", browser)
}

// Who serves what is published has no preview, and a preview is for a few.
func TestPreviewHasLimits(t *testing.T) {
	ask(t, storeSite()).get(api.LivePath).want(t, http.StatusNotFound, "path_not_found")
	if body := ask(t, storeSite()).page(deposit, http.StatusOK); strings.Contains(body, "data-live") ||
		strings.Contains(body, "moment") {
		t.Error("a published page waits for changes")
	}
	_, c := previewing(t)
	for range 64 {
		<-c.listen(t)
	}
	if r := c.get(api.LivePath); r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
		t.Errorf("one too many: %d", r.status)
	}
}
