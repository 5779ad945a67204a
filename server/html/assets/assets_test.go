package assets

import (
	"regexp"
	"strings"
	"testing"
)

// The script's name in a template is the name of a file, under the hash of what
// it is.
func TestAssets(t *testing.T) {
	for _, a := range All() {
		if !regexp.MustCompile(`^/assets/[a-z]+\.[0-9a-f]{12}\.(css|js|svg)$`).MatchString(a.Path) ||
			a.Type == "" || len(a.Body) == 0 {
			t.Errorf("%s of %d bytes is %q", a.Path, len(a.Body), a.Type)
		}
		if strings.Contains(string(a.Body), "http") && a.Type != "image/svg+xml" {
			t.Errorf("%s asks another host", a.Path)
		}
	}
}
