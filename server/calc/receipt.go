package calc

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Uncovered are the members of an answer that its receipt does not cover: they follow from
// the others and depend on the options of the request, or, like warnings, can be reworded.
var Uncovered = []string{"receipt", "schedule", "trace", "warnings"}

// receipt is the receipt of a JSON answer.
func receipt(answer []byte) string {
	sum := sha256.Sum256(appendCanonical(make([]byte, 0, len(answer)), answer, Uncovered...))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// appendCanonical appends JSON that this package wrote, with the members of each object
// sorted and some of the outermost one left out. The result is canonical (RFC 8785): names
// are in the Basic Multilingual Plane and need no escapes, numbers are integers, strings
// are written by [appendString].
func appendCanonical(dst, raw []byte, without ...string) []byte {
	if raw[0] != '{' && raw[0] != '[' {
		return append(dst, raw...)
	}
	parts := split(raw)
	if raw[0] == '{' {
		parts = slices.DeleteFunc(parts, func(m []byte) bool { return slices.Contains(without, string(nameOf(m))) })
		slices.SortFunc(parts, func(a, b []byte) int { return bytes.Compare(nameOf(a), nameOf(b)) })
	}
	dst = append(dst, raw[0])
	for _, part := range parts {
		dst = comma(dst)
		if raw[0] == '{' {
			value := len(nameOf(part)) + len(`"":`)
			dst, part = append(dst, part[:value]...), part[value:]
		}
		dst = appendCanonical(dst, part)
	}
	return append(dst, raw[len(raw)-1])
}

// nameOf is the name of a written member.
func nameOf(member []byte) []byte {
	name, _, _ := bytes.Cut(member[1:], []byte{'"'})
	return name
}

// split returns the members of a written object, or the items of a list.
func split(raw []byte) [][]byte {
	parts := make([][]byte, 0, 16)
	depth, from, quoted := 0, 1, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth > 1 && (c == '}' || c == ']'):
			depth--
		case depth == 1 && (c == '}' || c == ']' || c == ','):
			if i > from {
				parts = append(parts, raw[from:i])
			}
			from = i + 1
		}
	}
	return parts
}
