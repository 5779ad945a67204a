//go:build slow

package loader

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// largeEntry is an entry of 900 KB.
func largeEntry(t *testing.T, i int) (cacheKey, check.Kept) {
	t.Helper()
	text := fmt.Sprintf("title: %s%d\n", strings.Repeat("x", 900<<10), i)
	kept, ok := check.Open(schemas.Embedded(), content.Guidelines, "x", []byte(text)).Keep()
	if !ok {
		t.Fatal("it is not kept")
	}
	return sha256.Sum256([]byte{byte(i)}), kept
}

// All that one run uses is kept, however much others have left.
func TestCacheOfALargeRepository(t *testing.T) {
	var s shard
	s.load(nil, 0)
	for i := range 20 {
		key, kept := largeEntry(t, i)
		s.fresh[key] = kept
		s.use(key)
	}
	on := &store{dir: t.TempDir()}
	raw := s.encode(on.builtBy)
	if len(raw) < 20*900<<10 {
		t.Errorf("20 entries of 900 KB take %d bytes", len(raw))
	}
	if err := on.write(0, raw); err != nil {
		t.Fatal(err)
	}
	if again, err := on.read(0); err != nil || !bytes.Equal(again, raw) {
		t.Errorf("they are not read again: %v", err)
	}
}

// A cache does not grow without end, and what was used longest ago goes first.
func TestCacheIsBounded(t *testing.T) {
	var s shard
	s.load(nil, 0)
	for i := range 20 {
		var next shard
		next.load(nil, 0)
		next.stored, next.order = s.stored, s.order
		key, kept := largeEntry(t, i)
		next.fresh[key] = kept
		next.use(key)
		raw := next.encode([sha256.Size]byte{})
		if len(raw) > maxUnused {
			t.Fatalf("%d bytes", len(raw))
		}
		s = shard{}
		s.load(nil, 0)
		for entries, ok := raw[headSize:], true; len(entries) > 0; {
			var key cacheKey
			var entry []byte
			if key, entry, entries, ok = nextStored(entries); !ok {
				t.Fatal("it cannot be read")
			}
			s.store(key, entry)
		}
	}
	for i, key := range s.order {
		if key != cacheKey(sha256.Sum256([]byte{byte(19 - i)})) {
			t.Errorf("entry %d is not the one that was used %d runs ago", i, i)
		}
	}
	if len(s.order) < 5 {
		t.Errorf("%d entries are left", len(s.order))
	}
}
