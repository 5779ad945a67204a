//go:build slow

package loader_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
)

// A hundred times the marks are no more than a hundred times the work, and the
// first hundred that are wrong are listed.
func TestTreeAgainstManyMarks(t *testing.T) {
	work := func(n int) float64 {
		var marks strings.Builder
		for i := range n {
			fmt.Fprintf(&marks, "  - {item: instructions/kept, version: 9.0.%d, status: archived, reason: Такой не "+
				"было, since: 2026-05-01}\n", i)
		}
		a := txtar.Parse([]byte("-- commit 2026-02-02T10:00:00+03:00 --\nBegin\n-- rulestore.yaml --\n" + settings +
			"-- instructions/kept.yaml --\n" + instruction("service.kept.001") +
			"-- lifecycle.yaml --\nschema_version: \"1.0\"\nmarks:\n" + marks.String() +
			"-- tag instructions/kept/v1.0.0 --\n"))
		tree, result := headOf(t, memory(t, a)), loaded(t, a)
		if found := slices.DeleteFunc(result.Report.Findings, func(f content.Finding) bool {
			return f.Path != content.LifecycleFile
		}); len(found) != min(n, 101) {
			t.Errorf("%d marks: the load has %d findings", n, len(found))
		}
		allocations := testing.AllocsPerRun(1, func() {
			tree.Findings = nil
			tree.Against(result.Snapshot)
		})
		if last := tree.Findings[len(tree.Findings)-1]; len(tree.Findings) != min(n, 101) ||
			last.Severity != content.Warning || last.Line != min(n, 101)+2 {
			t.Errorf("%d marks: %d findings, the last is %s", n, len(tree.Findings), last)
		}
		return allocations
	}
	if few, many := work(50), work(5000); many > 200*few {
		t.Errorf("%.0f allocations for 50 marks, %.0f for 5,000", few, many)
	}
}
