//go:build slow

package loader_test

import (
	"fmt"
	"testing"
)

// It makes no difference in which file a seal stands, nor whether and where lines move: what
// is served is the same, whatever happened in the history.
func TestFormsOfSealsAtRandom(t *testing.T) {
	const steps = 60
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			c := newChaos(t, seed+100)
			for range steps {
				c.step()
			}
			want := contentOf(c.load())
			for name, f := range forms {
				t.Run(name, func(t *testing.T) {
					r := c.inForm(t, f)
					if got := contentOf(r.load()); got != want {
						t.Errorf("in one file:\n%s\nin this form:\n%s", want, got)
					}
				})
			}
		})
	}
}
