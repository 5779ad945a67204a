package server_test

import (
	"net/url"
	"regexp"
)

var sectionIn = regexp.MustCompile(`Раздел: <a href="([^"]*)">([^<]+)</a>`)

// searchPath asks for a question.
func searchPath(words string) string { return "/api/v1/search?q=" + url.QueryEscape(words) }
