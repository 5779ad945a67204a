package clients

import (
	"net/http"
	"net/netip"
	"strings"
)

// Proxies are the networks of trusted proxies, whose X-Forwarded-For is used.
type Proxies []netip.Prefix

// Sender returns the address that a request comes from, without the host part of IPv6: the peer
// or, if that is a proxy, the last address before it that is not one. It is not valid if the
// peer has no address, such as a Unix socket.
func (p Proxies) Sender(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	sender := p.forwarded(r.Header["X-Forwarded-For"], peer.Addr().Unmap())
	if sender.Is6() {
		return netip.PrefixFrom(sender.WithZone(""), 64).Masked().Addr()
	}
	return sender
}

// forwarded returns the last address before the proxies. What earlier addresses claim is not
// trusted, and an invalid address ends the search.
func (p Proxies) forwarded(lines []string, peer netip.Addr) netip.Addr {
	last := peer
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

func (p Proxies) has(a netip.Addr) bool {
	for _, network := range p {
		if network.Contains(a.WithZone("")) {
			return true
		}
	}
	return false
}
