package mcpserver

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// guard keeps out pages that the user's browser has open: those of other origins, which
// say so, and those whose name was rebound to the address of this server, to which what
// it answers would be of their own origin. What else is served may be read by any page
// anyway, and does nothing.
func (s *Server) guard(r *http.Request) *jsonrpc.Error {
	base, err := url.Parse(s.Sites.Current().URL(""))
	if err != nil {
		base = &url.URL{}
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || !sameHost(u.Host, r.Host, u.Scheme) && !sameHost(u.Host, base.Host, u.Scheme) {
			return failure(jsonrpc.CodeInvalidRequest, "forbidden: requests of other origins are not answered")
		}
	}
	if !s.hostIsOurs(r, base) {
		return failure(jsonrpc.CodeInvalidRequest, "forbidden: the Host header names another machine; start the service with --base-url if that is its address")
	}
	return nil
}

// hostIsOurs reports whether the Host header of a request is a name of this server. Away
// from loopback that is known only if somebody said which names it has.
func (s *Server) hostIsOurs(r *http.Request, base *url.URL) bool {
	at := r.Context().Value(http.LocalAddrContextKey)
	local := addrOf(at)
	switch {
	case at == nil || sameHost(r.Host, base.Host, base.Scheme):
		return true // or it came by no connection
	case local.IsLoopback():
		return loopback(r.Host)
	case !s.named():
		return true
	}
	addr, err := netip.ParseAddr(hostname(r.Host))
	return err == nil && addr.Unmap() == local
}

// named reports whether the operator or the settings say what the service is called; the
// address of its listener is a guess.
func (s *Server) named() bool {
	return s.BaseURL != "" || s.Sites.Current().Snapshot.Settings.CanonicalBaseURL != ""
}

// addrOf returns the address of this machine that a request came to, one that is not
// valid if that is a Unix socket.
func addrOf(at any) netip.Addr {
	tcp, ok := at.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return tcp.AddrPort().Addr().Unmap().WithZone("")
}

// sameHost reports whether two hosts of URLs are the same, with ports or without the one
// that goes with the scheme.
func sameHost(a, b, scheme string) bool {
	return strings.EqualFold(withPort(a, scheme), withPort(b, scheme))
}

var ports = map[string]string{"http": "80", "https": "443"}

func withPort(host, scheme string) string {
	u := url.URL{Host: host}
	return net.JoinHostPort(strings.TrimSuffix(u.Hostname(), "."), cmp.Or(u.Port(), ports[scheme]))
}

// hostname returns a host without its port.
func hostname(host string) string {
	u := url.URL{Host: host}
	return strings.TrimSuffix(u.Hostname(), ".")
}

// loopback reports whether a host is this machine itself.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(hostname(host))
	return strings.EqualFold(hostname(host), "localhost") || err == nil && ip.Unmap().IsLoopback()
}
