package server

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// OwnHost reports whether the Host header of a request names this service: a page
// of an attacker whose name resolves to this machine (DNS rebinding) comes under
// that name. These names are the service's own:
//
//   - localhost and the addresses of the loopback interface, which no other name
//     can stand for,
//   - the address of this machine at which the request arrived, which is how a
//     listener on every address is asked by address,
//   - names, each a host with a port or without. An empty one is none, and an address
//     that stands for every one of the machine is none either.
//
// Ports do not count, since tunnels and containers change them; neither do case
// and a dot at the end.
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

// hostName returns a host without its port as it can be compared, "" if it names
// none: in lower case, in ASCII, an address in its one spelling and without a zone.
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

// hostOf returns the host of a URL with its port, the scheme's own if it names none,
// "" if it is no URL with a host.
func hostOf(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return ""
	case u.Port() != "":
		return u.Host
	case u.Scheme == "https":
		return u.Host + ":443"
	}
	return u.Host + ":80"
}
