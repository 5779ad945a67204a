package main

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"rulestore/cmd/rulestore/internal/background"
	"rulestore/cmd/rulestore/internal/publisher"
	"rulestore/cmd/rulestore/internal/systemd"
	"rulestore/cmd/rulestore/internal/tlscert"
	"rulestore/content/i18n"
	"rulestore/server"
	"rulestore/server/admin"
	"rulestore/server/clients"
	"rulestore/server/mcpserver"
	"rulestore/server/observe"
	"rulestore/server/telemetry"
)

// life is that of a serving process: what it was told, what the system gave it,
// and how it ends.
type life struct {
	operateFlags
	log         *slog.Logger
	systemd     systemd.Process
	hangups     chan os.Signal          // SIGHUP
	sockets     map[string]net.Listener // from systemd, by name
	certificate *tlscert.Certificate    // nil: no TLS
	requests    *observe.Requests
	tracer      *telemetry.Tracer // nil: no traces
	publisher   *publisher.Publisher
	assistants  atomic.Pointer[mcpserver.Server] // nil before the first site
	begun       time.Time
	ready       chan struct{} // closed when there is something to serve
	public      *clients.Listener
	addr        string // that public was asked for
	server      *http.Server
	ended       chan error // why the server does not answer any more
	background  background.Work
}

