package site

import (
	"sync"

	"rulestore/content/crash"
)

// once does something once. Where that crashed there is nothing to go on with, so it
// is the same crash for everybody who comes later.
type once struct {
	sync.Once
	crash error
}

func (o *once) Do(f func()) {
	o.Once.Do(func() { o.crash = crash.Do(f) })
	if o.crash != nil {
		panic(o.crash)
	}
}
