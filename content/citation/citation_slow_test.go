//go:build slow

package citation_test

import (
	"strings"
	"testing"

	"rulestore/content/citation"
)

// A text of nothing but addresses is read in a time that grows as the text does: in one that
// grows as its square, this would not end within the time that a test has.
func TestFindManyAddresses(t *testing.T) {
	for _, address := range []string{"// ", "/a/versions/1 ", "издатель: /", "[a](/b/versions/"} {
		text := strings.Repeat(address, 1<<20/len(address))
		if found, _ := citation.Find(text, func(string) bool { return false }); len(found) > citation.Most {
			t.Errorf("%q: %d citations", address, len(found))
		}
	}
}
