// Package page makes the pages that people see in a browser: HTML from plain
// data, without a word of where the data is from.
//
// # What goes in
//
// A [Frame] is what all pages of a service share: its name, the navigation, the
// address below which everything lies. [Frame.Render] puts a [Page] into it: an
// [Item], a [List], a [Registry] … A page is a struct of texts, and the template
// of the same name in the folder templates says how it looks.
//
// # What comes out
//
// Everything that comes from content is hostile until it is escaped, so there are
// two ways in and no third: html/template, which escapes by context, and [Draw],
// which makes HTML of the tree of an item: each value by its type, each section under
// its address as an anchor, with links to http and https only. Answers of calculations
// are trees too ([Result]). Characters that turn the direction of the text around are
// written out (U+202E), wherever they stand: a title must not be able to make another
// one of what follows it.
//
// What a preview finds in a text is a [Remark]: it stands behind the value that its
// pointer leads to, and the list at the top of the page leads there.
//
// A page stays below 100 KB: of a long list it has as many parts as fit ([Fitting]),
// and a [Pager] leads to the others. Of a long text it has as many sections as fit, and
// links to the others, each of which has a page of its own.
//
// Pages work under [Policy]: no inline script, no inline style, no other host.
// Everything but live reload works without script; the script makes it quicker.
//
// # Looks
//
// One stylesheet and one script, embedded and served under the hash of what they
// are ([Assets]). Sizes and colours are variables at the top of the stylesheet;
// the dark ones answer to prefers-color-scheme. A page has to be readable on a
// phone, in print, by a screen reader and with the keyboard alone (WCAG 2.2 AA).
package page
