package search

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The first of many are those of all of them in order, however many are asked for.
func TestBestFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		all := make([]found, rng.IntN(200))
		for i := range all {
			all[i] = found{doc: uint32(i), score: float64(rng.IntN(20)), class: Coverage(1 + rng.IntN(3))}
		}
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		want := slices.Clone(all)
		sortBest(want, len(want))
		if !slices.IsSortedFunc(want, found.compare) {
			t.Fatal("they are out of order")
		}
		n := rng.IntN(len(all) + 3)
		sortBest(all, n)
		if n = min(n, len(all)); !slices.Equal(all[:n], want[:n]) {
			t.Fatalf("the first %d of %d are others", n, len(all))
		}
	}
}
