package git

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// hunk is the head of a part of a diff: the first line of the file that goes, how many go, how many come.
var hunk = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d+(?:,(\d{1,9}))? @@`)

// applyDiff returns the files of the tree that a diff of texts changes, as it changes them. The diff is
// what `git diff -U0` prints: without lines that stay, and without files that come or go.
func applyDiff(tree map[string][]byte, diff []byte) (map[string][]byte, error) {
	changed := map[string][]byte{}
	var name string
	var before, after [][]byte // lines of the file: those not reached yet, and those it has then
	place, gone, come := 0, 0, 0
	finish := func() {
		if name != "" {
			changed[name] = bytes.Join(append(after, before...), nil)
		}
	}
	for n, line := range bytes.SplitAfter(diff, []byte("\n")) {
		wrong := func(why string) error { return fmt.Errorf("line %d: %s: %q", n+1, why, line) }
		added, isName := strings.CutPrefix(string(line), "+++ b/")
		switch {
		case gone > 0:
			if len(before) == 0 || !bytes.HasPrefix(line, []byte("-")) || !bytes.Equal(line[1:], before[0]) {
				return nil, wrong("this is not the line that goes")
			}
			before, place, gone = before[1:], place+1, gone-1
		case come > 0:
			if !bytes.HasPrefix(line, []byte("+")) {
				return nil, wrong("this is not a line that comes")
			}
			after, come = append(after, line[1:]), come-1
		case isName:
			finish()
			name = strings.TrimSuffix(added, "\n")
			if tree[name] == nil {
				return nil, wrong("there is no such file")
			}
			before, after, place = bytes.SplitAfter(tree[name], []byte("\n")), nil, 0
		case name != "" && hunk.Match(line):
			head := hunk.FindSubmatch(line)
			first, _ := strconv.Atoi(string(head[1]))
			gone, _ = strconv.Atoi(cmp.Or(string(head[2]), "1"))
			come, _ = strconv.Atoi(cmp.Or(string(head[3]), "1"))
			stay := first - place - min(gone, 1) // a part that takes nothing away names the line before it
			if stay < 0 || stay > len(before) {
				return nil, wrong("the file has no such place")
			}
			after, before, place = append(after, before[:stay]...), before[stay:], place+stay
		}
	}
	finish()
	if gone+come > 0 {
		return nil, fmt.Errorf("the last part is not complete")
	}
	return changed, nil
}
