// Package site prepares the responses of a snapshot: every resource by its path,
// with its bodies, validators and headers, so that a request is a
// look-up and a copy.
//
// [Build] takes the site that is served now and a new snapshot. A resource
// whose publication, status and neighbours are unchanged is reused, so the cost of a swap
// depends on what changed. A [Site] is immutable; one request reads
// one site, from its first byte to its last.
//
// # Calculations
//
// The registry of calculations depends on the build alone. Its tools count business
// days by the calendars of the snapshot, which are read when a site is built, and use
// the values of its parameters ([Site.Facts]).
//
// # fetched_at
//
// A body states the time of the response. It is the only value that differs between
// responses, so a [Body] is stored with the offsets of the time
// ([Body.Stamps]); the time has constant width, so lengths do not change. The ETag is a
// hash of the body with the time blanked, and therefore weak.
//
// # Order
//
// JSON fields are in the order of the design's section 7: identity, version,
// status, the author's fields in the order of the schema, dates, URL,
// algorithm and checksum, fetched_at.
//
// # References to a resource
//
// The references to a record or a calculation are part of its response; those to an
// item are requested separately (view=referenced_by), since the response of an item is covered
// by a checksum over all that its author wrote, and the recipe is published. They belong
// to no version: they are computed from the current items after a swap, and the resources whose
// references changed are made again (references.go).
//
// # The log
//
// [Config.Log] is the log of the snapshot's repository. A version states the index of its seal in
// it; tiles, the checkpoint and proofs are made per request from stored hashes.
// While the log only grows, resources are reused.
//
// # Pages
//
// Most resources also have a page for people, which package html makes for each request of what
// [Resource.Shows] says, and of the site that answers it.
// Nothing of a page is kept.
package site
