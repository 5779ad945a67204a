package site

import (
	"slices"
	"sync"
)

// maxCached is the maximum size in bytes of what a cache has.
const maxCached = 8 << 20

// recent caches what was made for recent requests.
type recent[K comparable] struct {
	mu     sync.Mutex
	cached map[K]cached
	order  []K // oldest first
	size   int
}

type cached struct {
	value any
	cost  int
}

// find returns what is cached, nil if nothing is.
func (r *recent[K]) find(key K) any {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cached[key].value
}

// keep caches what takes about cost bytes, and drops the oldest above the limit.
func (r *recent[K]) keep(key K, made any, cost int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, exists := r.cached[key]; exists || cost > maxCached {
		return
	}
	if r.cached == nil {
		r.cached = map[K]cached{}
	}
	r.cached[key] = cached{made, cost}
	r.order, r.size = append(r.order, key), r.size+cost
	for r.size > maxCached {
		r.forget(r.order[0])
		r.order = r.order[1:]
	}
}

// drop drops what matches.
func (r *recent[K]) drop(matches func(K) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.order = slices.DeleteFunc(r.order, func(key K) bool {
		gone := matches(key)
		if gone {
			r.forget(key)
		}
		return gone
	})
}

func (r *recent[K]) forget(key K) {
	r.size -= r.cached[key].cost
	delete(r.cached, key)
}
