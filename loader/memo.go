package loader

import (
	"sync"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/log"
	"rulestore/loader/gitrepo"
)

// memo remembers what was found out of something that never changes, by key, as long as
// each load asks for it again: what two loads in a row do not ask for is dropped. It is
// safe for use by many goroutines.
type memo[K comparable, V any] struct {
	mu     sync.Mutex
	before map[K]V // kept by loads that ended
	now    map[K]V // asked for or kept since
}

// get returns what is remembered of a key.
func (m *memo[K, V]) get(key K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.now[key]
	if ok {
		return v, true
	}
	if v, ok = m.before[key]; ok {
		m.put(key, v)
	}
	return v, ok
}

// keep remembers a value, unless another goroutine was quicker, and returns what is
// remembered.
func (m *memo[K, V]) keep(key K, v V) V {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known, ok := m.now[key]; ok {
		return known
	}
	m.put(key, v)
	return v
}

func (m *memo[K, V]) put(key K, v V) {
	if m.now == nil {
		m.now = make(map[K]V, len(m.before))
	}
	m.now[key] = v
}

// turn ends a load, and reports whether anything is still remembered.
func (m *memo[K, V]) turn() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.before, m.now = m.now, nil
	return len(m.before) > 0
}

// memos is what was read and found out of objects that never change. It grows while a load
// is under way, and a load that fails leaves it to the next. It saves time, and changes
// nothing of what a load comes to.
type memos struct {
	walker   *gitrepo.Walker
	items    *items
	opened   *openedFiles
	tags     []*ref // as read last, by name
	seals    sealLog
	stood    lastSeals                            // what stood in files of seals
	verdicts memo[gitrepo.OID, verdict]           // on signatures
	verified map[log.Leaf]string                  // who made approvals, "" nobody who counts
	codes    map[*content.Publication]check.Codes // of what was current last
}

func newMemos(c Config) *memos {
	walker := gitrepo.NewWalker(followed)
	walker.Name = content.Plain
	if c.Cache != nil {
		walker.Kept = c.Cache
	}
	return &memos{
		walker:   walker,
		items:    &items{of: map[string]*memo[gitrepo.OID, *item]{}},
		opened:   &openedFiles{Config: c},
		stood:    newLastSeals(),
		verified: map[log.Leaf]string{},
	}
}

// turn ends a load that succeeded. Of items, only those were asked for that it looked at.
func (m *memos) turn(looked func(item string) bool) {
	m.items.turn(looked)
	m.opened.known.turn()
	m.verdicts.turn()
	m.walker.Forget()
}
