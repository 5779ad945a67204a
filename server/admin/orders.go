package admin

import (
	"net"
	"net/http"
)

// Served is the path of the served state. A POST of Confirm serves the state that is held back, if
// it has the name that the parameter Name gives.
const (
	Served  = "/served"
	Confirm = Served + "/confirm"
	Name    = "state"
)

// maxState is the maximum length of the name of a state in bytes.
const maxState = 256

// register adds what operators can want.
func (c Config) register(mux *http.ServeMux) {
	mux.HandleFunc("GET "+Served, func(w http.ResponseWriter, _ *http.Request) {
		status, document := c.Served()
		writeServed(w, status, document)
	})
	mux.Handle("POST "+Confirm, ownMachine(http.NewCrossOriginProtection().Handler(http.HandlerFunc(c.confirm))))
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

func (c Config) confirm(w http.ResponseWriter, r *http.Request) {
	state := r.URL.Query().Get(Name)
	if len(state) > maxState {
		say(w, http.StatusBadRequest, "the state is too long")
		return
	}
	status, document := c.Confirm(r.Context(), state)
	writeServed(w, status, document)
}

func writeServed(w http.ResponseWriter, status int, document []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(document) // an operator who went away misses nothing
}
