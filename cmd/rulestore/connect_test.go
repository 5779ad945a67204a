package main

import (
	"html"
	"regexp"
)

var (
	snippetIn   = regexp.MustCompile(`(?s)<code id="([^"]+)" data-language="([^"]+)">(.*?)</code>`)
	operationIn = regexp.MustCompile(`href="(/connect/api/[A-Za-z]+)"`)
)

// snippet is something to copy from a page.
type snippet struct{ page, id, language, code string }

// snippets are those of a page.
func (s *running) snippets(path string) (all []snippet) {
	s.Helper()
	for _, m := range snippetIn.FindAllStringSubmatch(string(s.mustGet(path, "text/html").body), -1) {
		all = append(all, snippet{path, m[1], m[2], html.UnescapeString(m[3])})
	}
	return all
}
