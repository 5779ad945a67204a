//go:build slow

package calc

import (
	"testing"
)

// What an accepted request may allocate from JSON to JSON, garbage included. The
// promise is 64 MB and 50 ms; the dearest requests take 5 to 10 ms and 65,000
// allocations, so what stays below this stays far below that, on any machine and under
// any load. BenchmarkWorst has the times.
const (
	mostBytes   = 8 << 20
	mostObjects = 100_000
)

// TestWorstRequests looks for the dearest request to every tool and holds all
// that it tries against the limits.
func TestWorstRequests(t *testing.T) {
	for _, w := range worst() {
		t.Logf("%-32s %5d tried, %8d bytes, %6d objects", w.tool.ID, w.tried, w.dearest.bytes, w.dearest.objects)
		if w.dearest.bytes > mostBytes || w.dearest.objects > mostObjects {
			t.Errorf("%s: %d bytes in %d objects, at most %d in %d are allowed\n%.2000s", w.tool.ID, w.dearest.bytes,
				w.dearest.objects, mostBytes, mostObjects, w.request)
		}
		if w.tried < 10 {
			t.Errorf("%s: only %d requests were accepted", w.tool.ID, w.tried)
		}
	}
}
