// Package lsp serves editors by the Language Server Protocol: what validate finds
// while one types, and what the schemas, the records and the items are called.
//
// # One check, one index
//
// Nothing is judged here. A file is checked by content/check, as loader.TreeReader
// reads it; a folder is reviewed by loader.Tree; what a draft would become is what
// change.Publish says; names and who names them come from check.File. What is typed
// and not saved counts in place of what is saved, in all of it.
//
// # Twice, soon and whole
//
// A file that is typed is checked at once, with all other files in view but not looked
// into ([folder.recheck]); a moment after the last keystroke the folder is read again and
// reviewed as a whole, with what is published ([folder.pass]). What only the whole
// review finds in a file is kept between the two, so that no finding flickers.
//
// # Where the cursor is
//
// While somebody types, a file can hardly ever be read. So nothing that the cursor
// asks for needs a parser: an [outline] says by the indentation of the lines which
// value of which field is there, and the schema says what may stand in it.
//
// # Requests and state
//
// Messages are taken one after the other; a request takes note of the document as it
// is, lets the next message be read, and is answered from a [view], which never
// changes. A crash is the error of one request. Nothing is ever written to the disk:
// edits are offered, and the editor makes them.
package lsp
