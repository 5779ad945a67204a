package process

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"

	"rulestore/content/i18n"
	"rulestore/server"
	"rulestore/server/api"
	"rulestore/server/clients"
	"rulestore/server/observe"
)

// listen opens the public listener, unless systemd has.
func (p *Process) listen() (err error) {
	if p.public != nil {
		return nil
	}
	if p.public, err = net.Listen("tcp", p.Config.Addr); err != nil {
		return i18n.Errorf("listen: %w (choose another address with --addr)", err)
	}
	return nil
}

// Addr returns the address of the public listener.
func (p *Process) Addr() net.Addr { return p.public.Addr() }

// URL returns the address of the public listener for programs on this machine.
func (p *Process) URL() string { return URL(p.public.Addr().String(), p.certificate != nil) }

// URL returns the address of a listener for programs on this machine.
func URL(addr string, secure bool) string {
	if port, ok := everywhere(addr); ok {
		addr = net.JoinHostPort("localhost", port)
	}
	if secure {
		return "https://" + addr
	}
	return "http://" + addr
}

// everywhere reports whether an address is that of all interfaces, to which nothing can connect.
func everywhere(addr string) (port string, ok bool) {
	host, port, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return port, err == nil && (host == "" || ip != nil && ip.IsUnspecified())
}

// WarnOfGuess logs a warning if remote clients get addresses that they cannot use.
func (p *Process) WarnOfGuess() {
	if _, ok := everywhere(p.public.Addr().String()); ok && p.follower.Current().URL("") == p.URL() {
		p.Log.Warn(
			"what is served names an address that clients elsewhere cannot use: say which with --base-url, or "+
				"canonical_base_url in rulestore.yaml",
			"address", p.URL(),
		)
	}
}

// Connections is the maximum number of open connections of clients: each takes an open file and 21 KB.
const Connections = 4096

// answer starts the server. Before the first content, requests wait for a short time, then the
// response is 503.
func (p *Process) answer() {
	p.server.Handler = p.handler()
	p.server.DisableGeneralOptionsHandler = true // OPTIONS * is handled like other requests
	p.server.ConnState = p.countConnections
	at := netutil.LimitListener(p.public, Connections)
	if p.certificate != nil {
		at = tls.NewListener(at, p.certificate.config())
	}
	p.background.Run(context.Background(), "accepting connections", func(context.Context) {
		p.ended <- p.server.Serve(at)
	})
}

func (p *Process) countConnections(_ net.Conn, now http.ConnState) {
	switch now {
	case http.StateNew:
		p.connections.Add(1)
	case http.StateClosed, http.StateHijacked:
		p.connections.Add(-1)
	}
}

// handler is the handler of requests, with logs and metrics.
func (p *Process) handler() http.Handler {
	served := p.follower
	c := server.Config{
		Sites: served, Status: served.Status, Encoder: served.Encoder(), MCP: http.HandlerFunc(p.assist), Log: p.Log,
		Requests: p.requests, Addr: p.Config.Addr,
	}
	if p.Rate > 0 {
		c.Rate = clients.NewRate(p.Rate, p.Proxies)
	}
	o := observe.Config{Requests: p.requests}
	if p.AccessLog {
		o.Access = p.Log
	}
	next := observe.Handler(server.New(c), o)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.awaitContent(r)
		if p.follower.Draining() {
			w.Header().Set("Connection", "close") // clients send nothing more after an answer that says so
		}
		next.ServeHTTP(w, r)
	})
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

// patience is the time after the start for which requests wait for the first content. If a service
// manager keeps the socket, or a proxy has no other server, a restart is a pause and not a
// failure.
const patience = 5 * time.Second

// awaitContent lets a request wait for the first content, unless it asks whether there is any.
func (p *Process) awaitContent(r *http.Request) {
	select {
	case <-p.ready:
		return
	default:
	}
	if r.URL.Path == api.LegacyHealthPath || r.URL.Path == api.HealthPath {
		return
	}
	select {
	case <-p.ready:
	case <-time.After(time.Until(p.begun.Add(patience))):
	case <-r.Context().Done():
	}
}
