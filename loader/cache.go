package loader

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"io"
	"sync"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
)

// Cache has the results of checking files, by their names and contents, so that no file is
// checked twice: neither in the work tree and again where it is published, nor, if the cache is
// on disk, by the next run of the same program, which does not read it from the history either.
// It also has the changes of commits, checksums and the codes that publications refer to. It is
// safe for concurrent use by goroutines and by processes.
//
// A repository's cache is in the folder rulestore of its git directory, which all of its work
// trees share. It can be deleted at any time. Entries that are unreadable or corrupt are
// computed again and replaced. Cached objects are not read again, so the loss of an object of
// the history is found only by git fsck, or without the cache. It is as trustworthy as
// everything else in that directory: whoever can write there can have git run any program. A
// server uses none.
type Cache struct {
	store  *store
	shards [shardCount]shard
}

// cacheKey identifies a cached result: of a file by its name and content, of two trees, or of a
// publication. The program that computed it is part of the store.
type cacheKey [sha256.Size]byte

// keyOf returns the key for a type of result and its parts.
func keyOf(sort string, parts ...[]byte) (key cacheKey) {
	h := sha256.New()
	for _, p := range append([][]byte{[]byte(sort)}, parts...) {
		h.Write(binary.AppendUvarint(nil, uint64(len(p))))
		h.Write(p)
	}
	h.Sum(key[:0])
	return key
}

// shard is a part of the cache, selected by the key.
type shard struct {
	mu     sync.Mutex
	stored map[cacheKey][]byte // on disk
	order  []cacheKey          // of storage
	fresh  map[cacheKey]encoding.BinaryAppender
	used   []cacheKey // in this run, without duplicates
	known  map[cacheKey]bool
}

// NewCache returns an empty cache in memory.
func NewCache() *Cache { return &Cache{} }

// open is check.Open, with the cache if there is one.
func (c *Cache) open(schemas content.Schemas, t content.Tag, raw []byte) check.File {
	if c == nil {
		return check.Open(schemas, t.Kind, t.Name, raw)
	}
	key := fileCacheKey(t, raw)
	if kept, ok := recallFromCache[check.Kept](c, key); ok {
		if f, err := kept.Open(t.Kind, t.Name, raw); err == nil {
			return f
		}
	}
	return c.check(schemas, t, raw, key)
}

// result is check.Item of a file in the history, with the cache if there is one.
func (c *Cache) result(schemas content.Schemas, t content.Tag, blob git.OID, raw []byte) check.Result {
	if c == nil {
		return check.Item(schemas, t.Kind, t.Name, raw)
	}
	key := fileCacheKey(t, raw)
	c.keep(blobCacheKey(t, blob), storedFile{key, len(raw)})
	if kept, ok := recallFromCache[check.Kept](c, key); ok {
		return kept.Result()
	}
	return c.check(schemas, t, raw, key).Result
}

// published is result for a file whose content need not be read again, not ok if it has to be;
// size is that of the file in bytes.
func (c *Cache) published(t content.Tag, f git.File) (found check.Result, size int, ok bool) {
	if c == nil || !f.Mode.IsFile() {
		return check.Result{}, 0, false
	}
	file, ok := recallFromCache[storedFile](c, blobCacheKey(t, f.OID))
	if !ok {
		return check.Result{}, 0, false
	}
	kept, ok := recallFromCache[check.Kept](c, file.key)
	return kept.Result(), file.size, ok
}

// check checks a file, and caches the result.
func (c *Cache) check(schemas content.Schemas, t content.Tag, raw []byte, key cacheKey) check.File {
	f := check.Open(schemas, t.Kind, t.Name, raw)
	if kept, ok := f.Keep(); ok {
		c.keep(key, kept)
	}
	return f
}

func fileCacheKey(t content.Tag, raw []byte) cacheKey {
	return keyOf("file", []byte(t.Kind.File(t.Name)), raw)
}

