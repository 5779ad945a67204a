// Package export writes a site as files, so that a plain web server or a store of objects
// answers what can be answered without a question: items, versions, lists, sections and
// briefs of what is current, records, periods, Markdown, pages, feeds, the log with its
// proofs, the description of the interface.
//
// What is asked of the service itself (search, filters, other days, calculations, assistants,
// citations, comparisons, what depends on what, health) is not in an export. Pages lead there
// all the same: the settings in scripts/deploy/export say that files have no answer, or pass
// such requests on to a service.
//
// # Names
//
// A file is named as the address ([Files]). An address that has several forms, or whose
// form its name does not say, gets the ending of the form:
//
//	/api/v1/guidelines/a.001              api/v1/guidelines/a.001.json  .md  .html
//	/api/v1/guidelines/a.001?view=brief   api/v1/guidelines/a.001~brief.json  .md
//	…?section=rules/first                 api/v1/guidelines/a.001~section/rules/first.json  .md
//	/                                     index.json  .html
//	/llms.txt                             llms.txt
//
// Beside a file of more than a kilobyte stand the same bytes as .br, .zst and .gz, where
// these are shorter.
//
// # Time
//
// An export is a function of the site: the same site makes the same bytes. Where an answer
// says when it was given (fetched_at), a file says when what it holds was last changed.
//
// # A generation and a pointer
//
// The folder has two trees of files, a and b, and the link current to the one that is to be
// served ([Writer.Write]). The other one is brought up to date and takes its place, so that
// readers see one state or the other, and a publication costs what it changes. Files that
// are the same in both are the same file. A tree lists its files with their checksums in
// export.json, which goes into it last. Writers take turns by the file .lock.
package export
