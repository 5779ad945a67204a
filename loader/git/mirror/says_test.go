package mirror

import (
	"regexp"
	"strings"
	"testing"
)

// Each reply can be looked for.
func TestReplies(t *testing.T) {
	for _, r := range replies() {
		if _, err := regexp.Compile(strings.Join(r.Says, "|")); err != nil || r.Means == "" || len(r.Says) == 0 {
			t.Errorf("%+v: %v", r, err)
		}
	}
}
