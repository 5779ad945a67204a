package server_test

import (
	"regexp"
)

var (
	resultPart = regexp.MustCompile(`(?s)<section class="result text".*?<form class="calculation"`)
	notRead    = regexp.MustCompile(`(?s)<(pre|code)\b.*?</(pre|code)>`)
	noWords    = regexp.MustCompile(`<li>\s*<code>`)
	dayOrNo    = regexp.MustCompile(`\d\d\.\d{4}|\d+\.\d+\.\d+|п\. \d+\.\d+`)
	machine    = regexp.MustCompile(`.{0,40}(\d{4}-\d\d-\d\d|\d\.\d|[a-z]+_[a-z]+|\b(true|false|null|blocking|unknown)\b|(^|[^a-z])-\d).{0,40}`)
)
