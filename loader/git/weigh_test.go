package git

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A folder weighs the same whatever it was compared with before.
func TestWeighedAgain(t *testing.T) {
	t.Parallel()
	heavy := false
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		r := memoryRepo()
		rule := BlobOID([]byte("1\n"))
		folders := []OID{
			r.storeTree(t, treeOf("100644", "a.yaml", rule)),
			r.storeTree(t, treeOf("100644", "a.yaml", rule, "100644", "b.yaml", rule)),
			r.bomb(t, "f", 30, 2),
			r.bomb(t, "g", 30, 4), // too much to be read
			r.storeTree(t, []byte("100644 damaged")),
			BlobOID([]byte("nothing")), // which is not there
		}
		for range 60 { // a folder of those before, like one of them
			var entries []any
			for i := range 1 + rng.IntN(6) {
				name := fmt.Sprintf("d%d", i+rng.IntN(2)) // at times twice, and not in order
				mode := []any{"40000", "40000", "40000", "100644"}[rng.IntN(4)]
				entries = append(entries, mode, name, folders[rng.IntN(len(folders))])
			}
			if rng.IntN(10) == 0 {
				entries = append(entries, "40000", strings.Repeat("n", 300), folders[0])
			}
			folders = append(folders, r.storeTree(t, treeOf(entries...)))
		}
		for range 200 {
			id, like, depth := folders[rng.IntN(len(folders))], folders[rng.IntN(len(folders))], rng.IntN(MaxDepth+1)
			again := &differ{repo: r, keep: everything, read: map[OID][]byte{}}
			got, err := again.weigh(id, depth, like)
			fresh := &differ{repo: &Repo{st: r.st, objects: r.objects}, keep: everything, read: map[OID][]byte{}}
			want, wantErr := fresh.weigh(id, depth, OID{})
			if min(got, MaxFolder+1) != min(want, MaxFolder+1) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("seed %d: at depth %d it weighs %d, %v; expected %d, %v", seed, depth, got, err, want, wantErr)
			}
		}
		for _, weight := range r.weights {
			heavy = heavy || weight > MaxFolder
		}
	}
	if !heavy {
		t.Error("no folder is too much")
	}
}

func everything(string, Mode) bool { return true }
