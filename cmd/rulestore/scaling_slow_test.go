//go:build slow

package main

import (
	"fmt"
	"regexp"
	"strconv"
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
	// A bundle is about as large with another version of git.
	for i, figure := range []struct {
		printed, stated string
		unit, tolerance int
	}{
		{`the log has (\d+) leaves`, `the log of (\d+) leaves`, 1, 0},
		{`and (\d+) tags`, `the list of (\d+) tags`, 1, 0},
		{`(?m)^(\d+)$`, `whole repository as a bundle \| ([\d,]+) kB`, 1000, 10},
		{`(?ms)^\d+$.*^(\d+)$`, `since one leaf, as a file \| (\d+) kB`, 1000, 10},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			number := func(pattern, text string) int {
				m := regexp.MustCompile(pattern).FindStringSubmatch(text)
				if m == nil {
					t.Fatalf("no %s in\n%s", pattern, text)
				}
				n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", "")) // digits
				return n
			}
			is, says := number(figure.printed, out), number(figure.stated, text)*figure.unit
			if off := max(is-says, says-is); 100*off > figure.tolerance*is {
				t.Errorf("%q is %d, and %d is stated", figure.stated, is, says)
			}
		})
	}
}
