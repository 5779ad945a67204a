package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content/crash"
	"rulestore/server/calc"
	"rulestore/server/clients"
	"rulestore/server/site"
)

// Path is the path of the endpoint over HTTP.
const Path = site.MCPPath

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
	Proxies  clients.Proxies         // the networks of trusted proxies
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
	sets     sets    // what a client gets that asks for none

	mcp       *mcp.Server
	stateless http.Handler // 2026-07-28 and later
	stateful  http.Handler // before
	sessions  *sessions
	streams   *streams
	within    time.Duration // how long an answer may take
	seen      atomic.Pointer[view]
	calls     calls
}

// New returns a server. The registry has to be that of the sites.
func New(c Config, r *calc.Registry) (*Server, error) {
	chosen, err := parseSets(c.Toolsets)
	if err != nil {
		return nil, err
	}
	s := &Server{Config: c, registry: r, sets: chosen, within: maxAnswer, sessions: newSessions(maxSessions, c.Log), streams: newStreams(maxStreams, c.Log)}
	s.tools = offered(r)
	s.calls = newCalls(s.tools)
	s.connect()
	return s, nil
}

// offered are all tools, in the order in which they are listed.
func offered(r *calc.Registry) []*tool {
	all := append(browsers(), readers()...)
	all = append(all, readersOf(unlisted(all))...)
	all = append(all, findCalculation(r))
	return slices.Concat(all, calculators(r), provers(), versionTools(), connectors())
}

// Declared returns the tools for assistants, for display on pages.
func Declared(r *calc.Registry) *site.Assistants {
	tools, all := offered(r), &site.Assistants{}
	for _, t := range Toolsets {
		set := site.AssistantSet{Name: t.Name, About: t.About, Default: t.Default}
		for _, own := range tools {
			if own.sets.has(in(t.Name)) {
				set.Tools = append(set.Tools, site.AssistantTool{
					Name: own.Name, Title: own.Title, About: own.Description, Input: marshal(own.InputSchema),
				})
			}
		}
		all.Sets = append(all.Sets, set)
	}
	return all
}

// Open returns the numbers of open sessions and streams.
func (s *Server) Open() (sessions, streams int) { return s.sessions.open(), s.streams.table.Held() }

// connect makes the one long-lived server of the protocol, and both handlers
// over it.
func (s *Server) connect() {
	s.mcp = mcp.NewServer(s.implementation(), &mcp.ServerOptions{
		Logger: slog.New(slog.DiscardHandler), // it logs arguments, which may be anything
		CompletionHandler: func(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return s.complete(r.Params), nil
		},
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil }, // checked in receive
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		Capabilities:       capabilities(),
	})
	s.mcp.AddReceivingMiddleware(s.receive)
	s.addSkills()
	get := func(*http.Request) *mcp.Server { return s.mcp }
	options := mcp.StreamableHTTPOptions{
		MaxRequestBodyBytes:        maxBody,
		DisableLocalhostProtection: true, // guard knows the address the service is known by, the SDK does not
	}
	s.stateful = mcp.NewStreamableHTTPHandler(get, &options)
	options.Stateless = true
	options.PropagateRequestCancellation = true
	s.stateless = mcp.NewStreamableHTTPHandler(get, &options)
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

// Close ends all sessions and streams. Requests in progress are still answered.
func (s *Server) Close() {
	s.streams.close()
	s.sessions.shut()
}

// The lifetimes of responses in client caches, unless a notification comes first: lists and
// content as over HTTP, tools as long as a process usually lives.
const (
	contentLife = time.Minute
	toolsLife   = 5 * time.Minute
)

func (s *Server) cacheable(d time.Duration) mcp.Cacheable {
	if s.Sites.Current().Snapshot.Drafts {
		return mcp.Cacheable{CacheScope: "private"} // drafts are not for others, and of the moment
	}
	d = s.Sites.Current().Left(time.Now(), d)
	return mcp.Cacheable{TTLMs: int(d.Milliseconds()), CacheScope: "public"}
}

