// Package clients identifies the client of a request, checks whether the request is meant for this
// service, and shares limited resources among clients: connections, bodies in
// transit, sessions and streams.
//
// # Identity of a client
//
// A client is an IPv4 address, or an IPv6 network /64, since its owner chooses the
// rest of the address freely. It is the peer of the connection. Only behind
// configured proxies it is taken from X-Forwarded-For, so that nobody can pretend to be
// many clients, or another one ([Proxies]). Requests from a configured proxy without
// X-Forwarded-For, or from a Unix socket, may be from anybody: they have no client.
//
// # Target of a request
//
// A page that a user has open may send requests too, from the user's network: such a
// request is answered or rejected by its Host ([OwnHost]) and its Origin ([OwnOrigin]).
//
// # Shares
//
// A [Table] has a number of slots, each a [Place]. While some are free, a client gets as many
// as it asks for, up to the maximum for one client, and for one network /48, of connections
// ([Limits]): an address shared by many people, such as that of a proxy that is
// not configured, needs more of them. When none is free, a slot of the client with
// the most slots is evicted for one with fewer: first an idle one, then a slow one,
// and, for a client that would still have fewer afterwards, a busy one. The client with
// the most slots gets another only in exchange for an idle or slow one of its own, or for one
// that can be closed without loss, such as a connection between two requests. IPv6 networks /48
// are compared before the clients in them, since one owner may have all of
// its 65,536 networks /64. Slots without a client are counted one by one, and so are never the
// most.
//
// The fewer slots are free, the shorter the timeout for headers and bodies.
package clients
