package gitcmd

import (
	"strings"
	"testing"
)

// What would lead git into another repository, or have it ask somebody, is not passed on.
func TestOutside(t *testing.T) {
	t.Setenv("GIT_DIR", "/elsewhere")
	t.Setenv("GIT_INDEX_FILE", "/elsewhere/index")
	t.Setenv("GIT_OBJECT_DIRECTORY", "/elsewhere/objects")
	t.Setenv("GIT_ASKPASS", "/elsewhere/ask")
	got := "\n" + strings.Join(Environ(nil).outside(), "\n") + "\n"
	for _, bad := range []string{"\nGIT_DIR=", "\nGIT_INDEX_FILE=", "\nGIT_OBJECT_DIRECTORY=", "\nGIT_ASKPASS="} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is passed on to helpers", bad)
		}
	}
}