// receive answers from the current site what the SDK would answer from lists that
// it keeps. A handler that crashes is an error of that request alone.
func (s *Server) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				crash.Tell(s.Log, crash.Of(v), "mcp_method", method)
				res, err = nil, failure(jsonrpc.CodeInternalError, "internal error")
			}
		}()
		res, err = s.answer(ctx, method, req, next)
		if err == nil {
			s.sign(res)
		}
		return res, told(err)
	}
}

// sign names the snapshot in a result that has something of it and does not say so yet.
func (s *Server) sign(res mcp.Result) {
	switch res.(type) {
	case *callResult, *readResult, *promptResult, *listSkillsResult, *getSkillResult,
		*mcp.ListToolsResult, *mcp.ListResourcesResult, *mcp.ListResourceTemplatesResult, *mcp.ListPromptsResult:
	default:
		return
	}
	if res.GetMeta()[snapshotMeta] == nil {
		res.SetMeta(map[string]any{snapshotMeta: s.Sites.Current().ID})
	}
}

func (s *Server) answer(ctx context.Context, method string, req mcp.Request, next mcp.MethodHandler) (mcp.Result, error) {
	switch p := req.GetParams().(type) {
	case *mcp.InitializeParams: // it lasts as long as its session, and the revision is all that is wanted of it
		*p = mcp.InitializeParams{ProtocolVersion: p.ProtocolVersion, Capabilities: &mcp.ClientCapabilities{}, ClientInfo: &mcp.Implementation{}}
	case *mcp.CallToolParamsRaw:
		res, err := s.callTool(s.chosen(req), p)
		return finished(req, res, err)
	case *mcp.ListToolsParams:
		return s.listTools(s.chosen(req)), nil
	case *mcp.ListResourcesParams:
		return s.listResources(p)
	case *mcp.ListResourceTemplatesParams:
		return s.listTemplates(), nil
	case *mcp.ReadResourceParams:
		res, err := s.readResource(p.URI)
		return finished(req, res, err)
	case *mcp.ListPromptsParams:
		return s.listPrompts(), nil
	case *mcp.GetPromptParams:
		res, err := s.getPrompt(p, spoken(req) >= linksSince)
		return finished(req, res, err)
	case *listSkillsParams:
		return finished(req, s.listSkills(), nil)
	case *getSkillParams:
		res, err := s.getSkill(p)
		return finished(req, res, err)
	case *mcp.SubscribeParams:
		if err := s.maySubscribe(req.GetSession().ID(), p.URI); err != nil {
			return nil, err
		}
	case *mcp.UnsubscribeParams:
		s.sessions.unsubscribe(req.GetSession().ID(), p.URI)
	case *mcp.SubscriptionsListenParams:
		if ctx.Value(streaming{}) == nil {
			return nil, failure(jsonrpc.CodeInvalidRequest, "invalid request: "+listenMethod+" comes alone")
		}
		s.keepServed(p.Notifications)
	}
	res, err := next(ctx, method, req)
	if err == nil {
		s.greet(ctx, req, res)
	}
	return res, err
}

// greet adds to what opens a conversation how to work with this server.
func (s *Server) greet(ctx context.Context, req mcp.Request, res mcp.Result) {
	switch r := res.(type) {
	case *mcp.InitializeResult:
		r.Instructions = s.instructions(s.chosen(req))
		if session, ok := req.GetSession().(*mcp.ServerSession); ok {
			s.sessions.opened(ctx, session)
		}
	case *mcp.DiscoverResult:
		r.Instructions = s.instructions(s.chosen(req))
		r.Cacheable = s.cacheable(contentLife)
	}
}

// setsHeader is how a client, or the query string on its behalf, chooses toolsets.
const setsHeader = "X-Mcp-Toolsets"

// chosen returns the toolsets of a request. HTTP has checked them.
func (s *Server) chosen(req mcp.Request) sets {
	extra := req.GetExtra()
	if extra == nil || extra.Header.Get(setsHeader) == "" {
		return s.sets
	}
	chosen, err := parseSets(extra.Header.Get(setsHeader))
	if err != nil {
		return s.sets
	}
	return chosen
}

// encode writes JSON with < > & as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
