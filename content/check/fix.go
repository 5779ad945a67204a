package check

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/unicode/norm"
)

// Fix fixes what is mechanical in a file and returns it with the rules that it fixed, none if
// nothing can be fixed safely. It never changes the content: each step is kept only if the
// parsed file is unchanged, or if the file did not parse before. What is excepted is required
// by a finding: a format without quotes (schema_version: 1.0) gets them, and letters are composed.
func Fix(path string, raw []byte) (fixed []byte, rules []string) {
	for _, step := range fixes {
		if next, ok := step.apply(path, raw); ok {
			raw, rules = next, append(rules, step.rule)
		}
	}
	return raw, rules
}

// fix is a fix for the findings of a rule. It is applied only if the result is safe.
type fix struct {
	rule string
	fix  func(path string, raw []byte) []byte
	safe func(path string, before, after []byte) bool
}

// fixes are all fixes, in the order in which they are applied.
var fixes = []fix{
	{"tab", untab, sameContent}, // first: a file with tabs often cannot be parsed and compared
	{"bom", cutBOM, sameContent},
	{"crlf", cutCR, sameContent},
	{"format", quoteFormat, sameButFormat},
	{"composed", func(_ string, raw []byte) []byte { return norm.NFC.Bytes(raw) }, sameComposed},
}

func (f fix) apply(path string, raw []byte) ([]byte, bool) {
	next := f.fix(path, raw)
	if bytes.Equal(next, raw) || !f.safe(path, raw, next) {
		return raw, false
	}
	return next, true
}

// sameContent reports whether two texts of a file parse to the same, or only the second can
// be parsed.
func sameContent(path string, before, after []byte) bool {
	a, _ := Parse(path, before)
	b, findings := Parse(path, after)
	switch {
	case b == nil:
		return false
	case a == nil:
		return len(findings) == 0
	}
	return bytes.Equal(a.Body.AppendJSON(nil), b.Body.AppendJSON(nil)) && reflect.DeepEqual(a.value, b.value)
}

// sameComposed reports whether two texts of a file parse to the same, apart from normal form C.
func sameComposed(path string, before, after []byte) bool {
	a, _ := Parse(path, before)
	b, _ := Parse(path, after)
	return a != nil && b != nil &&
		bytes.Equal(norm.NFC.Bytes(a.Body.AppendJSON(nil)), b.Body.AppendJSON(nil))
}

func cutBOM(_ string, raw []byte) []byte { return bytes.TrimPrefix(raw, []byte(string(bom))) }

func cutCR(_ string, raw []byte) []byte {
	return bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
}

// untab replaces each tab of the indentation by two spaces, if it consists of tabs only: in a
// mix their width is unknown.
func untab(_ string, raw []byte) []byte {
	var out []byte
	for line := range bytes.Lines(raw) {
		text := bytes.TrimLeft(line, " \t")
		indent := line[:len(line)-len(text)]
		if bytes.IndexByte(indent, ' ') >= 0 {
			return raw
		}
		out = append(append(out, strings.Repeat("  ", len(indent))...), text...)
	}
	return out
}

// formats are the fields that name a format, which is a string.
var formats = []string{"schema_version", "format_version"}

func quoteFormat(path string, raw []byte) []byte {
	doc, _ := Parse(path, raw)
	if doc == nil {
		return raw
	}
	var odd []*yaml.Node
	for _, name := range formats {
		if n := childOf(doc.root, name); n != nil && n.Kind == yaml.ScalarNode && n.Style == 0 &&
			jsonNumber.MatchString(n.Value) {
			odd = append(odd, n)
		}
	}
	return rewrite(raw, odd, func(value string) string { return `"` + value + `"` })
}

// sameButFormat reports whether two texts of a file parse to the same, except for a format
// that is a number in the first and a string in the second.
func sameButFormat(path string, before, after []byte) bool {
	a, _ := Parse(path, before)
	b, _ := Parse(path, after)
	if a == nil || b == nil || len(a.Body) != len(b.Body) {
		return false
	}
	for i, m := range a.Body {
		same := bytes.Equal(m.Value, b.Body[i].Value)
		quoted := slices.Contains(formats, m.Name) && a.written(m.Name) == b.Body.Text(m.Name)
		if m.Name != b.Body[i].Name || !same && !quoted {
			return false
		}
	}
	return true
}

// rewrite replaces the texts of scalars of one line.
func rewrite(raw []byte, nodes []*yaml.Node, spell func(string) string) []byte {
	lines := slices.Collect(bytes.Lines(raw))
	// from right to left, so that columns stay valid
	slices.SortFunc(nodes, func(a, b *yaml.Node) int { return b.Column - a.Column })
	for _, n := range nodes {
		if n.Line > len(lines) {
			continue
		}
		line := []rune(string(lines[n.Line-1]))
		i := n.Column - 1
		end := i + len([]rune(n.Value))
		if end > len(line) || string(line[i:end]) != n.Value {
			continue // not found at its position
		}
		lines[n.Line-1] = []byte(string(line[:i]) + spell(n.Value) + string(line[end:]))
	}
	return bytes.Join(lines, nil)
}
