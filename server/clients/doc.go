// Package clients says who sends a request and whether it is meant for this service,
// and shares among clients what there is only so much of: connections, bodies on their
// way, sessions and streams.
//
// # Who a client is
//
// A client is an address of IPv4, or a network /64 of IPv6, whose owner chooses the
// rest of the address freely. It is the peer of the connection. Only behind proxies
// that were named is it who X-Forwarded-For says, so that nobody can pretend to be
// many, or somebody else ([Proxies]). A named proxy that says nothing of the client,
// and a Unix socket, stand for anybody: what comes from them is of no client.
//
// # Whom a request is meant for
//
// A page that a user has open may send requests too, with the user's reach: what such a
// request is answered depends on the names that it gives for the service ([OwnHost]) and
// for the page ([OwnOrigin]).
//
// # Shares
//
// A [Table] has a number of places. As long as some are free, everybody gets as many
// as they like, up to what one client, and one network /48, may have of connections
// ([Limits]): an address that stands for many people, as that of a proxy that was
// not named, needs more of them than others. When none is free, who
// holds most makes room for who holds less: first what is idle, then what is slow,
// and, for a client that would still hold less afterwards, what is busy. Who holds
// most gets another place only for one of its own that is idle or slow, or for one that
// nobody misses, as a connection between two requests. Networks /48
// of IPv6 are compared before the clients in them, since one owner may have all of
// its 65,536 networks /64. What is of no client counts alone, and so never as most.
//
// Who sends headers or a body has the less time for it the fewer places are free.
package clients
