// Package life manages the life cycle of a server process: system resources, listeners
// for clients and operators, and graceful shutdown.
//
// A process starts ([Begin]), listens ([Process.Listen]), loads ([Process.Load]), reports that it
// is ready ([Process.Ready]), runs until it is terminated ([Process.Run]), and is closed.
package life

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/net/netutil"

	"rulestore/cmd/rulestore/internal/background"
	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/cmd/rulestore/internal/systemd"
	"rulestore/cmd/rulestore/internal/tlscert"
	"rulestore/cmd/rulestore/internal/webhook"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/server"
	"rulestore/server/admin"
	"rulestore/server/clients"
	"rulestore/server/mcpserver"
	"rulestore/server/observe"
)

// Config is the configuration of the process, independent of what it serves.
type Config struct {
	Build     string              // of the program
	Getenv    func(string) string // the environment, for the service manager and tracing
	Log       *slog.Logger
	AccessLog bool // log every request
	Operators Operators
	Cert, Key string // PEM files for HTTPS; empty: HTTP

	Connections int             // maximum number of open ones
	Proxies     clients.Proxies // the networks of trusted proxies
	Rate        int             // requests per second and address; 0: unlimited
	DrainDelay  time.Duration   // how long a terminating process continues to serve

	WebhookAddr, WebhookSecret string // where git hosts may ask for a fetch; empty: nowhere
}

// Process is a server process: its configuration, its system resources, and its shutdown.
type Process struct {
	Config
	systemd     systemd.Process
	hangups     chan os.Signal          // SIGHUP
	sockets     map[string]net.Listener // from systemd, by name
	certificate *tlscert.Certificate    // nil: no TLS
	requests    *observe.Requests
	hook        *webhook.Hook // nil if there is none
	publisher   *follow.Follower
	assistants  atomic.Pointer[mcpserver.Server] // nil before the first site
	begun       time.Time
	ready       chan struct{} // closed when there is something to serve
	public      net.Listener
	connections atomic.Int64 // open ones of public
	addr        string       // requested address of public
	server      *http.Server
	ended       chan error // the error because of which the server has stopped
	background  crash.Work
	end         context.CancelFunc // ends the background work
}

// Begin acquires the resources that the process needs before it loads, so that errors are
// reported at once. The caller closes it.
func Begin(c Config, served *follow.Follower) (p *Process, err error) {
	p = &Process{
		Config: c, systemd: systemd.Process{Getenv: c.Getenv}, hangups: make(chan os.Signal, 1),
		requests: served.Site.Requests, publisher: served, begun: time.Now(), ready: make(chan struct{}),
		end: func() {},
	}
	p.background.Crashed = served.Crashed
	signal.Notify(p.hangups, syscall.SIGHUP) // early, as it would end a process that is still loading
	if p.certificate, err = tlscert.Load(c.Cert, c.Key, c.Log); err != nil {
		return nil, err
	}
	if p.sockets, err = p.systemd.Sockets(); err != nil {
		return nil, err
	}
	return p, nil
}

// Listen opens the listeners and starts to respond: to operators at once, to clients with 503
// until [Process.Ready]. It continues until the process is closed, independent of ctx.
func (p *Process) Listen(ctx context.Context, addr string) error {
	ctx, p.end = context.WithCancel(context.WithoutCancel(ctx))
	if err := errors.Join(p.answerOperators(ctx), p.hearWebhooks(ctx), p.listen(addr)); err != nil {
		return err
	}
	p.answer(ctx)
	return nil
}

// Load loads the first snapshot, however long that takes.
func (p *Process) Load(ctx context.Context) (loader.Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.background.Run(ctx, "telling the service manager", p.systemd.Starting)
	return p.publisher.Begin(ctx, true)
}

// Ready marks the process as ready, with the MCP server.
func (p *Process) Ready(assistants *mcpserver.Server) {
	p.assistants.Store(assistants)
	close(p.ready)
}

// answerOperators serves the admin listener until the context ends: from before the first load,
// and while the process drains.
func (p *Process) answerOperators(ctx context.Context) error {
	at, err := p.Operators.listen(p.sockets[systemd.AdminSocket], p.Log)
	if at == nil || err != nil {
		return err
	}
	p.Log.Info("answering operators", "addr", at.Addr().String(), "pprof", p.Operators.Pprof)
	p.background.Run(ctx, "answering operators", func(ctx context.Context) {
		p.Operators.serve(ctx, at, admin.Config{
			Version: p.Build, Requests: p.requests, State: p.state, Health: p.publisher.Health,
			HealthPage: p.publisher.HealthPage,
			Served:     p.publisher.DescribeServed, Confirm: p.publisher.Confirm,
		}, p.Log)
	})
	return nil
}

// hearWebhooks opens the listener for git hosts, if there is one.
func (p *Process) hearWebhooks(ctx context.Context) (err error) {
	if p.WebhookAddr == "" {
		return nil
	}
	p.hook, err = webhook.Listen(webhook.Config{
		Addr: p.WebhookAddr, Secret: p.WebhookSecret, RequestFetch: p.publisher.RequestFetch, Log: p.Log,
	})
	if err == nil {
		p.background.Run(ctx, "hearing webhooks", p.hook.Run)
	}
	return err
}

