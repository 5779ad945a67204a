package loader

import (
	"crypto/sha256"
	"sync"

	"rulestore/content"
	"rulestore/content/check"
)

// Cache has what files were found to hold, by their names and contents, so that none is
// checked twice: neither in the work tree and again where it is published, nor, if it is
// on disk, by the next run of the same program. It is safe for use by many goroutines,
// and by many programs.
//
// A repository's is in the folder rulestore of its git directory, which all of its work
// trees share. It can be deleted at any time. What cannot be read there, or is not what
// was written, is checked anew and replaced. It is as trustworthy as everything else in
// that directory: who can write there can have git run any program. A server uses none.
type Cache struct {
	store  *store
	shards [shardCount]shard
}

// cacheKey names a file with its content, as one build of the program checks it.
type cacheKey [sha256.Size]byte

// shard is a part of what there is: the keys decide which.
type shard struct {
	mu     sync.Mutex
	stored map[cacheKey][]byte // on disk
	order  []cacheKey          // in which they are stored
	fresh  map[cacheKey]check.Kept
	used   []cacheKey // in this run, each once
	known  map[cacheKey]bool
	opened bool
}

// NewCache returns an empty cache in memory.
func NewCache() *Cache { return &Cache{} }

// open is check.Open.
func (c *Cache) open(schemas content.Schemas, t content.Tag, raw []byte) check.File {
	key := c.key(t, raw)
	if kept, ok := c.lookup(key); ok {
		if f, err := kept.Open(t.Kind, t.Name, raw); err == nil {
			return f
		}
	}
	f := check.Open(schemas, t.Kind, t.Name, raw)
	c.keep(key, f)
	return f
}

// result is check.Item.
func (c *Cache) result(schemas content.Schemas, t content.Tag, raw []byte) check.Result {
	key := c.key(t, raw)
	if kept, ok := c.lookup(key); ok {
		return kept.Result()
	}
	f := check.Open(schemas, t.Kind, t.Name, raw)
	c.keep(key, f)
	return f.Result
}

// key names a file. Who checks it, is in the store that it is for.
func (c *Cache) key(t content.Tag, raw []byte) (key cacheKey) {
	h := sha256.New()
	h.Write([]byte(t.Kind.File(t.Name) + "\x00"))
	h.Write(raw)
	h.Sum(key[:0])
	return key
}

func (c *Cache) shard(key cacheKey) *shard { return &c.shards[key[0]%shardCount] }

// lookup returns what is known of a file.
func (c *Cache) lookup(key cacheKey) (kept check.Kept, ok bool) {
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load(c.store, key[0]%shardCount)
	if kept, ok = s.fresh[key]; ok {
		return kept, true
	}
	raw, ok := s.stored[key]
	if !ok || kept.UnmarshalBinary(raw) != nil {
		return kept, false
	}
	s.use(key)
	return kept, true
}

// keep remembers what a check came to.
func (c *Cache) keep(key cacheKey, f check.File) {
	kept, ok := f.Keep()
	if !ok {
		return
	}
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fresh == nil {
		s.fresh = map[cacheKey]check.Kept{}
	}
	s.fresh[key] = kept
	s.use(key)
}

func (s *shard) use(key cacheKey) {
	if s.known == nil {
		s.known = map[cacheKey]bool{}
	}
	if !s.known[key] {
		s.known[key], s.used = true, append(s.used, key)
	}
}
