package clients

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// OwnHost reports whether the Host header of a request names this service. A page of an
// attacker whose name resolves to this machine (DNS rebinding) sends that name. The service's
// own names are:
//
//   - localhost and the addresses of the loopback interface, which cannot be rebound,
//   - the address of this machine at which the request arrived, for listeners on all addresses,
//   - names, each a host with an optional port. Empty names and unspecified addresses are
//     ignored.
//
// Ports are not compared, since tunnels and containers change them; neither are case and a
// trailing dot.
func OwnHost(r *http.Request, names ...string) bool {
	asked := hostName(r.Host)
	if asked == "" {
		return false
	}
	for _, name := range names {
		if hostName(name) == asked {
			return true
		}
	}
	ip, err := netip.ParseAddr(asked)
	if err != nil {
		return asked == "localhost"
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ip.IsLoopback() || local != nil && hostName(local.String()) == asked
}

// hostName returns a host without its port in a form for comparison, "" if there is none: in lower
// case and in ASCII, an address in its canonical form without a zone.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip.IsUnspecified() {
			return ""
		}
		return ip.Unmap().WithZone("").String()
	}
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	return strings.ToLower(host)
}

// OwnOrigin reports whether a request has no Origin header, or one that equals the address of
// the request or base, the service's base URL: browsers send it for pages of other sites, which
// cannot suppress it.
func OwnOrigin(r *http.Request, base string) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	asked := &url.URL{Scheme: u.Scheme, Host: r.Host} // a proxy may terminate TLS, so the scheme is unknown
	return sameHost(u, asked) || sameHost(u, parsed(base))
}

// Host returns the host of a URL, "" if the text is not a URL with a host.
func Host(address string) string { return parsed(address).Host }

func parsed(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		return &url.URL{}
	}
	return u
}

// sameHost reports whether two URLs have the same host and port.
func sameHost(a, b *url.URL) bool {
	return strings.EqualFold(withPort(a), withPort(b))
}

var ports = map[string]string{"http": "80", "https": "443"}

// withPort returns the host of a URL with its port, that of the scheme by default.
func withPort(u *url.URL) string {
	return net.JoinHostPort(strings.TrimSuffix(u.Hostname(), "."), cmp.Or(u.Port(), ports[u.Scheme]))
}