// begin takes what the process needs before it loads, so that what is missing is
// said at once.
func begin(ctx context.Context, e *env, f operateFlags, p *publisher.Publisher, log *slog.Logger) (l *life, err error) {
	l = &life{
		operateFlags: f, log: log, systemd: systemd.Process{Getenv: e.getenv}, hangups: make(chan os.Signal, 1), requests: p.Site.Requests,
		publisher: p, begun: time.Now(), ready: make(chan struct{}),
	}
	l.background.Crashed = p.Crashed
	signal.Notify(l.hangups, syscall.SIGHUP) // from now on: it would end a process that is still loading
	if l.certificate, err = tlscert.Load(f.cert, f.key, log); err != nil {
		return nil, err
	}
	if l.sockets, err = l.systemd.Sockets(); err != nil {
		return nil, err
	}
	traced, err := telemetry.Enabled(e.getenv)
	if err != nil {
		return nil, err
	}
	if traced && !f.checkOnly {
		if l.tracer, err = telemetry.New(ctx, build(), log); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// answerOperators begins to, until the context ends: before the first load, and
// while the process drains.
func (l *life) answerOperators(ctx context.Context) error {
	at, err := l.admin.listen(l.sockets[systemd.AdminSocket], l.log)
	if at == nil || err != nil {
		return err
	}
	l.log.Info("answering operators", "addr", at.Addr().String(), "pprof", l.admin.pprof)
	l.background.Run(ctx, "answering operators", func(ctx context.Context) {
		l.admin.serve(ctx, at, admin.Config{
			Version: build(), Requests: l.requests, State: l.state, Health: l.publisher.Health,
			Order: l.publisher.Order,
		}, l.log)
	})
	return nil
}

// state tells operators what the process knows of itself.
func (l *life) state() admin.State {
	s := l.publisher.State()
	s.CertificateExpires = l.certificate.Expires()
	if l.publisher.Current() != nil { // listening since before the first site
		s.Connections, s.Shed = int64(l.public.Open()), l.public.Shed()
	}
	if a := l.assistants.Load(); a != nil {
		sessions, streams := a.Open()
		s.MCP = &admin.MCP{Sessions: sessions, Streams: streams, Calls: toolCalls(a)}
	}
	return s
}

// listen opens the public listener, or takes the one from systemd.
func (l *life) listen(addr string) (err error) {
	at := l.sockets[systemd.PublicSocket]
	if at == nil {
		if at, err = listen(addr); err != nil {
			return i18n.Errorf("listen: %w (choose another address with --addr)", err)
		}
	}
	l.public, l.addr = clients.Limit(at, l.shared(), l.proxies()), addr
	return nil
}

// maxBodies is how many bodies of requests may be on their way, if there may be so many
// connections: others have to be able to read meanwhile, and each takes memory.
func maxBodies(connections int) int { return min(max(connections/2, 1), 512) }

// url returns the address of the public listener, as programs on this machine can use
// it.
func (l *life) url() string { return ownURL(l.public.Addr().String(), l.certificate != nil) }

// warnOfGuess says so if clients elsewhere get addresses that they cannot use.
func (l *life) warnOfGuess() {
	if _, ok := everywhere(l.public.Addr().String()); ok && l.publisher.Current().URL("") == l.url() {
		l.log.Warn("what is served names an address that clients elsewhere cannot use: say which with --base-url, or canonical_base_url in rulestore.yaml", "address", l.url())
	}
}

// maxHeaders is how many bytes of headers a request may have.
const maxHeaders = 32 << 10

// handler answers requests, with everything around them that operators want.
func (l *life) handler() http.Handler {
	p := l.publisher
	c := server.Config{
		Sites: p, Status: p.Status, Encoder: p.Encoder(), MCP: http.HandlerFunc(l.assist), Log: l.log,
		Requests: l.requests, Changed: p.Next, Addr: l.addr,
	}
	if l.limits.rate > 0 {
		c.Rate = server.NewRate(l.limits.rate, l.proxies())
	}
	o := observe.Config{Requests: l.requests}
	if l.tracer != nil {
		o.Tracer = l.tracer
	}
	if l.operateFlags.log.access {
		o.Access = l.log
	}
	bodies := clients.NewBodies(maxBodies(l.shared().Connections), l.limits.readTimeout, l.proxies())
	return l.lastOnes(l.firstOnes(observe.Handler(bodies.Handler(server.New(c)), o)))
}

// assist answers clients of MCP.
func (l *life) assist(w http.ResponseWriter, r *http.Request) {
	if a := l.assistants.Load(); a != nil {
		a.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Retry-After", "1")
	http.Error(w, "the service is starting", http.StatusServiceUnavailable)
}

// answer begins to answer requests. Until there is something to serve, they wait a
// little, then the answer is 503.
func (l *life) answer(ctx context.Context) {
	l.server = &http.Server{
		Handler:           l.handler(),
		ReadHeaderTimeout: l.shared().Headers,
		ReadTimeout:       l.limits.readTimeout,
		WriteTimeout:      l.limits.writeTimeout,
		IdleTimeout:       l.limits.idleTimeout,
		MaxHeaderBytes:    maxHeaders,
		ErrorLog:          background.ErrorLog(l.log),

		DisableGeneralOptionsHandler: true, // OPTIONS * is answered like any other request

		ConnState:   l.public.ConnState,
		ConnContext: l.public.ConnContext,
	}
	at := net.Listener(l.public)
	if l.certificate != nil {
		at = tls.NewListener(at, l.certificate.Config())
		l.background.Run(ctx, "following the certificate", l.certificate.Follow)
	}
	l.ended = make(chan error, 1)
	l.background.Run(ctx, "accepting connections", func(context.Context) { l.ended <- l.server.Serve(at) })
}

// run goes on until the context ends, then lets requests under way finish.
func (l *life) run(ctx context.Context) error {
	l.background.Run(ctx, "reloading on a signal", l.reload)
	l.background.Run(ctx, "telling the service manager", func(ctx context.Context) {
		l.systemd.Watch(ctx, func() { l.publisher.Status() })
	})
	l.systemd.Notify("READY=1\nSTATUS=serving snapshot " + l.publisher.Current().ID)
	select {
	case err := <-l.ended:
		return i18n.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	return l.drain(context.WithoutCancel(ctx), l.server)
}

// lastTraces is how long sending them may take when the process ends.
const lastTraces = 5 * time.Second

// close ends what the process does beside answering, and waits for it; then the last
// traces are sent.
func (l *life) close(end context.CancelFunc) {
	end()
	if l.server != nil {
		_ = l.server.Close() // it was drained, or never served anything
	}
	if !l.background.WaitFor(grace) {
		l.log.Error("something goes on that was told to end", "after", grace)
	}
	if l.tracer == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastTraces)
	defer cancel()
	if err := l.tracer.Close(ctx); err != nil {
		l.log.Warn("the last traces were not sent", "error", err)
	}
}

// reload reads everything again when the process gets SIGHUP. What comes after the
// context has ended is still caught: it would end a process that drains.
func (l *life) reload(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.hangups:
		}
		l.log.Info("reloading: asked to by a signal")
		l.systemd.Notify("RELOADING=1")
		l.certificate.Reload()
		l.publisher.Reload(ctx)
		l.systemd.Notify("READY=1\nSTATUS=serving snapshot " + l.publisher.Current().ID)
	}
}
