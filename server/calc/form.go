package calc

import (
	"regexp"
	"sync"
)

// A form is a regular expression that is compiled when a text is first matched with it. All
// those of this package together would be a fifth of the time that a process takes to start.
type form struct {
	text     string
	compiled func() *regexp.Regexp
}

func newForm(text string) form {
	return form{text, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

func (f form) matches(text string) bool { return f.compiled().MatchString(text) }
func (f form) String() string           { return f.text }
