// Package lsp is a language server (Language Server Protocol): it shows the findings of validate
// while the author types, and the titles of fields, records and items.
//
// # Sources of results
//
// All results come from other packages. A file is checked by content/check, as loader.TreeReader
// reads it; a folder is reviewed by loader.Tree; the next version of a draft comes from
// change.Publish; names and their uses come from check.File. Everywhere unsaved
// text takes precedence over the saved file.
//
// # Two checks
//
// An edited file is checked at once, with the last known state of all other files
// ([folder.recheck]); after a debounce interval the folder is read again and
// reviewed as a whole, against what is published ([folder.pass]). Findings of the full
// review are kept between the two, so that they do not flicker.
//
// # The position of the cursor
//
// While somebody types, a file hardly ever parses. So requests at the
// cursor do not need a parser: an [outline] derives from the indentation of the lines which
// value of which field is at the position, and the schema says what is allowed there.
//
// # Requests and state
//
// Messages are processed in order; a request takes a snapshot of the document,
// lets the next message be read, and is answered from an immutable [view].
// A panic is the error of one request. The server changes no files.
package lsp
