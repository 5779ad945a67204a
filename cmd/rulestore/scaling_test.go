package main

import (
	"regexp"
	"testing"
)

// The commands beside the figures of SCALING.md run, but for those that take long.
func TestCommandsOfScaling(t *testing.T) {
	t.Parallel()
	takesLong(t)
	found := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(deployed(t, "SCALING.md"), -1)
	if len(found) == 0 {
		t.Fatal("there are none")
	}
	dir := t.TempDir()
	for _, block := range found {
		if out, err := asAuthor(dir, block[1]); err != nil || !regexp.MustCompile(`(?m)^\d+$`).MatchString(out) {
			t.Errorf("%s: %v\n%s", block[1], err, out)
		}
	}
}
