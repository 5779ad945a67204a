//go:build slow

package export

import (
	"io"
	"strings"
	"testing"
)

// The size of an inventory is not limited, only that of its entries.
func TestLargeInventory(t *testing.T) {
	const entries, size = 600, 1 << 19 // 300 MB
	entry := `{"name":"` + strings.Repeat("a", size) + `"}`
	parts := []io.Reader{strings.NewReader(`{"snapshot":"s","files":[` + entry)}
	for range entries - 1 {
		parts = append(parts, strings.NewReader(","), strings.NewReader(entry))
	}
	parts = append(parts, strings.NewReader("]}\n"))
	read := 0
	held, err := readInventory(io.MultiReader(parts...), func(l Listed) error {
		if read++; len(l.Name) != size {
			t.Errorf("entry %d has %d bytes", read, len(l.Name))
		}
		return nil
	})
	if err != nil || held.Snapshot != "s" || read != entries {
		t.Errorf("%+v, %d entries: %v", held, read, err)
	}
}
