package main

import (
	"cmp"
	"regexp"
	"strings"

	"rulestore/content"
)

// markup matches what Markdown, or a host that renders it, could interpret in the middle of a
// line: markup, HTML and entities, a link, a mention, a reference to an issue or a label, an
// emoji, a formula.
var markup = regexp.MustCompile("[]`*_~\\[<>&\\\\|@#$!%^{}]|:\\S|:$|www\\.|[A-Za-z]-\\d")

// escapeText writes a text by others into a line of Markdown: unchanged if it is plain, else as code, in
// which nothing is interpreted.
func escapeText(s string) string {
	if s = content.Printable(s); s == "" || markup.MatchString(s) {
		return codeSpan(s)
	}
	return s
}

// codeSpan writes a text by others as code that cannot be closed by it, nor end a cell of a table.
func codeSpan(s string) string {
	return "`" + strings.NewReplacer("`", "'", "|", "¦").Replace(cmp.Or(content.Printable(s), " ")) + "`"
}
