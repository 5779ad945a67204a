package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/content/log/logtest"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/api"
	"rulestore/server/mcpserver"
	"rulestore/server/observe"
	"rulestore/server/site"
)

var update = flag.Bool("update", false, "write the golden files anew")

// baseURL is what sites are known by. No server of a test is there, so an
// address in a response comes from the configuration or is an error.
const baseURL = "https://rules.example.org"

// today is when the tests take place, after every date of the starter content.
var today = time.Date(2026, 11, 28, 16, 0, 0, 0, time.UTC)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func load(s git.Script) loader.Loaded {
	l := loader.New(loader.Config{
		Source:  must(git.InMemory(s)),
		Schemas: schemas.Embedded(),
		Now:     func() time.Time { return today },
	})
	r := must(l.Load(context.Background()))
	r.Log = logtest.Of(r.Snapshot, logKey())
	logs.Store(r.Snapshot, r.Log)
	return r
}

// logs are the logs of what was loaded, by snapshot, signed.
var logs sync.Map

func build(prev *site.Site, s *content.Snapshot) *site.Site {
	view, _ := logs.Load(s)
	l, _ := view.(*log.Served)
	return site.Build(prev, s, site.Config{BaseURL: baseURL, Version: "0.0.0-test", Schemas: schemas.Embedded(),
		Requests: counted, Log: l})
}

// counted counts the requests of all tests.
var counted = observe.NewRequests()

// handler returns the handler as the command makes it, with requests counted.
func handler(c server.Config) http.Handler {
	c.Requests = counted
	return observe.Handler(server.New(c), observe.Config{Requests: counted})
}

func readScript(file string) git.Script {
	return must(gittest.ParseTxtar(must(txtar.ParseFile(file))))
}

var (
	storeSite = sync.OnceValue(func() *site.Site { return withLog(nil) })
	kindsSite = sync.OnceValue(func() *site.Site { return build(nil, load(sealed(readScript("testdata/kinds.txtar"))).Snapshot) })
)

// sealed is a repository with a seal for each of its publications.
func sealed(script git.Script) git.Script {
	last := &script[len(script)-1]
	files := maps.Clone(last.Files)
	snapshot := load(script).Snapshot
	all := slices.Clone(snapshot.Upcoming)
	for _, it := range snapshot.Items {
		for _, e := range it.Entries {
			all = append(all, e.Publication)
		}
	}
	for _, p := range all {
		seal := content.Seal{Tag: p.Tag(), Checksum: p.Checksum, PublishedAt: p.PublishedAt}
		files[content.SealsPath(p.Item())] = append(files[content.SealsPath(p.Item())], seal.String()+"\n"...)
	}
	last.Files = files
	return script
}

// current is the site that a server serves.
type current struct{ atomic.Pointer[site.Site] }

func (c *current) Current() *site.Site { return c.Load() }

func serving(s *site.Site) *current {
	var c current
	c.Store(s)
	return &c
}

// client asks a server and checks every answer against what is promised of all.
type client struct {
	testing.TB
	url    string // of the server
	drafts bool   // it serves drafts
	config *server.Config
}

// ask starts a server for a site.
func ask(t testing.TB, s *site.Site) client { return start(t, server.Config{Sites: serving(s)}) }

