package loader

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

// isSealsFileOf reports whether a path is valid for the seal of a tag.
func isSealsFileOf(path, tag string) bool {
	item, _ := content.SealedItem(path)
	return item != "" && item == itemName(tag)
}

// tagOf returns the tag in a line.
func tagOf(line string) string {
	tag, _, _ := strings.Cut(line, " ")
	return tag
}

// betweenSides is git's separator in a merge conflict.
const betweenSides = "======="

// bothSides is the remedy for a seal file with conflict markers: the base's seal counts, and
// the new publication gets the next number.
func bothSides(raw []byte) content.RuleText {
	var highest *semver.Version
	for _, text := range numbered(raw) {
		t, err := content.ParseTag(tagOf(text))
		if err == nil && t.Kind != nil && (highest == nil || highest.LessThan(t.Version)) {
			highest = t.Version
		}
	}
	if highest == nil {
		return say("conflict", "sides", nil)
	}
	return say("conflict", "seals", args{"next": highest.IncPatch().String()})
}

// numbered yields the lines of a file with their numbers.
func numbered(raw []byte) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range bytes.Lines(raw) {
			n++
			if !yield(n, string(bytes.TrimSuffix(line, []byte("\n")))) {
				return
			}
		}
	}
}

func hasLine(raw []byte, line string) bool {
	for at := 0; ; at += len(line) {
		i := bytes.Index(raw[at:], []byte(line))
		if i < 0 {
			return false
		}
		at += i
		end := at + len(line)
		if (at == 0 || raw[at-1] == '\n') && (end == len(raw) || raw[end] == '\n') {
			return true
		}
	}
}

// sortedLines returns the lines of a text, each once.
func sortedLines(raw []byte) (all []string) {
	for _, line := range numbered(raw) {
		all = append(all, line)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
