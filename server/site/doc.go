// Package site makes a snapshot ready to serve: every resource by its path,
// with its bodies, validators and headers prepared, so that a request is a
// look-up and a copy.
//
// [Build] takes the site that is served now and a new snapshot. A resource
// whose publication, status and neighbours are unchanged is taken over as it
// is, so a swap costs what changed. A [Site] is immutable; one request reads
// one site, from its first byte to its last.
//
// # Calculations
//
// The registry of calculations depends on the build alone. Its tools count business
// days by the calendars of the snapshot, which are read when a site is built, and take
// what its parameters state ([Site.Facts]).
//
// # fetched_at
//
// A body says when the origin wrote it. That is the one thing that differs from
// answer to answer, so a [Body] is kept with the places where the time goes
// ([Body.Stamps]); the time has constant width, so lengths stay. The ETag is a
// hash of the body with the time blanked, and therefore weak.
//
// # Order
//
// JSON fields come in the order of the design's section 7: identity, version,
// status, what the author wrote in the order of the schema, dates, URL,
// algorithm and checksum, fetched_at.
//
// # Who names what
//
// What names a record or a calculation is said where that has an address of its own; what
// names an item is asked for (view=referenced_by), since an item is served with a checksum
// over all that its author wrote, and the recipe for it is published. It is no part of any
// version: it is made of what is current, after a swap, and what it is said of is made anew
// if it changed (naming.go).
//
// # The log
//
// [Config.Log] is the log of what the snapshot is from. A version says where its seal is in
// it; the tiles, the checkpoint and the proofs are made for the request, of hashes that are
// there. While the log only grows, pages are taken over as ever.
//
// # Pages
//
// Each resource is a page for people too: a last representation, text/html, which
// package page makes of plain data that is gathered here (html_*.go). It is made
// when somebody first looks, and is taken over by the next site like the others;
// since it also says what other versions there are and who refers to the item, it
// may be made anew where JSON and Markdown are not. What a page shows of a part,
// by filters, order or offset, is made for the request.
//
// The pages under [ConnectPath] say how to connect: settings of MCP clients
// ([Site.Clients]), the tools of assistants ([Config].Assistants), and each operation of
// package api with a request that this site answers (sampleOf), written in each language
// (call). They name the configured address, never one from a request. Where the site has
// nothing that an operation could be asked, its page says so.
//
// In a preview the page of a version says what is found in its file, and a file that
// no version is the text of has a page that programs do not see ([Site.Preview]).
package site
