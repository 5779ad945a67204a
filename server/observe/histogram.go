package observe

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// Histogram counts durations. The bounds of its buckets double, so that finding the bucket
// takes one instruction.
type Histogram struct {
	buckets [bounds + 1]atomic.Uint64 // the last one is for what lasted longer
	sum     atomic.Int64              // nanoseconds
}

const (
	finest = 5  // the first bound is 2^finest µs: 32 µs
	bounds = 22 // the last one is 67 s
)

// Observe counts a duration.
func (h *Histogram) Observe(d time.Duration) {
	h.buckets[bucket(d)].Add(1)
	h.sum.Add(int64(d))
}

// bucket returns the index of the first bound that is not below d.
func bucket(d time.Duration) int {
	us := (d + time.Microsecond - 1) / time.Microsecond // rounded up
	return min(bits.Len64(uint64(max(us-1, 0))>>finest), bounds)
}

// Reading is the state of a histogram.
type Reading struct {
	Count   uint64
	Seconds float64            // the sum of all durations
	Buckets map[float64]uint64 // by upper bound in seconds: cumulative counts
}

// Read returns the current counts. Concurrent observations may or may not be included.
func (h *Histogram) Read() Reading {
	r := Reading{Buckets: make(map[float64]uint64, bounds), Seconds: time.Duration(h.sum.Load()).Seconds()}
	for i := range h.buckets {
		r.Count += h.buckets[i].Load()
		if i < bounds {
			r.Buckets[(time.Microsecond << (finest + i)).Seconds()] = r.Count
		}
	}
	return r
}
