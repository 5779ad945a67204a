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

// lazy is a value that is made on first use. If making it panics, so does every use.
type lazy[T any] struct {
	once  once
	value T
}

func (l *lazy[T]) get(make func() T) T {
	l.once.Do(func() { l.value = make() })
	return l.value
}

// onceValue returns a function that makes a value on first use.
func onceValue[T any](make func() T) func() T {
	l := &lazy[T]{}
	return func() T { return l.get(make) }
}

// Do calls a function unless one was called before.
func (o *once) Do(f func()) {
	o.Once.Do(func() { o.crash = crash.Do(f) })
	if o.crash != nil {
		panic(o.crash)
	}
}