// blobCacheKey returns the key for the file of an item with a content in the repository. What is
// cached of it is the key by its bytes, which a file in the work tree has too.
func blobCacheKey(t content.Tag, blob git.OID) cacheKey {
	return keyOf("blob", []byte(t.Kind.File(t.Name)), blob[:])
}

// storedFile is the key of a file in the history, and its size in bytes.
type storedFile struct {
	key  cacheKey
	size int
}

// AppendBinary implements [encoding.BinaryAppender].
func (s storedFile) AppendBinary(dst []byte) ([]byte, error) {
	return binary.AppendUvarint(append(dst, s.key[:]...), uint64(s.size)), nil
}

// UnmarshalBinary implements [encoding.BinaryUnmarshaler].
func (s *storedFile) UnmarshalBinary(raw []byte) error {
	size, n := binary.Uvarint(raw[copy(s.key[:], raw):])
	if s.size = int(size); n <= 0 || size > check.MaxSize {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// codes is check.CodesOf of a publication.
func (c *Cache) codes(schemas content.Schemas, p *content.Publication) check.Codes {
	if c == nil {
		return check.CodesOf(schemas, p.Kind, p.Name, p.Body())
	}
	key := keyOf("codes", []byte(p.Kind.File(p.Name)), []byte(p.Checksum))
	codes, ok := recallFromCache[check.Codes](c, key)
	if !ok {
		codes = check.CodesOf(schemas, p.Kind, p.Name, p.Body())
		c.keep(key, codes)
	}
	return codes
}

// checksum returns the checksum of a file's content under a version.
func (c *Cache) checksum(t content.Tag, blob git.OID, body content.Object) (string, error) {
	if c == nil {
		return content.Checksum(content.Identified(t.Kind, t.Version, body))
	}
	key := keyOf("checksum", []byte(t.String()), blob[:])
	if sum, ok := recallFromCache[checksum](c, key); ok {
		return string(sum), nil
	}
	sum, err := content.Checksum(content.Identified(t.Kind, t.Version, body))
	if err == nil {
		c.keep(key, checksum(sum))
	}
	return sum, err
}

// checksum is a checksum in its stored form.
type checksum string

// AppendBinary implements [encoding.BinaryAppender].
func (s checksum) AppendBinary(dst []byte) ([]byte, error) { return append(dst, s...), nil }

// UnmarshalBinary implements [encoding.BinaryUnmarshaler].
func (s *checksum) UnmarshalBinary(raw []byte) error {
	*s = checksum(raw)
	return nil
}

// Changes returns the cached differences of two trees of commits.
func (c *Cache) Changes(folder string, old, new git.OID) (git.Changed, bool) {
	return recallFromCache[git.Changed](c, changesKey(folder, old, new))
}

// Keep caches the differences of two trees of commits.
func (c *Cache) Keep(folder string, old, new git.OID, changed git.Changed) {
	c.keep(changesKey(folder, old, new), changed)
}

func changesKey(folder string, old, new git.OID) cacheKey {
	return keyOf("changes", []byte(folder), old[:], new[:])
}

func (c *Cache) shard(key cacheKey) *shard { return &c.shards[key[0]%shardCount] }

// recallFromCache returns the cached value for a key, of this run or an earlier one.
func recallFromCache[T encoding.BinaryAppender, P interface {
	*T
	encoding.BinaryUnmarshaler
}](c *Cache, key cacheKey) (found T, ok bool) {
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load(c.store, key[0]%shardCount)
	if fresh := s.fresh[key]; fresh != nil {
		found, ok = fresh.(T)
		return found, ok
	}
	raw, ok := s.stored[key]
	if !ok || P(&found).UnmarshalBinary(raw) != nil {
		return found, false
	}
	s.use(key)
	return found, true
}

// keep caches a value for a key.
func (c *Cache) keep(key cacheKey, found encoding.BinaryAppender) {
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load(c.store, key[0]%shardCount)
	s.fresh[key] = found
	s.use(key)
}

func (s *shard) use(key cacheKey) {
	if !s.known[key] {
		s.known[key], s.used = true, append(s.used, key)
	}
}
