package admin

import (
	"net"
	"net/http"
)

// The orders, see the package documentation.
const (
	Show    = "show"
	Confirm = "confirm"
	Pin     = "pin"
	Unpin   = "unpin"
	Back    = "back"
)

// Orders are the paths of changes. GET of Served shows the state.
var Orders = []string{Confirm, Pin, Unpin, Back}

// Served is the path of the served state; the orders are below it, with their argument as the
// parameter Argument and, of several repositories, the name of one as Source.
const (
	Served   = "/served"
	Argument = "state"
	Source   = "source"
)

// maxArgument is the maximum length of an argument in bytes.
const maxArgument = 256

// register adds what operators can want.
func (c Config) register(mux *http.ServeMux) {
	mux.HandleFunc("GET "+Served, func(w http.ResponseWriter, r *http.Request) { c.order(w, r, Show) })
	foreign := http.NewCrossOriginProtection()
	for _, order := range Orders {
		do := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.order(w, r, order) })
		mux.Handle("POST "+Served+"/"+order, ownMachine(foreign.Handler(do)))
	}
}

// ownMachine rejects requests from other machines, which may read metrics: there is no
// authentication.
func ownMachine(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isOwn(r) {
			say(w, http.StatusForbidden, "only who is on this machine can change what is served")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isOwn reports whether a connection comes from the machine that it goes to.
func isOwn(r *http.Request) bool {
	from, _, err := net.SplitHostPort(r.RemoteAddr)
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if err != nil || local == nil {
		return err != nil && local != nil && local.Network() == "unix"
	}
	at, _, _ := net.SplitHostPort(local.String())
	ip := net.ParseIP(from)
	return ip != nil && (ip.IsLoopback() || ip.Equal(net.ParseIP(at)))
}

func (c Config) order(w http.ResponseWriter, r *http.Request, order string) {
	argument, source := r.URL.Query().Get(Argument), r.URL.Query().Get(Source)
	if len(argument) > maxArgument || len(source) > maxArgument {
		say(w, http.StatusBadRequest, "the state is too long")
		return
	}
	status, document := c.Order(r.Context(), source, order, argument)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(document) // an operator who went away misses nothing
}
