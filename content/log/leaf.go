package log

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"rulestore/content"
)

// Leaf is a leaf of the log, see the package documentation.
type Leaf string

// MaxLeaf is the maximum size of a leaf in bytes: more than any format of marks has ever
// allowed, and less than the maximum length in an entry bundle.
const MaxLeaf = 16 << 10

// The prefixes of leaves.
const (
	sealWord = "seal "
	markWord = "mark "
	endWord  = "end "
)

// ReadSeal returns the leaf for a line of a seal file, of any kind and with a time in any zone;
// not ok if the line is not a seal.
func ReadSeal(line string) (leaf Leaf, ok bool) {
	f := strings.Split(line, " ")
	if len(f) != 3 || !visible(f[0]) || !content.ValidChecksum(f[1]) {
		return "", false
	}
	at, err := time.Parse(time.RFC3339, f[2])
	if err != nil || at.Nanosecond() != 0 {
		return "", false
	}
	leaf = SealOf(content.Seal{Tag: f[0], Checksum: f[1], PublishedAt: at})
	return leaf, len(leaf) <= MaxLeaf
}

// SealOf returns the leaf for a seal.
func SealOf(s content.Seal) Leaf {
	s.PublishedAt = s.PublishedAt.UTC()
	return Leaf(sealWord + s.String())
}

// visible reports whether a text is ASCII without spaces and control characters.
func visible(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != ""
}

// MarkOf returns the leaf for a mark; not ok if it would be too long, or is not UTF-8.
func MarkOf(m content.Mark) (leaf Leaf, ok bool) {
	text := []byte(markWord + "{")
	for i, f := range []struct{ name, value string }{
		{"item", m.Item}, {"reason", m.Reason}, {"replaced_by", m.ReplacedBy}, {"since", m.Since},
		{"status", string(m.Status)}, {"version", m.Version},
	} {
		if !utf8.ValidString(f.value) {
			return "", false
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(appendQuoted(text, f.name), ':')
		text = appendQuoted(text, f.value)
	}
	text = append(text, '}')
	return Leaf(text), len(text) <= MaxLeaf
}

// appendQuoted appends a string as RFC 8785 writes it (section 3.2.2.2).
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= ' ':
			dst = append(dst, c)
		case strings.IndexByte(short, c) >= 0:
			dst = append(dst, '\\', "btnfr"[strings.IndexByte(short, c)])
		default:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		}
	}
	return append(dst, '"')
}

// short are the control characters with an escape of one letter.
const short = "\b\t\n\f\r"

// Seal returns the seal in a leaf; not ok if it is another type.
func (l Leaf) Seal() (seal content.Seal, ok bool) {
	line, ok := strings.CutPrefix(string(l), sealWord)
	if again, well := ReadSeal(line); !ok || !well || again != l {
		return content.Seal{}, false
	}
	f := strings.Split(line, " ")
	at, err := time.Parse(time.RFC3339, f[2])
	return content.Seal{Tag: f[0], Checksum: f[1], PublishedAt: at}, err == nil
}

// Mark returns the mark in a leaf; not ok if it is another type.
func (l Leaf) Mark() (m content.Mark, ok bool) {
	text, ok := strings.CutPrefix(string(l), markWord)
	if !ok || json.Unmarshal([]byte(text), &m) != nil {
		return content.Mark{}, false
	}
	if again, well := MarkOf(m); !well || again != l {
		return content.Mark{}, false
	}
	return m, true
}

// End returns the leaf for the end of the mark in a leaf.
func (l Leaf) End() Leaf { return endWord + Leaf(strings.TrimPrefix(string(l), markWord)) }

// Begin returns the leaf of the mark that a leaf ends; not ok if it is another type.
func (l Leaf) Begin() (mark Leaf, ok bool) {
	text, ok := strings.CutPrefix(string(l), endWord)
	_, well := Leaf(markWord + text).Mark()
	return Leaf(markWord + text), ok && well
}
