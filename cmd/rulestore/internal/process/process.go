// Package process is the life of a server process: its listeners for clients, operators and git hosts, its
// certificate, what it tells the service manager, signals, and the way it ends.
//
// A process starts ([Begin]), listens ([Process.Listen]), is told that there is something to serve
// ([Process.Ready]), runs until it is terminated ([Process.Run]), and is closed. While it drains,
// readiness says no, and each answer closes its connection; whoever sends requests goes elsewhere.
package process

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/server/admin"
	"rulestore/server/clients"
	"rulestore/server/mcpserver"
	"rulestore/server/observe"
)

// Config is the configuration of the process, independent of what it serves.
type Config struct {
	Build     string              // of the program
	Getenv    func(string) string // the environment, for the service manager
	Log       *slog.Logger
	AccessLog bool // log every request
	Addr      string
	Operators Operators
	Webhooks  Webhooks
	Cert, Key string // PEM files for HTTPS; empty: HTTP

	Proxies    clients.Proxies // the networks of trusted proxies
	Rate       int             // requests per second and address; 0: unlimited
	DrainDelay time.Duration   // how long a terminating process continues to serve
}

// Process is a server process: its configuration, its system resources, and its shutdown.
type Process struct {
	Config
	follower    *follow.Follower
	manager     manager
	hangups     chan os.Signal // SIGHUP
	certificate *certificate   // nil: no TLS
	hook        *hook          // nil if there is none
	requests    *observe.Requests
	assistants  atomic.Pointer[mcpserver.Server] // nil before the first site
	begun       time.Time
	ready       chan struct{} // closed when there is something to serve
	public      net.Listener
	connections atomic.Int64   // open ones of public
	server      *http.Server   // for clients
	beside      []*http.Server // for operators and git hosts
	ended       chan error     // the error because of which the server has stopped
	background  crash.Work
}

// Begin acquires the resources that the process needs before it loads, so that errors are
// reported at once. The caller closes it.
func Begin(c Config, served *follow.Follower) (p *Process, err error) {
	p = &Process{
		Config: c, follower: served, manager: manager{c.Getenv}, hangups: make(chan os.Signal, 1),
		requests: served.Site.Requests, begun: time.Now(), ready: make(chan struct{}), ended: make(chan error, 1),
		server: newServer(nil),
	}
	p.background.Crashed = served.Crashed
	signal.Notify(p.hangups, syscall.SIGHUP) // early, as it would end a process that is still loading
	if p.certificate, err = loadCertificate(c.Cert, c.Key, c.Log); err != nil {
		return nil, err
	}
	p.public, err = p.manager.listener()
	return p, err
}

// Listen opens the listeners and starts to respond: to operators at once, to clients with 503
// until [Process.Ready]. It continues until the process is closed.
func (p *Process) Listen() error {
	if err := errors.Join(p.answerOperators(), p.hearWebhooks(), p.listen()); err != nil {
		return err
	}
	p.answer()
	return nil
}

// Ready marks the process as ready, with the MCP server.
func (p *Process) Ready(assistants *mcpserver.Server) {
	p.assistants.Store(assistants)
	close(p.ready)
}

// Run waits until the context ends, then lets requests in progress finish.
func (p *Process) Run(ctx context.Context) error {
	p.background.Run(ctx, "reloading on a signal", p.reload)
	p.notifyReady()
	select {
	case err := <-p.ended:
		return i18n.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	return p.drain(context.WithoutCancel(ctx))
}

// Close stops the servers and waits for what works in the background.
func (p *Process) Close() {
	for _, srv := range append(p.beside, p.server) {
		_ = srv.Close() // that for clients was drained, or never started
	}
	if !p.background.WaitFor(Grace) {
		p.Log.Error("something goes on that was told to end", "after", Grace)
	}
}

// reload reloads the content on SIGHUP; a signal during a reload begins anew. Signals after the end of the context
// are still caught: they would end a process that drains.
func (p *Process) reload(ctx context.Context) {
	var judged <-chan struct{} // closed when the last reload is done
	for {
		select {
		case <-ctx.Done():
			return
		case <-judged:
			judged = nil
			p.notifyReady()
		case <-p.hangups:
			p.Log.Info("reloading: asked to by a signal")
			p.manager.notify("RELOADING=1")
			p.certificate.reload()
			judged = p.follower.Reload(ctx)
		}
	}
}

func (p *Process) notifyReady() {
	p.manager.notify("READY=1\nSTATUS=serving snapshot " + p.follower.Current().ID)
}

// state is the state of the process for operators.
func (p *Process) state() admin.State {
	s := p.follower.State()
	s.CertificateExpires = p.certificate.expires()
	if s.Fetches != nil {
		s.Fetches.Webhooks = p.hook.counts()
	}
	if s.Snapshot != nil { // not before the first site
		s.Connections = p.connections.Load()
	}
	if a := p.assistants.Load(); a != nil {
		s.MCP = &admin.MCP{Streams: a.Open(), Calls: toolCalls(a)}
	}
	return s
}
