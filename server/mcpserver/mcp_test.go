package mcpserver_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/server"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

const baseURL = mcpserver.BaseURL

var kinds = mcpserver.Kinds

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// running is a server under test: the endpoint, and the interface beside it.
type running struct {
	testing.TB
	sites   atomic.Pointer[site.Site]
	mcp     *mcpserver.Server
	handler http.Handler
	url     string

	broken atomic.Bool // the health document cannot be made
}

// Current implements mcpserver.Sites.
func (r *running) Current() *site.Site { return r.sites.Load() }

func (r *running) health(s *site.Site) []byte {
	if r.broken.Load() {
		panic("secret internals of the store")
	}
	return server.Health(s, r.status())
}

func (r *running) status() server.Status {
	return server.Status{LoadedAt: mcpserver.Today, CheckedAt: mcpserver.Today}
}

func start(t testing.TB) *running {
	t.Helper()
	return startWith(t, kinds(), mcpserver.Config{})
}

// startWith starts a server with some settings.
func startWith(t testing.TB, s *site.Site, c mcpserver.Config) *running {
	t.Helper()
	r := &running{TB: t}
	r.sites.Store(s)
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	c.Sites, c.Health, c.Version, c.Log = r, r.health, "0.0.0-test", log
	r.mcp = must(mcpserver.New(c, s.Math))
	r.handler = server.New(server.Config{Sites: r, Status: r.status, MCP: r.mcp, Log: log})
	h := httptest.NewServer(r.handler)
	t.Cleanup(h.Close)
	t.Cleanup(r.mcp.Close)
	r.url = h.URL
	return r
}

// swap serves another site, as the publisher does.
func (r *running) swap(next *site.Site) {
	old := r.sites.Swap(next)
	r.mcp.Swapped(old, next)
}

// era is what a client of one half of the protocol's history does.
type era struct {
	name    string
	version string
}

var eras = []era{{"stateful", "2025-11-25"}, {"stateless", "2026-07-28"}}

// heard is what a client was told.
type heard struct {
	updated      chan string
	resources    chan struct{}
	prompts      chan struct{}
	acknowledged chan []string // the resources of a stream that is open
}

// tell passes on what was heard, unless nobody listens.
func tell[T any](to chan<- T, what T) {
	select {
	case to <- what:
	default:
	}
}

// client connects a client of an era.
func (r *running) client(version, query string) (*mcp.ClientSession, heard) {
	r.Helper()
	h := heard{make(chan string, 100), make(chan struct{}, 100), make(chan struct{}, 100), make(chan []string, 100)}
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, n *mcp.ResourceUpdatedNotificationRequest) {
			tell(h.updated,
				n.Params.URI)
		},
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) {
			tell(h.resources,
				struct{}{})
		},
		PromptListChangedHandler: func(context.Context, *mcp.PromptListChangedRequest) {
			tell(h.prompts,
				struct{}{})
		},
	})
	c.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if p, ok := req.GetParams().(*mcp.SubscriptionsAcknowledgedParams); ok {
				tell(h.acknowledged, p.Notifications.ResourceSubscriptions)
			}
			return next(ctx, method, req)
		}
	})
	session, err := c.Connect(r.Context(), &mcp.StreamableClientTransport{Endpoint: r.url + "/mcp" + query},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { _ = session.Close() })
	return session, h
}

// subscribe follows a resource, and waits until the server says so: the SDK's client does not.
func subscribe(t *testing.T, c *mcp.ClientSession, h heard, uri string) {
	t.Helper()
	if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	for !slices.Contains(<-soon(t, h.acknowledged), uri) {
	}
}

var fetchedAt = regexp.MustCompile(`"fetched_at":\s*"[^"]*"`)

// undated is JSON but for the time of the answer.
func undated(raw []byte) string { return fetchedAt.ReplaceAllString(string(raw), `"fetched_at":""`) }

// request is one to the server. What is posted is JSON that may be answered by a stream, unless headers say
// otherwise.
func (r *running) request(method, path, body string, headers map[string]string) *http.Request {
	r.Helper()
	req := must(http.NewRequestWithContext(r.Context(), method, r.url+path, strings.NewReader(body)))
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
	}
	for name, value := range headers {
		req.Header.Set(name, value)
		if name == "Host" {
			req.Host = value
		}
	}
	return req
}

// ask sends a request, and returns the answer with its body.
func (r *running) ask(method, path, body string, headers map[string]string) (*http.Response, string) {
	r.Helper()
	res, err := http.DefaultTransport.RoundTrip(r.request(method, path, body, headers))
	if err != nil {
		r.Fatal(err)
	}
	defer res.Body.Close()
	return res, string(must(io.ReadAll(res.Body)))
}

func (r *running) get(path, accept string) []byte {
	r.Helper()
	_, body := r.ask(http.MethodGet, path, "", map[string]string{"Accept": accept})
	return []byte(body)
}

// message posts a message as it stands, with headers beside the usual ones, and
// returns the status and the answer: the data of the last event, or the body.
func (r *running) message(body string, headers map[string]string) (int, string) {
	r.Helper()
	return r.messageTo("/mcp", body, headers)
}

func (r *running) messageTo(path, body string, headers map[string]string) (int, string) {
	r.Helper()
	res, raw := r.ask(http.MethodPost, path, body, headers)
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		raw = raw[strings.LastIndex(raw, "data: ")+len("data: "):]
	}
	return res.StatusCode, strings.TrimSpace(raw)
}
