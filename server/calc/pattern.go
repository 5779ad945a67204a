package calc

import (
	"regexp"
	"sync"
)

// A pattern is a regular expression that is compiled when a text is first matched with it. All
// those of this package together would be a fifth of the time that a process takes to start.
type pattern struct {
	text     string
	compiled func() *regexp.Regexp
}

func newPattern(text string) pattern {
	return pattern{text, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

func (p pattern) matches(text string) bool { return p.compiled().MatchString(text) }
func (p pattern) String() string           { return p.text }
