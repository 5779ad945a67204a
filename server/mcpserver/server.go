package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// Sites provides the current site.
type Sites interface {
	// Current returns the site to serve, never nil: the endpoint is not served before the first
	// site.
	Current() *site.Site
}

// Config is the configuration of a server.
type Config struct {
	Sites    Sites
	BaseURL  string                  // as configured; empty: the settings of the content may have one
	Origins  []string                // of the web pages that may use the endpoint, beside its own
	Health   func(*site.Site) []byte // the health document of a site, as over HTTP
	Version  string                  // of the program
	Toolsets string                  // the default for clients, separated by commas; empty: the built-in one
	Log      *slog.Logger
}

// Server is an MCP server: over HTTP as an [http.Handler], over a pair of streams with
// [Server.Run].
type Server struct {
	Config
	registry *calc.Registry
	tools    []*tool // in the order in which they are listed
	sets     sets    // the default for clients

	mcp     *mcp.Server
	handler http.Handler // the SDK's
	seen    atomic.Pointer[lists]

	streams, limit atomic.Int64    // open, and at most
	closing        context.Context // ends all streams
	close          context.CancelFunc
}

// New returns a server. The registry has to be that of the sites.
func New(c Config, r *calc.Registry) (*Server, error) {
	chosen, err := parseSets(c.Toolsets)
	if err != nil {
		return nil, err
	}
	s := &Server{Config: c, registry: r, sets: chosen}
	s.closing, s.close = context.WithCancel(context.Background())
	s.limit.Store(maxStreams)
	s.tools = allTools(r)
	s.connect()
	return s, nil
}

// Open returns the number of open streams.
func (s *Server) Open() int { return int(s.streams.Load()) }

// connect makes the SDK's server and the two handlers over it. They are stateless for clients of every
// revision, which go on after a restart, and at any replica.
func (s *Server) connect() {
	s.mcp = mcp.NewServer(s.implementation(), &mcp.ServerOptions{
		Logger: slog.New(slog.DiscardHandler), // it would log arguments of clients
		CompletionHandler: func(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return s.complete(r.Params), nil
		},
		// called by the SDK for streams alone, see answer
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		Capabilities:       capabilities(),
	})
	s.mcp.AddReceivingMiddleware(s.receive)
	s.addSkills()
	own := func(*http.Request) *mcp.Server { return s.mcp }
	s.handler = mcp.NewStreamableHTTPHandler(own, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // done by guard, which knows the address of the service
	})
}

func (s *Server) implementation() *mcp.Implementation {
	in := s.Sites.Current().Snapshot.Settings
	return &mcp.Implementation{Name: in.Service, Title: in.Title, Version: s.Version}
}

func capabilities() *mcp.ServerCapabilities {
	c := &mcp.ServerCapabilities{
		Tools:       &mcp.ToolCapabilities{},
		Prompts:     &mcp.PromptCapabilities{ListChanged: true},
		Resources:   &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},
		Completions: &mcp.CompletionCapabilities{},
	}
	c.AddExtension(skillsExtension, nil)
	return c
}

// Close ends all streams. Requests in progress are still answered.
func (s *Server) Close() { s.close() }

// The lifetimes of responses in client caches, unless a notification comes first: lists and
// content as over HTTP, tools as long as a process usually lives.
const (
	contentLife = time.Minute
	toolsLife   = 5 * time.Minute
)

func (s *Server) cacheable(d time.Duration) mcp.Cacheable {
	if s.Sites.Current().Snapshot.Drafts {
		return mcp.Cacheable{CacheScope: "private"} // drafts are private and short-lived
	}
	d = s.Sites.Current().UntilChange(time.Now(), d)
	return mcp.Cacheable{TTLMs: int(d.Milliseconds()), CacheScope: "public"}
}

// receive answers from the current site the methods that the SDK would answer from its own
// lists. A panic is an error of its request only.
func (s *Server) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				crash.Tell(s.Log, crash.Of(v), "mcp_method", method)
				res, err = nil, failure(jsonrpc.CodeInternalError, "internal error")
			}
		}()
		if res, err = s.answer(ctx, method, req, next); err != nil {
			return nil, err // res can be a nil pointer, which is not a nil interface
		}
		if r, ok := res.(interface{ complete() }); ok && revisionOf(req) >= statelessSince {
			r.complete()
		}
		of, _, _ := strings.Cut(method, "/")
		if slices.Contains(withContent, of) && res.GetMeta()[snapshotMeta] == nil {
			res.SetMeta(map[string]any{snapshotMeta: s.Sites.Current().ID})
		}
		return res, nil
	}
}

// withContent begins the methods whose results name the snapshot.
var withContent = []string{"tools", "resources", "prompts", "skills"}

