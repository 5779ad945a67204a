package loader

import (
	"crypto/sha256"
	"encoding"
	"fmt"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// A cache does not grow without end, and what was used longest ago goes first.
func TestCacheIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("checks what is very large: not with -short")
	}
	kind := content.Guidelines
	entry := func(i int) (cacheKey, check.Kept) {
		f := check.Open(schemas.Embedded(), kind, "x", []byte(fmt.Sprintf("title: %s%d\n", strings.Repeat("x", 900<<10), i)))
		kept, ok := f.Keep()
		if !ok {
			t.Fatal("it is not kept")
		}
		return sha256.Sum256([]byte{byte(i)}), kept
	}
	var s shard
	for i := range 20 {
		next := shard{stored: s.stored, order: s.order}
		key, kept := entry(i)
		next.fresh = map[cacheKey]encoding.BinaryAppender{key: kept}
		next.use(key)
		raw := next.encode([sha256.Size]byte{})
		if len(raw) > maxShard {
			t.Fatalf("%d bytes", len(raw))
		}
		s = shard{}
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
