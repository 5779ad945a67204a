// Package verify checks from the outside that a server serves what was published, as its readers
// rely on it. It needs nothing but the address; a repository or the policy of the log say more.
//
// # What is checked
//
//   - Every publication that the server lists at /api/v1/checksums: the checksum recomputed from
//     its JSON, by the project's own recipe, equals that of the list, of content_checksum and of
//     X-Content-Checksum; version, date and algorithm are those of the list; a redacted version
//     answers 410 with its checksum.
//   - The addresses without a version serve listed publications, and what is upcoming has the checksums
//     that it says.
//   - With a repository: the same publications with the same checksums, dates and statuses, nothing
//     else, and the current version of each item.
//   - With a policy and the head that was seen last: the signed log (ledger.go). The head has the
//     signatures that the policy requires and is recent; the leaves have its root, and extend the head
//     seen last; what is listed is a leaf, and what is a leaf is listed, unless a mark among the leaves
//     or its day explains it; tiles and proofs match. This finds rollbacks, rewritten branches, split
//     views, hidden versions, and versions that nobody sealed. A publication that is not signed yet
//     is a difference: verify after signing.
//
// Bytes that no checksum covers are not checked: Markdown, pages, lists, searches, calculations and MCP; nor
// are codings, headers and conditions, which are up to proxies.
//
// An export that a plain web server or a store serves is checked the same way, but that a redacted version
// is 404, which the list of the item's versions has to explain. Redirects are not followed. A server with
// drafts is not verified.
//
// # A server is not trusted
//
// Its numbers and names are validated before they are used, and requests are sent in random order.
// Everything that it sends is limited:
//
//   - the list of publications to 64 MiB; entries that the repository does not have are reported
//     and not fetched, and without a repository more than 100,000 are refused;
//   - the log to 1,048,576 leaves of 256 MiB, and half a second on average for 256 of them;
//   - a response to 16 MiB and 1 KiB for each publication, its headers to 64 KiB;
//   - all responses together to 1 GiB, and 256 KiB on average beyond;
//   - a request to [Config.Timeout], a busy server to four of them, all of them to
//     half a second on average, eight at a time, and to an hour;
//   - 20 failed requests end the run, and of the differences 1,000 are kept
//     and the others counted.
package verify
