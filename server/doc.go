// Package server answers HTTP requests from the current site.
//
// A request first asks the site for its path: what is there is prepared and
// only has to be negotiated, validated and copied. Everything else (lists with
// a query, health, paths that do not exist) goes through the router.
//
// What is posted to a tool of the calculation engine is answered by the engine,
// with the calendars of that site, and kept nowhere.
//
// Who prefers text/html to JSON, as browsers do, gets pages: resources have theirs
// from the site, health, problems and comparisons are made here. For them a form's
// empty fields are no parameters, and format=json leads to the data. With drafts a
// page waits for changes as server-sent events (preview.go).
//
// What a client sends and holds is bounded around the handler: its requests by [Rate],
// connections and bodies by package clients.
//
// # Drafts are private
//
// A site with drafts is for its authors (private.go). Nothing of it may be kept
// (no-store; the answer to a form only by the browser that sent it) or embedded elsewhere (Cross-Origin-Resource-Policy), there is no CORS,
// and 403 answers a request whose Host is none of the service's own names
// ([clients.OwnHost]: loopback, the address that was reached, that of --addr, and the host of
// the base URL), one with an Origin that is another, and what a page of another site
// loads without asking. A link from elsewhere may be followed.
//
// Every response, errors included, carries the headers of [common] and the name
// of the snapshot it was made from. Every error is a problem document (RFC
// 9457). Nothing of a request is logged but what the operator needs to find a
// crash: never a query string or a body.
package server
