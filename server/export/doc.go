// Package export writes a site as files, so that a plain web server or an object store
// can answer every request without parameters: items, versions, lists, records, periods,
// Markdown, pages, feeds, the log with its proofs, the OpenAPI description. What needs the service
// (parameters, search, calculations, MCP, comparisons, health) is not in an export.
//
// A file is named like the address ([Files]). An address with several representations, or
// without an extension, gets the extension of the representation:
//
//	/api/v1/guidelines/a.001              api/v1/guidelines/a.001.json  .md  .html
//	/                                     index.json  .html
//	/llms.txt                             llms.txt
//
// A file of more than a kilobyte has compressed copies beside it, .br and .gz, where these are smaller.
//
// The same site gives the same bytes: in place of the time of the response (fetched_at), a file states
// the last change of what its content is made of.
//
// Each export writes a new folder, and then switches the link current to it and deletes the folder
// before ([Write]): readers see one state or the other, and what is redacted is in no copy.
package export
