package loader

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"rulestore/loader/git"
)

// commitOf is the id of the nth commit of an ancestry.
func commitOf(n int) (id git.OID) {
	binary.BigEndian.PutUint32(id[:], uint32(n))
	return id
}

// history is the ancestry of commits with these parents.
func history(parents [][]int) *ancestry {
	a := &ancestry{index: map[git.OID]int{}, parents: parents}
	for n := range parents {
		a.ids = append(a.ids, commitOf(n))
		a.index[commitOf(n)] = n
	}
	return a
}

// The first sets of commits are those that no other precedes, compared each with each.
func TestFirstSets(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 9))
		parents := [][]int{nil}
		for n := 1; n < 30; n++ {
			own := []int{rng.IntN(n)}
			if rng.IntN(3) == 0 {
				own = append(own, rng.IntN(n))
			}
			parents = append(parents, own)
		}
		a := history(parents)
		var sets [][]git.OID
		for range 1 + rng.IntN(8) {
			var set []git.OID
			for range 1 + rng.IntN(3) {
				set = append(set, commitOf(rng.IntN(30)))
			}
			sets = append(sets, set)
		}
		var descends func(c int, from []git.OID) bool
		descends = func(c int, from []git.OID) bool {
			return slices.ContainsFunc(parents[c], func(p int) bool {
				return slices.Contains(from, commitOf(p)) || descends(p, from)
			})
		}
		precedes := func(x, y []git.OID) bool {
			return !slices.ContainsFunc(y, func(c git.OID) bool { return !descends(a.index[c], x) })
		}
		first := a.first(sets)
		for _, set := range sets {
			want := !slices.ContainsFunc(sets, func(other []git.OID) bool { return precedes(other, set) })
			got := slices.ContainsFunc(first, func(f []git.OID) bool { return slices.Equal(f, set) })
			if got != want {
				t.Errorf("seed %d: %v is first: %t, expected %t", seed, set, got, want)
			}
		}
	}
}

// Somebody who rewrites a line a hundred thousand times costs as many comparisons, not their square, which
// would not end within the time that tests have; and so do many side by side.
func TestFirstOfManySets(t *testing.T) {
	const many = 100_000
	chain, sets := [][]int{nil}, [][]git.OID{{commitOf(0)}}
	for n := 1; n < many; n++ {
		chain, sets = append(chain, []int{n - 1}), append(sets, []git.OID{commitOf(n)})
	}
	if first := history(chain).first(sets); len(first) != 1 || first[0][0] != commitOf(0) {
		t.Errorf("%d are first", len(first))
	}
	beside := [][]int{nil}
	for range many {
		beside = append(beside, []int{0})
	}
	if first := history(beside).first(sets[1:]); len(first) != many-1 {
		t.Errorf("%d are first", len(first))
	}
}
