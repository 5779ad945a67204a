package main

import (
	"cmp"
	"regexp"
	"strings"

	"rulestore/content"
)

// marked finds what Markdown, or one of the hosts that show it, could take for more
// than text in the middle of a line: markup, HTML and entities, a link, a mention, a
// reference to an issue or a label, an emoji, a formula.
var marked = regexp.MustCompile("[]`*_~\\[<>&\\\\|@#$!%^{}]|:\\S|:$|www\\.|[A-Za-z]-\\d")

// text writes what others wrote into a line of Markdown: as it is if it is plain, else
// as code, in which there is no markup, and nobody is mentioned or linked to.
func text(s string) string {
	if s = content.Printable(s); s == "" || marked.MatchString(s) {
		return code(s)
	}
	return s
}

// code writes what others wrote as code that cannot end early, not even a cell of a
// table.
func code(s string) string {
	return "`" + strings.NewReplacer("`", "'", "|", "¦").Replace(cmp.Or(content.Printable(s), " ")) + "`"
}
