// Package verify proves from the outside that a running server serves what was
// published: it fetches every publication, recomputes its checksum with the
// project's own recipe, and compares everything that is served with what the server
// says elsewhere and, where one is given, with what a repository publishes.
//
// # What is compared
//
// The server lists its publications at /api/v1/checksums. Each is fetched at its
// permanent path; its checksum is recomputed from the body and has to be that of
// the list, of the field content_checksum and of the header X-Content-Checksum,
// and version, date and algorithm have to be what the list says. A redacted
// version has to answer 410 with the checksum. With a repository, every
// publication there has to be served with the same checksum and date, nothing
// else may be, and the address of each item without a version has to serve the
// version that is current there. What is listed at /api/v1/upcoming has to have the
// checksum of the body beside it and, with a repository, to be what waits there.
//
// The checksum covers the words of the author, in JSON. For all the rest,
// [Config.Expect] makes a server of the same repository in this process, and its
// answers and those of the server have to be the same: status, headers and bytes, but
// for the time of the answer and the name of the snapshot. That is each version as JSON
// and as Markdown, and every other address as data and as a page, each coding, HEAD,
// conditional and partial requests, days, versions that nobody published (views.go),
// each parameter of the OpenAPI description with values that occur in the content, the
// examples of each calculation posted (queries.go), and what assistants read and
// calculate, with sessions and without, with all tools and with those that are there by
// default (mcp.go, revision.go).
//
// Each version is read as JSON, whatever there is. Of the rest as much is read as takes a
// moment, chosen at random, anew in each run, and the result says so: up to 5,000 publications
// each version as Markdown and 10,000 other answers; beyond, 1,000 answers in all other forms,
// of the addresses that belong to no version and of about 500 versions, and most requests
// accept no coding. One form of one version that is not what it should be may go unnoticed for
// many runs then; one form that never is, does not. [Config.All] leaves nothing out.
//
// The answer that counts is the first: no redirect is followed, as the service has none.
// Every header is compared, whatever it is called, but for those that proxies and caches
// add by custom (compare.go lists them) and those in [Config.Between]; one that only the
// server has and that stands in many answers is listed once. Proxies may leave out
// ETag and Last-Modified, vary by more, ignore a condition and answer a part.
//
// Of the health document, what the process alone knows (times, how it watches, an error
// of its last load, findings that need a memory) is put into the words of the program
// and is of its form; all else has to be what the repository determines (health.go). An
// error or a finding of that sort comes as a note.
//
// What a server names itself (address, version, commit, branch) only chooses what to
// expect, within what the operator, the repository and its own address allow. One that
// serves an older commit of the same branch is checked against that commit; that it is
// behind shows in the publications or, if nowhere else, as a difference of its own.
//
// Without a repository (repeat.go) the forms of each publication are checked against each
// other, and its Markdown against what its JSON renders to.
//
// # The log
//
// With [Config.Log] the signed log of the server is checked, with a repository or without
// (ledger.go): the head has the signatures that the policy asks for, not too old; the leaves
// that are served have its root; the head that was seen last is a beginning of it. All that
// is listed has to be a leaf with that checksum and date. Each seal among the leaves has to be
// listed so, but for prereleases, for what is published ahead and for what a mark among them
// calls void or redacted; what is gone has to be redacted by one, and what is current is no
// lower version than the highest that no mark took away. The tiles and the proofs of all
// publications have to be those of the leaves, and a proof for a longer log than was read
// has to go on from it. What is at the address of an item, in the lists of items and listed
// as upcoming has to be sealed too. What this finds: a rollback, a
// rewritten branch, a head that is served for ever, two views of one log, versions that are
// hidden, and such as nobody has sealed. What is published and not signed yet is a
// difference: verify after signing. Where the head is in order, [Log.Remember] gets it, even
// if what is served is not.
//
// A server that shows drafts is not verified: nobody has published what it serves.
//
// # A server is not trusted
//
// Requests come in random order, in the words of common clients and without a name
// of their own, so that there is nobody to tell another story; a server that lies
// now and then has many occasions to be found. Its numbers and names are checked before
// they are used, and a server that stops answering ends the run instead of every request
// waiting. Everything that it sends is limited:
//
//   - the list of publications to 64 MiB; what the repository does not have is reported
//     and not fetched, and without a repository more than 100,000 are refused;
//   - the log to 1,048,576 leaves of 256 MiB, and half a second on average for 256 of them;
//   - an answer to 256 KiB more than expected, or 16 MiB and 1 KiB for each publication
//     where nothing is, its headers to 64 KiB;
//   - all answers together to 1 GiB, and 256 KiB on average beyond;
//   - a request to [Config.Timeout], a server that is busy to four of them, all of them to
//     half a second on average, eight at a time, and to an hour;
//   - requests beside one for each version in JSON and Markdown to 10,000, unless
//     [Config.All] asks for everything;
//   - 20 requests that come to nothing end the run, and of the differences 1,000 are kept
//     and the others counted.
package verify
