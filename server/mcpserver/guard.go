package mcpserver

import (
	"net"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"rulestore/server/clients"
)

// guard refuses requests from web pages: those with another origin, and those that could be
// DNS rebinding, to which the answers would be of their own origin. Other resources of the
// service are public and read-only.
func (s *Server) guard(r *http.Request) *jsonrpc.Error {
	base := s.Sites.Current().URL("")
	switch {
	case !clients.OwnOrigin(r, base):
		return failure(jsonrpc.CodeInvalidRequest, "forbidden: requests of other origins are not answered")
	case s.knowsItsNames(r) && !clients.OwnHost(r, clients.Host(base)):
		return failure(
			jsonrpc.CodeInvalidRequest,
			"forbidden: the Host header names another machine; start the service with --base-url if that is its address",
		)
	}
	return nil
}

// knowsItsNames reports whether all host names are known by which a request can reach the
// service. On loopback they are; elsewhere only if the operator or the settings state the
// address of the service, since that of the listener is a guess.
func (s *Server) knowsItsNames(r *http.Request) bool {
	local, connected := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if tcp, ok := local.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		return true
	}
	return connected && (s.BaseURL != "" || s.Sites.Current().Snapshot.Settings.CanonicalBaseURL != "")
}
