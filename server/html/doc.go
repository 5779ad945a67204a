// Package html makes the HTML pages for browsers: templates over the trees of items and what a site has,
// for each request.
//
// # Input
//
// A resource of a site says what its page shows ([site.ShownVersion] and others), and [Page] makes it: a model
// for each kind of page ([Item], [List], [Search] …), a struct whose template has the same name in the folder
// templates. Titles of other items and references are read once for a site; nothing of a page is kept.
//
// # Escaping
//
// All content is hostile until it is escaped, so there are exactly two ways to render it:
// html/template, which escapes by context, and [Draw],
// which makes HTML from the tree of an item: each value by its type, each section with
// its address as an anchor, with links to http and https only. Characters that change the text direction are
// shown as their code (U+202E) everywhere, so that a title cannot change the display of
// the text after it.
//
// An item is whole on its page. Long lists and tables are divided by their number of rows, linked by a
// [Pager].
//
// The code of what has a title is an element of the class id: a switch on the page shows these.
//
// Pages conform to [assets.Policy]: no inline script, no inline style, no other host.
// Everything works without script; the script makes it quicker.
//
// # Appearance
//
// One stylesheet and one script are embedded and served under the hash of their content
// (package assets). Sizes and colours are variables at the top of the stylesheet;
// dark colours follow prefers-color-scheme. A page has to be readable on a
// phone, in print, with a screen reader and with the keyboard alone (WCAG 2.2 AA).
package html
