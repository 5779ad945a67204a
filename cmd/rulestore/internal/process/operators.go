package process

import (
	"log/slog"
	"net"
	"net/http"
	"time"

	"rulestore/content/i18n"
	"rulestore/server/admin"
	"rulestore/server/clients"
	"rulestore/server/mcpserver"
)

// Operators is the configuration of the admin listener.
type Operators struct {
	Addr  string // [NoOperators] or empty: none
	Pprof bool   // also serve profiles of the process
}

const (
	// NoOperators is the address that disables the listener.
	NoOperators = "off"
	// OperatorsDefault is the default address.
	OperatorsDefault = "127.0.0.1:8081"
)

// listen opens the admin listener, nil if there is none. Only the default address may be in use, as by a second
// server on one machine.
func (o Operators) listen(log *slog.Logger) (net.Listener, error) {
	if o.Addr == NoOperators || o.Addr == "" {
		return nil, nil
	}
	l, err := net.Listen("tcp", o.Addr)
	if err != nil && o.Addr == OperatorsDefault {
		log.Warn("operators are not answered: the default address is taken, choose one with --admin-addr", "error", err)
		return nil, nil
	}
	if err != nil {
		return nil, i18n.Errorf("listen for operators: %w (choose another address with --admin-addr)", err)
	}
	return l, nil
}

// answerOperators serves operators: from before the first load, and while the process drains.
func (p *Process) answerOperators() error {
	l, err := p.Operators.listen(p.Log)
	if l == nil || err != nil {
		return err
	}
	p.Log.Info("answering operators", "addr", l.Addr().String(), "pprof", p.Operators.Pprof)
	srv := newServer(p.Operators.guarded(admin.New(admin.Config{
		Version: p.Build, Requests: p.requests, State: p.state, Health: p.follower.Health,
		HealthPage: p.follower.HealthPage, Served: p.follower.DescribeServed, Confirm: p.follower.Confirm,
		Pprof: p.Operators.Pprof,
	})))
	srv.WriteTimeout = 2 * time.Minute // a profile takes 30 s
	p.serve("answering operators", srv, l)
	return nil
}

// guarded rejects requests of pages whose name resolves to this machine: over the loopback
// interface, and for orders over any, the Host must be that of the interface. Who reads metrics over
// other interfaces uses names that are unknown here.
func (o Operators) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
		own := local != nil && local.IP.IsLoopback() || r.Method != http.MethodGet && r.Method != http.MethodHead
		if local != nil && own && !clients.OwnHost(r, o.Addr) {
			http.Error(w, "the Host header names another machine: ask for "+local.String(), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// toolCalls lists the results of tool calls.
func toolCalls(s *mcpserver.Server) (all []admin.Calls) {
	for _, n := range s.Calls() {
		for result, count := range map[string]uint64{"answered": n.Answered, "failed": n.Failed} {
			if count > 0 {
				all = append(all, admin.Calls{Tool: n.Tool, Result: result, Count: count})
			}
		}
	}
	return all
}
