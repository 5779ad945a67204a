package site

import (
	"sync"

	"rulestore/content/crash"
)

// maxCached is the maximum size of what a cache has, in bytes.
const maxCached = 8 << 20

// recent caches what was made for recent requests, of any type and under keys of any type.
type recent struct {
	mu     sync.Mutex
	cached map[any]cached
	order  []any // oldest first
	size   int
}

type cached struct {
	value any
	cost  int
}

// remembered returns what is cached under a key, else what make returns, with about its size in bytes. That is
// cached, and the oldest above the limit is dropped; what has the size 0 is not cached.
func remembered[T any](r *recent, key any, make func() (T, int)) T {
	r.mu.Lock()
	found, ok := r.cached[key]
	r.mu.Unlock()
	if ok {
		return found.value.(T)
	}
	made, cost := make()
	r.keep(key, cached{made, cost})
	return made
}

func (r *recent) keep(key any, made cached) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, exists := r.cached[key]; exists || made.cost == 0 || made.cost > maxCached {
		return
	}
	if r.cached == nil {
		r.cached = map[any]cached{}
	}
	r.cached[key] = made
	r.order, r.size = append(r.order, key), r.size+made.cost
	for r.size > maxCached {
		r.size -= r.cached[r.order[0]].cost
		delete(r.cached, r.order[0])
		r.order = r.order[1:]
	}
}

// once runs a function once. If it panics, so does every later call, with the same error.
type once struct {
	sync.Once
	crash error
}

// Do calls a function unless one was called before.
func (o *once) Do(f func()) {
	o.Once.Do(func() { o.crash = crash.Do(f) })
	if o.crash != nil {
		panic(o.crash)
	}
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