func (s *Server) answer(
	ctx context.Context, method string, req mcp.Request, next mcp.MethodHandler,
) (mcp.Result, error) {
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		return s.callTool(s.chosen(req), p)
	case *mcp.ListToolsParams:
		return s.listTools(s.chosen(req)), nil
	case *mcp.ListResourcesParams:
		return s.listResources(p)
	case *mcp.ListResourceTemplatesParams:
		return s.listTemplates(), nil
	case *mcp.ReadResourceParams:
		return s.readResource(p.URI)
	case *mcp.ListPromptsParams:
		return s.listPrompts(), nil
	case *mcp.GetPromptParams:
		return s.getPrompt(p, revisionOf(req) >= linksSince)
	case *mcp.SubscribeParams, *mcp.UnsubscribeParams:
		return nil, failure(jsonrpc.CodeMethodNotFound, "there are no sessions")
	case *mcp.SubscriptionsListenParams:
		if x := req.GetExtra(); x != nil && x.Header.Get(versionHeader) < statelessSince {
			return nil, failure(jsonrpc.CodeMethodNotFound, "a method of "+statelessSince)
		}
		s.filterServed(p.Notifications)
	}
	res, err := next(ctx, method, req)
	if err == nil {
		s.addInstructions(req, res)
	}
	return res, err
}

// addInstructions adds the instructions for this server to the result with which a client begins.
// Changes are told only since 2026-07-28, which has no such session.
func (s *Server) addInstructions(req mcp.Request, res mcp.Result) {
	switch r := res.(type) {
	case *mcp.InitializeResult:
		r.Instructions = s.instructions(s.chosen(req))
		untold := *r.Capabilities
		untold.Prompts, untold.Resources = &mcp.PromptCapabilities{}, &mcp.ResourceCapabilities{}
		r.Capabilities = &untold
	case *mcp.DiscoverResult:
		r.Instructions = s.instructions(s.chosen(req))
		r.Cacheable = s.cacheable(contentLife)
	}
}

// setsHeader is the header with the toolsets of a client, which can be in the query string
// instead.
const setsHeader = "X-Mcp-Toolsets"

// chosen returns the toolsets of a request, which have been validated.
func (s *Server) chosen(req mcp.Request) sets {
	if extra := req.GetExtra(); extra != nil && extra.Header.Get(setsHeader) != "" {
		if chosen, err := parseSets(extra.Header.Get(setsHeader)); err == nil {
			return chosen
		}
	}
	return s.sets
}

// The results below are those of the SDK, which sets resultType only in what its
// own handlers return.

// outcome is the common part of results. From 2026-07-28 on each states that it is complete.
type outcome struct {
	mcp.ResultBase
	ResultType string `json:"resultType,omitempty"`
}

func (o *outcome) complete() { o.ResultType = "complete" }

type callResult struct {
	outcome
	Content    []mcp.Content   `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

type readResult struct {
	outcome
	mcp.Cacheable
	Contents []*mcp.ResourceContents `json:"contents"`
}

type promptResult struct {
	outcome
	Description string               `json:"description,omitempty"`
	Messages    []*mcp.PromptMessage `json:"messages"`
}

type listSkillsResult struct {
	outcome
	mcp.Cacheable
	Skills []content.Object `json:"skills"`
}

type getSkillResult struct {
	outcome
	mcp.Cacheable
	Skill content.Object `json:"skill"`
}

// linksSince is the first revision in which a message can be a link to a resource.
const linksSince = "2025-06-18"

// revisionOf is the revision of a request, "" if it is unknown.
func revisionOf(req mcp.Request) string {
	if p, ok := req.GetParams().(*listSkillsParams); ok && p == nil {
		return "" // the SDK would read the metadata of nothing
	}
	if r, ok := req.(interface{ ProtocolVersion() string }); ok {
		return r.ProtocolVersion()
	}
	return ""
}

func failure(code int64, text string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: code, Message: text}
}

// invalid is the error of invalid parameters.
func invalid(format string, args ...any) error {
	return failure(jsonrpc.CodeInvalidParams, fmt.Sprintf(format, args...))
}

// isRedacted is the error of a version that was redacted.
func isRedacted(g *site.Gone) error {
	return invalid("version %s of %s was redacted: %s", g.Version, g.Item, g.Reason)
}

// notFound is the error of an unknown URI. That of the SDK is not valid JSON if the URI has
// characters that Go quotes differently, and the request is never answered.
func notFound(uri string) error {
	return &jsonrpc.Error{
		Code: jsonrpc.CodeInvalidParams, Message: "Resource not found",
		Data: marshal(map[string]string{"uri": uri}),
	}
}
