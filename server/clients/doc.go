// Package clients tells who sends a request and whether it is meant for this service, and limits how
// many requests one address may send.
//
// The address of a client is the peer of its connection. Only behind configured proxies is it
// taken from X-Forwarded-For, so that nobody can pretend to be many clients, or another one
// ([Proxies]). Of an IPv6 address the first 64 bits count, since its owner chooses the rest.
//
// A page that a user has open may send requests too, from the user's network: such a request is
// answered or rejected by its Host ([OwnHost]) and its Origin ([OwnOrigin]).
package clients
