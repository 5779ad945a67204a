// Package verify checks from the outside that a running server serves what was
// published: it fetches every publication, recomputes its checksum with the
// project's own recipe, and compares every response with the server's other responses
// and, if one is given, with a repository.
//
// # What is compared
//
// The server lists its publications at /api/v1/checksums. Each is fetched at its
// permanent path; the checksum recomputed from the body has to equal that of
// the list, of the field content_checksum and of the header X-Content-Checksum,
// and version, date and algorithm have to equal those of the list. A redacted
// version has to answer 410 with the checksum. With a repository, every
// publication in it has to be served with the same checksum and date, nothing
// else may be served, and the address of each item without a version has to serve the
// version that is current there. Entries of /api/v1/upcoming have to have the
// checksum of their body and, with a repository, to be the upcoming publications there.
//
// The checksum covers the author's fields, in JSON. For everything else,
// [Config.Expect] makes a server of the same repository in this process, and the
// responses of both have to be equal: status, headers and bytes, except
// for the time of the response and the name of the snapshot. This covers each version as JSON
// and as Markdown, and every other address as data and as a page, each content coding, HEAD,
// conditional and range requests, as_of, unpublished versions (views.go),
// each parameter of the OpenAPI description with values that occur in the content, the
// examples of each calculation (queries.go), and what assistants read and
// calculate, with sessions and without, with all tools and with the default
// ones (mcp.go, revision.go).
//
// Each version is always read as JSON. The rest is sampled, with a new random selection in each
// run, and the result says so: up to 5,000 publications
// each version as Markdown and 10,000 other responses; beyond, 1,000 responses in all other forms,
// of the addresses that belong to no version and of about 500 versions, and most requests
// accept no content coding. Then one wrong representation of one version may go unnoticed for
// many runs; a representation that is wrong everywhere does not. [Config.All] turns sampling off.
//
// Redirects are not followed, as the service has none.
// Every header is compared, whatever its name, except for those that proxies and caches
// usually add (compare.go lists them) and those in [Config.Between]; a header that only the
// server has and that occurs in many responses is listed once. Proxies may remove
// ETag and Last-Modified, add to Vary, ignore a condition and answer a range.
//
// In the health document, values that only the process has (times, how it watches, the error
// of its last load, findings that need earlier loads) have to be texts of the program
// in their format; everything else has to be what the repository determines (health.go). Such an
// error or finding is reported as a note.
//
// What a server states about itself (address, version, commit, branch) only selects the
// expectation, within what the operator, the repository and its own address allow. A server
// of an older commit of the same branch is checked against that commit; that it is
// behind is reported by the publications or, if they are equal, as a difference of its own.
//
// Without a repository (repeat.go) only the server's answers are compared with each other: each
// version as JSON, as Markdown, as a resource of MCP, in each content coding and, if it is current,
// at the address without a version; its Markdown with what its JSON renders to, if the server runs
// the same version of the program; the checksums in the list of an item's versions, and the
// checksums and titles in the list of a kind (shown.go), with those of the versions. Pages, notes,
// links, filters, searches, records, calculations, most headers, and the lists and tools of MCP are
// compared only with one. Neither is it found that an item is missing in the list of a kind, unless
// a log is checked.
//
// An answer whose coding is broken is a difference, also that of the list of publications, which is
// then read without a coding. An error of [Run] means that the server could not be reached, or does
// not answer as a rulestore does.
//
// # The log
//
// With [Config.Logs] the signed log of the server is checked, with a repository or without
// (ledger.go): the head has the signatures that the policy requires and is recent enough; the
// leaves that are served have its root; the log extends the head seen last. Every
// listed publication has to be a leaf with that checksum and date. Each seal among the leaves has
// to be listed, except for prereleases, for upcoming publications and for those with a mark
// void or redacted among the leaves; a missing one has to have been redacted, and the current
// version is no lower than the highest that no mark withdrew. The tiles and the proofs of all
// publications have to match the leaves, and a proof for a longer log than was read
// has to be consistent with it. Versions at the addresses of items, in lists of items and among
// the upcoming have to be sealed too. This detects a rollback, a
// rewritten branch, a head that is never updated, split views of one log, hidden
// versions, and versions that nobody sealed. A publication that is not signed yet is a
// difference: verify after signing. If the head is valid, it is passed to [Log.Remember], even
// if the responses are wrong.
//
// Each of several repositories has a log, which is read at its own path and held to its own
// policy (ledgers.go). The versions of an item belong to the first log that has any of them which
// was ever to be served: they have to be leaves of that log, and the answers have to name its
// repository. A later repository that seals a version of the same item seals nothing that has to
// be served. If a log does not hold, the publications are not checked against the others either,
// since nobody knows which of them they belong to.
//
// A server that shows drafts is not verified: its content is not published.
//
// # A server is not trusted
//
// Requests are sent in random order, with the headers of common clients, User-Agent
// included, so that the server cannot recognize them; a server that lies
// occasionally has many occasions to be detected. Its numbers and names are validated before
// they are used, and a server that stops responding ends the run instead of delaying every
// request. Everything that it sends is limited:
//
//   - the list of publications to 64 MiB; entries that the repository does not have are reported
//     and not fetched, and without a repository more than 100,000 are refused;
//   - the log to 1,048,576 leaves of 256 MiB, and half a second on average for 256 of them;
//   - a response to 256 KiB more than expected, or 16 MiB and 1 KiB for each publication
//     if nothing is expected, its headers to 64 KiB;
//   - all responses together to 1 GiB, and 256 KiB on average beyond;
//   - a request to [Config.Timeout], a busy server to four of them, all of them to
//     half a second on average, eight at a time, and to an hour;
//   - requests beside one for each version in JSON and Markdown to 10,000, unless
//     [Config.All] is set;
//   - 20 failed requests end the run, and of the differences 1,000 are kept
//     and the others counted.
package verify
