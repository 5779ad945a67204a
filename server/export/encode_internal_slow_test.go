//go:build slow

package export

import (
	"bytes"
	"testing"
)

// What was compressed before changes nothing of what is compressed next.
func TestCodingsOfReused(t *testing.T) {
	var text bytes.Buffer
	for i := range 400_000 {
		text.WriteString([]string{"правило ", "вклад ", "срок, ", "ставка "}[i*i%31%4])
	}
	for i, c := range codings {
		t.Run(c.name, func(t *testing.T) {
			used := newCoders()[i]
			for _, size := range []int{2 << 20, 4 << 10, 2 << 20, 1 << 20, 1<<20 - 1, 100 << 10} {
				body := text.Bytes()[:size]
				want := newCoders()[i].encode(body)
				if got := used.encode(body); !bytes.Equal(got, want) {
					t.Errorf("%d bytes become %d, and %d after others", size, len(want), len(got))
				}
			}
		})
	}
}
