// Package export writes a site as files, so that a plain web server or an object store
// can answer every request without parameters: items, versions, lists, records, periods,
// Markdown, pages, feeds, the log with its proofs, the OpenAPI description.
//
// Requests that need the service (those with parameters, such as a section, a filter or as_of, search,
// calculations, MCP, citations, comparisons, health) are not in an export. Pages link to them
// all the same: the settings in scripts/deploy/export answer with a problem (400) that names the
// service, or pass such requests on to it. No file has a name that a request makes up.
//
// # Names
//
// A file is named like the address ([Files]). An address with several representations, or
// without an extension, gets the extension of the representation:
//
//	/api/v1/guidelines/a.001              api/v1/guidelines/a.001.json  .md  .html
//	/                                     index.json  .html
//	/llms.txt                             llms.txt
//
// A file of more than a kilobyte also has compressed copies, .br, .zst and .gz, where
// these are smaller.
//
// # Time
//
// An export is a function of the site: the same site gives the same bytes and times. In place of the
// time of the response (fetched_at), a file states the last change of what its content is made of: of
// its version, of all versions of an item or a kind, of everything that is published, or of a record and
// of what refers to it. So a publication changes no file that says nothing of it.
//
// # Headers
//
// The inventory states the headers of every response, and of each file those that it has besides
// or instead, for stores that keep headers with a file. _headers has those of whole folders, as
// hosts of static sites read them ([site.HostHeaders]). Web servers have settings of their own in
// scripts/deploy/export.
//
// # One generation and a link
//
// The folder has one tree of files, a or b, and the link current to it ([Writer.Write]). A publication
// writes the other one, in which files that do not change are hard links, switches the link, and deletes
// the tree before: readers see one state or the other, and what is redacted is in no copy. Files
// that are open can be read to their end. What an export leaves that ended before its time is
// deleted by the next one. In a tree, an item and its current version are hard links too. A tree lists its
// files with their checksums in export.json, which is written last. A file whose size or time is another
// than when it was written is written again; one in which only a byte has changed is
// found by `rulestore verify --static`, and all are written again without export.json. A tree is
// written again as a whole if it, or a folder in it, was replaced by a file or a link. Writers are
// serialized by the file .lock.
package export