// start starts a server; what the configuration lacks is made up.
func start(t testing.TB, c server.Config) client {
	if c.Status == nil {
		c.Status = func() server.Status { // always a moment ago, so that ages have the same length
			now := time.Now()
			return server.Status{LoadedAt: now, CheckedAt: now}
		}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	var first *site.Site
	if sites, ok := c.Sites.(interface{ Load() *site.Site }); ok {
		first = sites.Load()
	}
	if first != nil {
		c.MCP = must(mcpserver.New(mcpserver.Config{
			Sites: c.Sites, Health: func(s *site.Site) []byte { return server.Health(s, c.Status()) },
			Version: "0.0.0-test", Log: c.Log,
		}, first.Math))
	}
	s := httptest.NewServer(handler(c))
	t.Cleanup(s.Close)
	return client{t, s.URL, first != nil && first.Snapshot.Drafts, &c}
}

// meta is what a client of MCP says of itself with each request.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

// call calls a tool over MCP and returns the whole answer.
func (c client) call(tool, args string) string {
	c.Helper()
	body := c.called(tool, args)
	if !strings.Contains(body, `"result"`) || strings.Contains(body, `"isError":true`) {
		c.Errorf("%s %s: %s", tool, args, body)
	}
	return body
}

// called returns what a tool answers, or why it does not.
func (c client) called(tool, args string) string {
	c.Helper()
	return string(c.rpc("tools/call", fmt.Sprintf(`"name":%q,"arguments":%s,`, tool, args), "Mcp-Name", tool).body)
}

// rpc posts a message to the endpoint of MCP.
func (c client) rpc(method, params string, headers ...string) response {
	c.Helper()
	message := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + meta + `}}`
	return c.bare(http.MethodPost, api.MCPPath+"?toolsets=all", message, append(headers,
		"Content-Type", "application/json", "Accept", "application/json, text/event-stream",
		"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method)...)
}

// bare asks and looks at nothing.
func (c client) bare(method, path, body string, headers ...string) response {
	c.Helper()
	req := must(http.NewRequestWithContext(c.Context(), method, c.url+path, strings.NewReader(body)))
	for pair := range slices.Chunk(headers, 2) {
		if pair[0] == "Host" {
			req.Host = pair[1]
		}
		req.Header.Add(pair[0], pair[1])
	}
	resp := must(transport.RoundTrip(req))
	defer resp.Body.Close()
	return response{method, resp.StatusCode, resp.Header, must(io.ReadAll(resp.Body))}
}

type response struct {
	method string
	status int
	header http.Header
	body   []byte
}

var transport = &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 8}

// get asks for a path; headers are names and values in turn.
func (c client) get(path string, headers ...string) response {
	c.Helper()
	return c.do(http.MethodGet, path, headers...)
}

func (c client) do(method, path string, headers ...string) response {
	c.Helper()
	req, err := http.NewRequest(method, c.url+path, nil)
	if err != nil {
		c.Fatal(err)
	}
	for pair := range slices.Chunk(headers, 2) {
		req.Header.Add(pair[0], pair[1])
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		c.Fatalf("%s %s: %v", method, path, err)
	}
	return c.read(method, path, resp)
}

// read takes a response and looks at what all of them have in common.
func (c client) read(method, path string, resp *http.Response) response {
	c.Helper()
	defer resp.Body.Close()
	buf := bytes.NewBuffer(make([]byte, 0, max(resp.ContentLength, 0)+bytes.MinRead))
	_, err := buf.ReadFrom(resp.Body)
	body := buf.Bytes()
	r := response{method, resp.StatusCode, resp.Header, body}
	for _, broken := range []error{err, r.common(c.drafts), r.length(), r.problem(), r.anonymous(c.url)} {
		if broken != nil {
			c.Errorf("%s %.200s: %v\n%v\n%.1000s", method, path, broken, r.header, body)
		}
	}
	return r
}

// common looks at the headers that every response has; one with drafts is for nobody
// else.
func (r response) common(drafts bool) error {
	policy := "default-src 'none'; frame-ancestors 'none'"
	if r.isPage() {
		policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	}
	promised := map[string]string{
		"Access-Control-Allow-Origin": "*",
		"X-Content-Type-Options":      "nosniff",
		"Referrer-Policy":             "no-referrer",
		"Content-Security-Policy":     policy,
	}
	if drafts {
		promised["Access-Control-Allow-Origin"] = ""
		if r.method != http.MethodPost || !r.isPage() { // of a form, which the browser that sent it keeps
			promised["Cache-Control"] = "no-store"
		}
		promised["Cross-Origin-Resource-Policy"] = "same-origin"
	}
	for name, want := range promised {
		if got := r.header.Get(name); got != want {
			return errors.New(name + " is " + strconv.Quote(got))
		}
	}
	if named := r.header.Get("X-Snapshot") != ""; !named && r.status != http.StatusServiceUnavailable &&
		r.status != http.StatusInternalServerError {
		return errors.New("it does not name the snapshot") // there may be none yet
	}
	exposed := strings.ToLower(r.header.Get("Access-Control-Expose-Headers"))
	if drafts && exposed == "" {
		return nil
	}
	for name := range r.header {
		own := strings.HasPrefix(name, "X-") && name != "X-Content-Type-Options"
		if (own || name == "Etag" || name == "Link" || name == "Retry-After") &&
			!strings.Contains(exposed, strings.ToLower(name)) {
			return errors.New("a browser does not get to see " + name)
		}
	}
	return nil
}

// isPage says whether the answer is for people. A 304 is for whoever asked.
func (r response) isPage() bool {
	return strings.HasPrefix(r.header.Get("Content-Type"), htmlType) || r.status == http.StatusNotModified &&
		strings.Contains(r.header.Get("Content-Security-Policy"), "'self'")
}

// length says that the client knows how much is coming.
func (r response) length() error {
	switch length := r.header.Get("Content-Length"); {
	case r.status == http.StatusNoContent || r.status == http.StatusNotModified:
		if len(r.body) > 0 || length != "" {
			return errors.New("a body where there is none")
		}
	case r.method == http.MethodHead:
		if _, err := strconv.Atoi(length); len(r.body) > 0 || err != nil {
			return errors.New("HEAD without a length, or with a body")
		}
	case length != strconv.Itoa(len(r.body)):
		return errors.New("wrong Content-Length")
	}
	return nil
}

// problem says that an error is a problem document, for people and programs.
func (r response) problem() error {
	kind := r.header.Get("Content-Type")
	if r.status < 400 || kind == "application/json" && r.status == http.StatusServiceUnavailable { // health
		return nil
	}
	isProblem := kind == "application/problem+json" || r.isPage()
	// a form
	filled := r.isPage() && r.status == http.StatusUnprocessableEntity &&
		r.header.Get("Cache-Control") == "private, no-cache"
	if !isProblem || r.header.Get("Cache-Control") != "no-store" && !filled || !r.isPage() &&
		r.header.Get("Content-Language") != "ru" {
		return errors.New("an error that is no problem document, or may be cached")
	}
	if r.header.Get("Etag") != "" || r.header.Get("Last-Modified") != "" {
		return errors.New("an error with validators")
	}
	if r.method == http.MethodHead || r.isPage() || r.header.Get("Content-Encoding") != "" {
		return nil
	}
	p := r.asProblem()
	if p.Type != "urn:rulestore:problem:"+p.Code || p.Status != r.status || p.Title == "" ||
		p.Detail == "" || p.Code == "" {
		return errors.New("an incomplete problem document")
	}
	return nil
}

// anonymous says that nothing repeats the address that the request was sent to.
func (r response) anonymous(url string) error {
	_, host, _ := strings.Cut(url, "://")
	for _, own := range []string{host, "evil.example"} {
		if bytes.Contains(r.body, []byte(own)) || strings.Contains(headerText(r.header), own) {
			return errors.New("the host of the request is in the response")
		}
	}
	return nil
}

// problem is a problem document as a client reads it.
type problem struct {
	Type, Title, Detail, Instance, Code, Reason string
	Status                                      int
	Checksum                                    string `json:"content_checksum"`
	Errors                                      []struct{ Pointer, Code, Detail, Hint string }
}

func (r response) asProblem() problem {
	var p problem
	_ = json.Unmarshal(r.body, &p) // what is missing is noticed
	return p
}

// want is an answer by its status and, for an error, its code.
func (r response) want(t testing.TB, status int, code string) {
	t.Helper()
	if got := r.asProblem().Code; r.status != status || r.status >= 400 && got != code {
		t.Errorf("got %d %s, want %d %s\n%s", r.status, got, status, code, r.body)
	}
}

var (
	fetchedAt = regexp.MustCompile(`"fetched_at": ?"[^"]*"`) // begins with what is quickly found
	loadedAt  = regexp.MustCompile(`"(?:loaded|checked)_at": ?"[^"]*"`)
	loadedAgo = regexp.MustCompile(`(меньше минуты|\d+.мин) назад`)
)

// shownTime matches the times of day on the page of health.
var shownTime = regexp.MustCompile(`\d\d:\d\d\x{A0}UTC`)

// blanked is the body without what differs from answer to answer.
func (r response) blanked() []byte {
	blank := func(field []byte) []byte {
		before := field[:bytes.LastIndexByte(field[:len(field)-1], '"')+1]
		return slices.Concat(before, []byte(site.Blank+`"`))
	}
	body := fetchedAt.ReplaceAllFunc(r.body, blank)
	if bytes.Contains(body, []byte(`"loaded_at"`)) {
		body = loadedAt.ReplaceAllFunc(body, blank)
	}
	body = shownTime.ReplaceAll(body, []byte("00:00\u00A0UTC"))
	if bytes.Contains(body, []byte(" назад")) {
		body = loadedAgo.ReplaceAll(body, nil)
	}
	return body
}

// decode reads a JSON body.
func decode[T any](t testing.TB, body []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return v
}

// headerText writes headers as they are sent, without those that change.
func headerText(h http.Header) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, v := range h[name] {
			if name != "Date" && name != "X-Snapshot" {
				b.WriteString(name + ": " + v + "\n")
			}
		}
	}
	return b.String()
}

// fieldsOf lists the fields of an object in their order.
func fieldsOf(o content.Object) []string {
	var all []string
	for _, m := range o {
		all = append(all, m.Name)
	}
	return all
}
