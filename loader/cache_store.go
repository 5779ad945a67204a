package loader

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

const (
	cacheFolder = "rulestore" // in the git directory
	shardCount  = 16          // so that little is rewritten for a new file
	maxShard    = 64 << 20    // bytes: no run uses more
	maxUnused   = 8 << 20     // bytes up to which entries are kept that a run did not use
	staleAfter  = time.Hour   // files of interrupted runs are removed then
)

// store is the cache on disk; nil if there is none.
type store struct {
	dir     string
	builtBy [sha256.Size]byte // the program
}

// OpenCache returns the cache of a repository, for a program identified by the bytes: programs
// do not share entries. dir is the git directory that all work trees share. If it can be
// neither read nor written, the cache is in memory.
func OpenCache(dir string, program [sha256.Size]byte) *Cache {
	return &Cache{store: &store{dir, program}}
}

// Save writes new entries to disk. The error is the reason why the next run will not find them;
// the caller can ignore it.
func (c *Cache) Save() error {
	if c == nil || c.store == nil {
		return nil
	}
	var errs []error
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		if len(s.fresh) > 0 {
			errs = append(errs, c.store.write(byte(i), s.encode(c.store.builtBy)))
		}
		s.mu.Unlock()
	}
	return errors.Join(errs...)
}

func shardName(i byte) string { return fmt.Sprintf("checked-%x", i) }

// load reads the file of a shard once. Corrupt entries are skipped.
func (s *shard) load(from *store, i byte) {
	if s.known != nil {
		return
	}
	s.stored, s.fresh, s.known = map[cacheKey][]byte{}, map[cacheKey]encoding.BinaryAppender{}, map[cacheKey]bool{}
	if from == nil {
		return
	}
	raw, err := from.read(i)
	if err != nil {
		return
	}
	if len(raw) < headSize || !bytes.Equal(raw[:headSize], head(from.builtBy, raw[headSize:])) {
		return
	}
	for entries, ok := raw[headSize:], true; ok && len(entries) > 0; {
		var key cacheKey
		var entry []byte
		if key, entry, entries, ok = nextStored(entries); ok {
			s.store(key, entry)
		}
	}
}

func (s *shard) store(key cacheKey, entry []byte) {
	if s.stored[key] == nil {
		s.stored[key], s.order = entry, append(s.order, key)
	}
}

// head is the header of a shard's file: the program, and a checksum of the following entries, by
// which truncated and corrupt files are detected. It does not protect against those who can
// write there.
func head(builtBy [sha256.Size]byte, entries []byte) []byte {
	return binary.BigEndian.AppendUint64(builtBy[:], crc64.Checksum(entries, crcTable))
}

const headSize = sha256.Size + 8

var crcTable = crc64.MakeTable(crc64.ECMA)

// nextStored splits off the first entry.
func nextStored(raw []byte) (key cacheKey, entry, rest []byte, ok bool) {
	if len(raw) < len(key) {
		return key, nil, nil, false
	}
	rest = raw[copy(key[:], raw):]
	n, size := binary.Uvarint(rest)
	if size <= 0 || n == 0 || n > uint64(len(rest)-size) {
		return key, nil, nil, false
	}
	end := size + int(n)
	return key, rest[size:end:end], rest[end:], true
}

// encode returns the file of the shard: entries used by this run up to [maxShard], then others
// up to [maxUnused], the most recently used first.
func (s *shard) encode(builtBy [sha256.Size]byte) []byte {
	raw := make([]byte, headSize)
	add := func(key cacheKey, entry []byte, limit int) {
		if len(entry) == 0 || len(raw)+len(key)+binary.MaxVarintLen64+len(entry) > limit {
			return
		}
		raw = append(binary.AppendUvarint(append(raw, key[:]...), uint64(len(entry))), entry...)
	}
	for _, key := range s.used {
		if found, ok := s.fresh[key]; !ok {
			add(key, s.stored[key], maxShard)
		} else if entry, err := found.AppendBinary(nil); err == nil {
			add(key, entry, maxShard)
		}
	}
	for _, key := range s.order {
		if !s.known[key] {
			add(key, s.stored[key], maxUnused)
		}
	}
	copy(raw, head(builtBy, raw[headSize:]))
	return raw
}

// read returns the content of a shard's file, if it is a regular file: reading a pipe would
// block.
func (s *store) read(i byte) ([]byte, error) {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := path.Join(cacheFolder, shardName(i))
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxShard {
		return nil, fs.ErrInvalid
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw := make([]byte, info.Size()) // another file in its place is not believed
	_, err = io.ReadFull(f, raw)
	return raw, err
}

// write replaces the file of a shard atomically.
func (s *store) write(i byte, raw []byte) error {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Mkdir(cacheFolder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	sweep(root)
	name := path.Join(cacheFolder, shardName(i))
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		if err := root.RemoveAll(name); err != nil {
			return err
		}
	}
	fresh := path.Join(cacheFolder, "new-"+rand.Text())
	f, err := root.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(fresh, name)
	}
	if err != nil {
		_ = root.Remove(fresh) // the error says enough
	}
	return err
}

// sweep removes files of interrupted runs.
func sweep(root *os.Root) {
	entries, _ := fs.ReadDir(root.FS(), cacheFolder)
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), "new-") && time.Since(info.ModTime()) > staleAfter {
			_ = root.Remove(path.Join(cacheFolder, e.Name())) // another run will
		}
	}
}
