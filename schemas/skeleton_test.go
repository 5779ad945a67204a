package schemas_test

import (
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// A skeleton has all fields that the format requires, under what they are for, and none
// that it does not know: what is found in it is what is to be filled in.
func TestSkeleton(t *testing.T) {
	set := schemas.Embedded()
	for name := range set.Documents() {
		i := strings.LastIndex(name, "/")
		folder, format := name[:i], name[i+1:]
		top, own, _ := strings.Cut(folder, "/")
		k := content.KindOf(top)
		if k == nil {
			continue // a file of the root
		}
		if own == "" {
			own = "a.b.001"
		}
		t.Run(name, func(t *testing.T) {
			raw, err := set.Skeleton(folder, format, map[string]string{k.ID: own, k.Format: `"` + format + `"`})
			if err != nil {
				t.Fatal(err)
			}
			f := check.Open(set, k, own, raw)
			for _, x := range slices.Concat(f.Findings, f.Style) {
				if !slices.Contains([]string{"wrong-form", "wrong-type", "length", "unknown-value", "number", "schema",
					"more", "duplicate"}, x.Rule) {
					t.Errorf("%v\n%s", x, raw)
				}
			}
			for _, required := range []string{k.ID, k.Format} {
				if !strings.Contains(string(raw), "\n"+required+": ") {
					t.Errorf("no %s under a comment:\n%s", required, raw)
				}
			}
		})
	}
	if _, err := set.Skeleton("guidelines", "9.0", nil); err == nil {
		t.Error("a format that there is none of")
	}
}
