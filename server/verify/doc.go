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
// version that is current there.
//
// The checksum covers the words of the author, in JSON. For all the rest,
// [Config.Expect] makes a server of the same repository in this process, and its
// answers and those of the server have to be the same bytes, but for the time of the
// answer and the name of the snapshot: each version as JSON and as Markdown, and
// (views.go, mcp.go) every other address as data and as a page, each coding, HEAD and
// conditional requests, days, searches, versions that nobody published, and what
// assistants read. Of a large repository the latter are chosen at random, anew in each
// run. Of the headers those are compared that say something of content.
//
// What a server names itself (address, version, commit, branch) only chooses what to
// expect, within what the operator, the repository and its own address allow. One that
// serves an older commit of the same branch is held against that commit; that it is
// behind shows in the publications or, if nowhere else, as a difference of its own.
//
// Without a repository (repeat.go) the forms of each publication are held against each
// other, and its Markdown against what its JSON renders to.
//
// # A server is not trusted
//
// Requests come in random order, in the words of common clients and without a name of
// their own, so that there is nobody to tell another story; a server that lies now and
// then has many occasions to be found. Everything that it sends is limited in size and
// time, one by one and together, its numbers and names are checked before they are
// used, a redirect to another origin is not followed, and a server that stops
// answering ends the run instead of every request waiting.
package verify
