//go:build slow

package main

import (
	"regexp"
	"strings"
	"testing"
)

// The commands beside the figures of SCALING.md run, but for those that take long, and print these figures.
func TestCommandsOfScaling(t *testing.T) {
	t.Parallel()
	text := deployed(t, "SCALING.md")
	found := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		t.Fatalf("there are %d", len(found))
	}
	out, err := asAuthor(t.TempDir(), found[0][1])
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	leaves := regexp.MustCompile(`the log has (\d+) leaves`).FindStringSubmatch(out)
	if leaves == nil || !strings.Contains(text, "The log of "+leaves[1]+" leaves") {
		t.Errorf("not the figure that is stated: %s", out)
	}
}
