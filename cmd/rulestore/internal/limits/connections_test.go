package limits

import (
	"math"
	"testing"
)

// Connections are bounded by what there is least of.
func TestMaxConnections(t *testing.T) {
	for _, test := range []struct {
		name   string
		files  uint64
		memory int64
		want   int
	}{
		{"few files", 1024, math.MaxInt64, 768},
		{"no limit of files", math.MaxUint64, math.MaxInt64, 786432},
		{"512 MiB", 1 << 20, 512 << 20, 6241},
		{"hardly any memory", 1 << 20, 1 << 10, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := maxConnections(test.files, test.memory); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}
