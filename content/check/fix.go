package check

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Fix fixes what is mechanical in a file and returns it with the rules that it fixed, none if
// nothing can be fixed safely. It never changes the content: each step is kept only if the
// parsed file is unchanged, or if the file did not parse before. The one exception is required
// by a finding: a format without quotes (schema_version: 1.0) gets them.
func Fix(path string, raw []byte) (fixed []byte, rules []string) {
	for _, step := range fixes {
		if next, ok := step.apply(path, raw); ok {
			raw, rules = next, append(rules, step.rule)
		}
	}
	return raw, rules
}

// FixRule is [Fix] for the findings of one rule; if it is not ok, the file is unchanged:
// nothing can be fixed mechanically, or not safely.
func FixRule(path string, raw []byte, rule string) (fixed []byte, ok bool) {
	i := slices.IndexFunc(fixes, func(f fix) bool { return f.rule == rule })
	if i < 0 {
		return raw, false
	}
	return fixes[i].apply(path, raw)
}

// fix mends what is against a rule. It is kept only if it is safe.
type fix struct {
	rule string
	mend func(path string, raw []byte) []byte
	safe func(path string, before, after []byte) bool
}

// fixes are all that is mended, in this order.
var fixes = []fix{
	{"tab", untab, sameContent}, // first: what cannot be read cannot be compared
	{"bom", cutBOM, sameContent},
	{"crlf", cutCR, sameContent},
	{"trailing-space", cutSpaces, sameContent},
	{"final-newline", endLine, sameContent},
	{"format", quoteFormat, sameButFormat},
	{"number-spelling", spellNumbers, sameContent},
}

func (f fix) apply(path string, raw []byte) ([]byte, bool) {
	next := f.mend(path, raw)
	if bytes.Equal(next, raw) || !f.safe(path, raw, next) {
		return raw, false
	}
	return next, true
}

// readsAlike says whether two texts of a file mean the same, or only the second
// can be read.
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

func cutBOM(_ string, raw []byte) []byte { return bytes.TrimPrefix(raw, []byte(string(bom))) }

func cutCR(_ string, raw []byte) []byte {
	return bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
}

func endLine(_ string, raw []byte) []byte {
	if bytes.HasSuffix(raw, []byte("\n")) {
		return raw
	}
	return append(slices.Clone(raw), '\n')
}

// untab indents with two spaces for each tab, if the file is indented with
// nothing but tabs: otherwise nobody knows how deep a line is.
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

// maxTried is how many lines are tried one by one.
const maxLinesTried = 100

// cutSpaces cuts what is at the ends of lines, if need be only of those where it
// is not part of a text.
func cutSpaces(path string, raw []byte) []byte {
	lines := slices.Collect(bytes.Lines(raw))
	all, odd := slices.Clone(lines), []int{}
	for i, line := range lines {
		if all[i] = trimmed(line); len(all[i]) < len(line) {
			odd = append(odd, i)
		}
	}
	if out := bytes.Join(all, nil); sameContent(path, raw, out) || len(odd) > maxLinesTried {
		return out
	}
	kept := lines
	for _, i := range odd {
		next := slices.Clone(kept)
		next[i] = all[i]
		if sameContent(path, raw, bytes.Join(next, nil)) {
			kept = next
		}
	}
	return bytes.Join(kept, nil)
}

func trimmed(line []byte) []byte {
	text := bytes.TrimRight(line, "\r\n")
	kept := bytes.TrimRight(text, " \t")
	return slices.Concat(kept, line[len(text):])
}

// spellNumbers writes numbers as they are served.
func spellNumbers(path string, raw []byte) []byte {
	doc, _ := Parse(path, raw)
	if doc == nil {
		return raw
	}
	return rewrite(raw, doc.oddNumbers(), func(value string) string {
		spelled, _ := canonicalNumber(value)
		return spelled
	})
}

// formats are the fields that name a format, in quotes.
var formats = []string{"schema_version", "format_version"}

func quoteFormat(path string, raw []byte) []byte {
	doc, _ := Parse(path, raw)
	if doc == nil {
		return raw
	}
	var odd []*yaml.Node
	for _, name := range formats {
		if n := childOf(doc.tree(), name); n != nil && n.Kind == yaml.ScalarNode && n.Style == 0 &&
			jsonNumber.MatchString(n.Value) {
			odd = append(odd, n)
		}
	}
	return rewrite(raw, odd, func(value string) string { return `"` + value + `"` })
}

// readsButFormat says whether two texts of a file mean the same but for a format
// that is a number in the first and the same in quotes in the second.
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

// rewrite writes scalars of one line anew, where they stand.
func rewrite(raw []byte, nodes []*yaml.Node, spell func(string) string) []byte {
	lines := slices.Collect(bytes.Lines(raw))
	slices.SortFunc(nodes, func(a, b *yaml.Node) int { return b.Column - a.Column }) // from the right
	for _, n := range nodes {
		if n.Line > len(lines) {
			continue
		}
		line := []rune(string(lines[n.Line-1]))
		i := n.Column - 1
		end := i + len([]rune(n.Value))
		if end > len(line) || string(line[i:end]) != n.Value {
			continue // not where it should be: leave it alone
		}
		lines[n.Line-1] = []byte(string(line[:i]) + spell(n.Value) + string(line[end:]))
	}
	return bytes.Join(lines, nil)
}
