package git

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// hunk is the head of a part of a diff: how many lines go, where the lines that come begin, and how many come.
var hunk = regexp.MustCompile(`^@@ -\d{1,9}(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

// applyDiff returns the files of the tree that a diff of texts changes, as it changes them. The diff is
// what `git diff -U0` prints: without lines that stay, and without files that come or go.
func applyDiff(tree map[string][]byte, diff []byte) (map[string][]byte, error) {
	changed := map[string][]byte{}
	var file [][]byte // lines of the file
	name, lines := "", bytes.SplitAfter(diff, []byte("\n"))
	end := func() {
		if name != "" {
			changed[name] = bytes.Join(file, nil)
		}
	}
	for n := 0; n < len(lines); n++ {
		if added, isName := bytes.CutPrefix(lines[n], []byte("+++ b/")); isName {
			end()
			name = string(bytes.TrimSuffix(added, []byte("\n")))
			file = bytes.SplitAfter(tree[name], []byte("\n"))
			continue
		}
		head := hunk.FindSubmatch(lines[n])
		if head == nil {
			continue
		}
		gone, at, come := count(head[1]), count(head[2]), count(head[3])
		at -= min(come, 1) // a part that brings nothing names the line before it
		part := lines[n+1 : min(n+1+gone+come, len(lines))]
		if tree[name] == nil || at < 0 || at+gone > len(file) || gone+come > len(part) ||
			!fits(part[:gone], file[at:]) {
			return nil, fmt.Errorf("line %d: %s does not have what goes here: %q", n+1, name, lines[n])
		}
		file = slices.Replace(file, at, at+gone, part[gone:]...)
		for i := range come {
			file[at+i] = bytes.TrimPrefix(file[at+i], []byte("+"))
		}
		n += len(part)
	}
	end()
	return changed, nil
}

// fits reports whether a file goes on with the lines that a diff takes away.
func fits(gone, file [][]byte) bool {
	for i, line := range gone {
		if text, is := bytes.CutPrefix(line, []byte("-")); !is || !bytes.Equal(text, file[i]) {
			return false
		}
	}
	return true
}

// count is a number of a head, 1 if it is left out.
func count(digits []byte) int {
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		return 1
	}
	return n
}
