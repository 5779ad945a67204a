package clients

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Proxies are the networks of trusted proxies, whose X-Forwarded-For is used.
type Proxies []netip.Prefix

// Sender returns the address that a request comes from, without the host part of IPv6: the peer
// or, if that is a proxy, the last address before it that is not one. It is not valid if the
// peer has no address, such as a Unix socket.
func (p Proxies) Sender(r *http.Request) netip.Addr { return owned(p.sender(r)) }

// Client returns the client of a request. It is not valid if it is unknown: the peer has no
// address, or a proxy does not name the client.
func (p Proxies) Client(r *http.Request) netip.Addr { return p.single(p.sender(r)) }

// Peer returns the client at the other end of a connection. It is not valid if it is unknown: a
// proxy, or a peer without an address.
func (p Proxies) Peer(conn net.Conn) netip.Addr {
	at, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return p.single(at.AddrPort().Addr().Unmap())
}

// sender returns the complete address that a request comes from.
func (p Proxies) sender(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	sender := peer.Addr().Unmap()
	if !p.has(sender) {
		return sender
	}
	return p.forwarded(r.Header["X-Forwarded-For"], sender)
}

// forwarded returns the last address before the proxies. What earlier addresses claim is not
// trusted, and an invalid address ends the search.
func (p Proxies) forwarded(lines []string, proxy netip.Addr) netip.Addr {
	last := proxy
	hops := strings.Split(strings.Join(lines, ","), ",")
	for i := len(hops) - 1; i >= 0 && p.has(last); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		last = hop.Unmap().WithZone("")
	}
	return last
}

// single returns the client of an address, none for that of a proxy.
func (p Proxies) single(a netip.Addr) netip.Addr {
	if p.has(a) {
		return netip.Addr{}
	}
	return owned(a)
}

func (p Proxies) has(a netip.Addr) bool {
	for _, network := range p {
		if network.Contains(a.WithZone("")) {
			return true
		}
	}
	return false
}

// owned returns an address without the part that its owner chooses freely.
func owned(a netip.Addr) netip.Addr {
	if !a.Is6() {
		return a
	}
	return netip.PrefixFrom(a.WithZone(""), 64).Masked().Addr()
}

// Network returns the largest network that one owner may have: the /48 of an IPv6 address, an
// IPv4 address itself.
func Network(a netip.Addr) netip.Prefix {
	return netip.PrefixFrom(a, min(a.BitLen(), 48)).Masked()
}
