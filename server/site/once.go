package site

import (
	"sync"

	"rulestore/content/crash"
)

// once runs a function once. If it panics, so does every later call, with the same error.
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
