package loader

import (
	"maps"
	"sync"

	"rulestore/content"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// state is what the last successful load came to, from which the next one goes on; empty before the first. A
// new loader comes to the same: it saves work alone. Contrary to what the [cache] has, it is only true of the
// history that was loaded.
type state struct {
	head     git.OID
	outcomes map[string]*outcome // by item
	snapshot *content.Snapshot
	history  *git.History
	settings content.Settings
	work     *worktree.Content // see [Loader.ReviewDrafts]

	missed string // the state in which the last load, successful or not, repeatedly found objects missing
}

// remember keeps what the next load can reuse, after this one has succeeded.
func (l *Loader) remember(fs *facts, all []*outcome, snapshot *content.Snapshot) {
	before, outcomes := l.state.outcomes, make(map[string]*outcome, len(all))
	for _, o := range all {
		outcomes[o.item] = o
	}
	l.cache.rotate(func(item string) bool { return before[item] == nil || before[item] != outcomes[item] })
	l.state = &state{
		fs.refs.Commit, outcomes, snapshot, fs.history, fs.settings, fs.work, l.state.missed,
	}
}

// memo caches values that are functions of immutable inputs, by key: one that two successive loads do not use is
// evicted. It is safe for concurrent use.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]*remembered[V]
	load  int // that is under way
}

// remembered is a value, and the last load that used it.
type remembered[V any] struct {
	value V
	used  int
}

// get returns the cached value of a key.
func (m *memo[K, V]) get(key K) (value V, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.known[key]
	if ok {
		r.used, value = m.load, r.value
	}
	return value, ok
}

// keep caches a value, unless another goroutine was faster, and returns the cached one.
func (m *memo[K, V]) keep(key K, v V) V {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[K]*remembered[V]{}
	}
	if m.known[key] == nil {
		m.known[key] = &remembered[V]{v, m.load}
	}
	return m.known[key].value
}

// rotate ends a load, and reports whether anything is still cached.
func (m *memo[K, V]) rotate() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.known, func(_ K, r *remembered[V]) bool { return r.used < m.load })
	m.load++
	return len(m.known) > 0
}

// cache has values derived from immutable objects: blobs, tags, and commits with all that they are made
// of. It grows during a load, and a failed load leaves it to the next. It saves time, and never changes
// the result of a load.
type cache struct {
	verdicts   memo[git.OID, verdict] // on signatures
	lifecycles memo[git.File, *lifecycle]
	files      map[string]*memo[git.OID, *itemFile] // by item: outcomes that are reused do not ask for theirs

	// What has to last longer than two loads, since later ones continue from there.
	walker *git.Walker
	tags   []*ref // of the last load, by name
	seals  *sealHistory
	log    logMemo
}

func newCache() *cache {
	walker := git.NewWalker(worktree.Followed)
	walker.Name = content.PlainPath
	return &cache{
		walker: walker,
		files:  map[string]*memo[git.OID, *itemFile]{},
		seals:  newSealHistory(),
	}
}

// filesOf returns the files of an item, by content.
func (m *cache) filesOf(item string) *memo[git.OID, *itemFile] {
	files := m.files[item]
	if files == nil {
		files = &memo[git.OID, *itemFile]{}
		m.files[item] = files
	}
	return files
}

// rotate ends a successful load. Only items that it used are kept.
func (m *cache) rotate(used func(item string) bool) {
	for item, files := range m.files {
		if used(item) && !files.rotate() {
			delete(m.files, item)
		}
	}
	m.verdicts.rotate()
	m.lifecycles.rotate()
}
