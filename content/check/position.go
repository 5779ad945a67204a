package check

import (
	"cmp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// foundAt makes a finding at a position in a file.
func foundAt(path string, line, column int, s content.RuleText) content.Finding {
	f := Find(s)
	f.Path, f.Line, f.Column = path, line, column
	return f
}

// finding makes a finding about a value.
func (d *Document) finding(pointer []string, s content.RuleText) content.Finding {
	line, column := d.position(pointer)
	return foundAt(d.Path, line, column, s)
}

// maxFindings is the maximum number of findings in a file: more than a person fixes before
// the next check.
const maxFindings = 100

// Capped removes the findings of a file beyond a hundred. The last one says so, and has the
// highest severity of those removed.
func Capped(found []content.Finding) []content.Finding {
	if len(found) <= maxFindings {
		return found
	}
	last := moreFindings(found[maxFindings])
	for _, f := range found[maxFindings:] {
		last.Severity = worst(last.Severity, f.Severity)
	}
	return append(found[:maxFindings:maxFindings], last)
}

// moreFindings replaces a finding by one that says that there are more.
func moreFindings(f content.Finding) content.Finding {
	g := Find(say("more", "file", nil))
	g.Tag, g.Path, g.Line, g.Column, g.Severity = f.Tag, f.Path, f.Line, f.Column, f.Severity
	return g
}

func worst(a, b content.Severity) content.Severity {
	from := []content.Severity{content.Note, content.Warning, content.Error}
	return from[max(slices.Index(from, a), slices.Index(from, b))]
}

// clipped shortens a message that quotes a long text.
func clipped(message string) string {
	const head, tail = 200, 100
	if r := []rune(message); len(r) > head+tail {
		return string(r[:head]) + " … " + string(r[len(r)-tail:])
	}
	return message
}

// keyFinding makes a finding about the name of a field.
func (d *Document) keyFinding(pointer []string, key string, s content.RuleText) content.Finding {
	f := d.finding(pointer, s)
	if n := keyNode(d.at(pointer), key); n.Kind == yaml.ScalarNode {
		f.Line, f.Column = n.Line, n.Column
	}
	return f
}

// keyNode returns the node of a field's name; n itself if it has no such field.
func keyNode(n *yaml.Node, key string) *yaml.Node {
	if name, _ := fieldNodes(n, key); name != nil {
		return name
	}
	return n
}

// fieldNodes returns the name and the value of a field of an object, nil if there is none.
func fieldNodes(n *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; key.Kind == yaml.ScalarNode && key.Value == name {
			return key, n.Content[i+1]
		}
	}
	return nil, nil
}

// Position returns the position of a value, or of the innermost existing value that contains
// it; 0 and 0 in a file that could not be parsed.
func (d *Document) Position(pointer ...string) (line, column int) {
	if d == nil {
		return 0, 0
	}
	return d.position(pointer)
}

// Pointer returns the path of the value at a position in the file: the outermost of the values
// that begin there, else the innermost that began before.
func (d *Document) Pointer(line, column int) (steps []string) {
	n := d.root
	for !isAt(n, line, column) {
		step, next := lastBefore(n, line, column)
		if next == nil {
			break
		}
		n, steps = next, append(steps, step)
	}
	return steps
}

// isAt reports whether a value begins at a position.
func isAt(n *yaml.Node, line, column int) bool { return n.Line == line && n.Column == column }

// lastBefore returns the last field or element that begins at or before a position, nil if
// there is none.
func lastBefore(n *yaml.Node, line, column int) (step string, child *yaml.Node) {
	begun := func(n *yaml.Node) bool {
		return n.Line < line || n.Line == line && n.Column <= column
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content) && begun(n.Content[i]); i += 2 {
			step, child = n.Content[i].Value, n.Content[i+1]
		}
	case yaml.SequenceNode:
		for i := 0; i < len(n.Content) && begun(n.Content[i]); i++ {
			step, child = strconv.Itoa(i), n.Content[i]
		}
	}
	return step, child
}

func (d *Document) position(pointer []string) (line, column int) {
	n := d.at(pointer)
	return n.Line, n.Column
}

// written returns the value of a top-level field as the author wrote it.
func (d *Document) written(field string) string {
	return cmp.Or(d.at([]string{field}).Value, string(d.Body.Get(field)))
}

// at follows a pointer as far as possible.
func (d *Document) at(pointer []string) *yaml.Node {
	n := d.root
	for _, step := range pointer {
		next := childOf(n, step)
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

func childOf(n *yaml.Node, step string) *yaml.Node {
	if n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
	}
	_, value := fieldNodes(n, step)
	return value
}
