package git

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// What differs between two versions of a list are whole lines, with the same before them and after them.
func TestDiffering(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	list := func() []byte {
		var lines []string
		for range rng.IntN(400) {
			lines = append(lines, fmt.Sprint("line ", rng.IntN(3)))
		}
		return []byte(strings.Join(lines, "\n") + strings.Repeat("\n", rng.IntN(2)))
	}
	for range 2000 {
		start, end := list(), list()
		now, before := bytes.Join([][]byte{start, list(), end}, []byte("\n")), bytes.Join([][]byte{start, end}, []byte("\n"))
		here, there := Differing(now, before)
		from := bytes.LastIndexByte(now[:commonPrefix(now, before)], '\n') + 1
		rest := now[from+len(here):]
		if !bytes.HasPrefix(now[from:], here) || !bytes.Equal(before[from:], append(bytes.Clone(there), rest...)) {
			t.Fatalf("%q and %q differ in %q and %q", now, before, here, there)
		}
		for _, part := range [][]byte{here, there} {
			if len(rest) > 0 && len(part) > 0 && part[len(part)-1] != '\n' {
				t.Fatalf("%q is not whole lines", part)
			}
		}
		if bytes.Equal(now, before) != (len(here)+len(there) == 0) {
			t.Fatalf("%q and %q differ in %q and %q", now, before, here, there)
		}
	}
}
