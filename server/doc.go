// Package server answers HTTP requests from the current site.
//
// A request is first looked up in the site by its path: a resource that is found is prepared, and
// the request only takes content negotiation, the evaluation of conditions and a copy.
// Everything else (lists with a query, health, unknown paths) goes through the router.
//
// A POST to a tool of the calculation engine is answered by the engine, with the calendars of
// that site, and is not stored.
//
// Clients that prefer text/html to JSON, as browsers do, get pages: the pages of resources are
// part of the site; those of health, problems and comparisons are made here. For pages, empty
// fields of a form are ignored, and format=json selects the data.
//
// Package clients limits the requests of an address.
//
// # Drafts are private
//
// A site with drafts is for its authors (private.go). Its responses may not be stored
// (no-store; the answer to a form only by the browser that sent it) or embedded by other origins
// (Cross-Origin-Resource-Policy), there is no CORS, and 403 answers a request whose Host is not
// one of the service's own names ([clients.OwnHost]: loopback, the address of the connection,
// that of --addr, and the host of the base URL), a request with a foreign Origin, and subresource
// requests of pages of other sites. Following a link from elsewhere is allowed.
//
// # Every response
//
// Every response, errors included, has the headers of [common] and the name
// of the snapshot that it was made from. Every error is a problem document (RFC
// 9457). Of a request only what the operator needs to find a crash is logged: never a
// query string or a body.
package server
