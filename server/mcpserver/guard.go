package mcpserver

import (
	"net"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"rulestore/server/clients"
)

// guard keeps out pages that the user's browser has open: those of other origins, which
// say so, and those whose name was rebound to the address of this server, to which what
// it answers would be of their own origin. What else is served may be read by any page
// anyway, and does nothing.
func (s *Server) guard(r *http.Request) *jsonrpc.Error {
	base := s.Sites.Current().URL("")
	switch {
	case !clients.OwnOrigin(r, base):
		return failure(jsonrpc.CodeInvalidRequest, "forbidden: requests of other origins are not answered")
	case s.knowsItsNames(r) && !clients.OwnHost(r, clients.Host(base)):
		return failure(jsonrpc.CodeInvalidRequest, "forbidden: the Host header names another machine; start the service with --base-url if that is its address")
	}
	return nil
}

// knowsItsNames reports whether all names are known under which a request that came as
// this one did can ask for the service. On loopback they are; elsewhere only if the
// operator or the settings say what the service is called, since its listener's address
// is a guess.
func (s *Server) knowsItsNames(r *http.Request) bool {
	local, connected := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if tcp, ok := local.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		return true
	}
	return connected && (s.BaseURL != "" || s.Sites.Current().Snapshot.Settings.CanonicalBaseURL != "")
}