// state is the state of the process for operators.
func (p *Process) state() admin.State {
	s := p.publisher.State()
	s.CertificateExpires = p.certificate.Expires()
	if s.Fetches != nil {
		s.Fetches.Webhooks = admin.Webhooks(p.hook.Counts())
	}
	if p.publisher.Current() != nil { // not before the first site
		s.Connections = p.connections.Load()
	}
	if a := p.assistants.Load(); a != nil {
		s.MCP = &admin.MCP{Streams: a.Open(), Calls: toolCalls(a)}
	}
	return s
}

// listen opens the public listener, or takes the one from systemd.
func (p *Process) listen(addr string) (err error) {
	at := p.sockets[systemd.PublicSocket]
	if at == nil {
		if at, err = listen(addr); err != nil {
			return i18n.Errorf("listen: %w (choose another address with --addr)", err)
		}
	}
	p.public, p.addr = at, addr
	return nil
}

// URL returns the address of the public listener for programs on this machine.
func (p *Process) URL() string { return URL(p.public.Addr().String(), p.certificate != nil) }

// WarnOfGuess logs a warning if remote clients get addresses that they cannot use.
func (p *Process) WarnOfGuess() {
	if _, ok := everywhere(p.public.Addr().String()); ok && p.publisher.Current().URL("") == p.URL() {
		p.Log.Warn(
			"what is served names an address that clients elsewhere cannot use: say which with --base-url, or "+
				"canonical_base_url in rulestore.yaml",
			"address", p.URL(),
		)
	}
}

// maxHeaders is the maximum size of request headers in bytes.
const maxHeaders = 32 << 10

// handler is the handler of requests, with logs and metrics.
func (p *Process) handler() http.Handler {
	served := p.publisher
	c := server.Config{
		Sites: served, Status: served.Status, Encoder: served.Encoder(), MCP: http.HandlerFunc(p.assist),
		Log:      p.Log,
		HeldBack: served.HeldBack,
		Requests: p.requests, Changed: served.Next, Addr: p.addr,
	}
	if p.Rate > 0 {
		c.Rate = clients.NewRate(p.Rate, p.Proxies)
	}
	o := observe.Config{Requests: p.requests}
	if p.AccessLog {
		o.Access = p.Log
	}
	return p.lastOnes(p.firstOnes(observe.Handler(server.New(c), o)))
}

// assist serves MCP.
func (p *Process) assist(w http.ResponseWriter, r *http.Request) {
	if a := p.assistants.Load(); a != nil {
		a.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Retry-After", "1")
	http.Error(w, "the service is starting", http.StatusServiceUnavailable)
}

// answer starts the server. Before the first content, requests wait for a short time, then the
// response is 503.
func (p *Process) answer(ctx context.Context) {
	p.server = &http.Server{
		Handler:           p.handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute, // more than proxies keep connections
		MaxHeaderBytes:    maxHeaders,
		ErrorLog:          background.ErrorLog(p.Log),

		DisableGeneralOptionsHandler: true, // OPTIONS * is handled like other requests

		ConnState: p.countConnections,
	}
	at := netutil.LimitListener(p.public, p.Connections)
	if p.certificate != nil {
		at = tls.NewListener(at, p.certificate.Config())
		p.background.Run(ctx, "following the certificate", p.certificate.Follow)
	}
	p.ended = make(chan error, 1)
	p.background.Run(ctx, "accepting connections", func(context.Context) { p.ended <- p.server.Serve(at) })
}

func (p *Process) countConnections(_ net.Conn, now http.ConnState) {
	switch now {
	case http.StateNew:
		p.connections.Add(1)
	case http.StateClosed, http.StateHijacked:
		p.connections.Add(-1)
	}
}

// Addr returns the address of the public listener.
func (p *Process) Addr() net.Addr { return p.public.Addr() }

// Run waits until the context ends, then lets requests in progress finish.
func (p *Process) Run(ctx context.Context) error {
	p.background.Run(ctx, "reloading on a signal", p.reload)
	p.background.Run(ctx, "telling the service manager", func(ctx context.Context) {
		p.systemd.Watch(ctx, func() { p.publisher.Status() })
	})
	p.systemd.Notify("READY=1\nSTATUS=serving snapshot " + p.publisher.Current().ID)
	select {
	case err := <-p.ended:
		return i18n.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	return p.drain(context.WithoutCancel(ctx), p.server)
}

// Close stops the background work and waits for it.
func (p *Process) Close() {
	p.end()
	if p.server != nil {
		_ = p.server.Close() // it was drained, or never started
	}
	if !p.background.WaitFor(Grace) {
		p.Log.Error("something goes on that was told to end", "after", Grace)
	}
}

// reload reloads the content on SIGHUP. Signals after the end of the context are still caught:
// they would end a process that drains.
func (p *Process) reload(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.hangups:
		}
		p.Log.Info("reloading: asked to by a signal")
		p.systemd.Notify("RELOADING=1")
		p.certificate.Reload()
		p.publisher.Reload(ctx)
		p.systemd.Notify("READY=1\nSTATUS=serving snapshot " + p.publisher.Current().ID)
	}
}
