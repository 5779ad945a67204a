// Package verify proves from the outside that a running server serves what was
// published: it fetches every publication, recomputes its checksum with the
// project's own recipe, and compares it with what the server says and, where one
// is given, with what a repository publishes.
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
// # A server is not trusted
//
// Everything that it sends is limited in size and time, its numbers and names are
// checked before they are used, a redirect to another host is not followed, and a
// server that stops answering ends the run instead of every request waiting.
package verify
