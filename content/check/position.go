package check

import (
	"cmp"
	"strconv"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// finding is an error at a value.
func (d *Document) finding(pointer []string, rule, message, hint string) content.Finding {
	line, column := d.position(pointer)
	return content.Finding{Path: d.Path, Line: line, Column: column, Rule: rule, Severity: content.Error, Message: clipped(message), Hint: hint}
}

// maxFindings is how many findings a file can have: more than a person mends
// before asking again.
const maxFindings = 100

// capped leaves out the findings beyond that, and says so.
func capped(found []content.Finding) []content.Finding {
	if len(found) <= maxFindings {
		return found
	}
	found = found[:maxFindings+1]
	last := &found[maxFindings]
	last.Rule, last.Message, last.Hint = "more", "there is more to mend from here on", "mend what is above and check again"
	return found
}

// clipped shortens a message that quotes a long text.
func clipped(message string) string {
	const head, tail = 200, 100
	if r := []rune(message); len(r) > head+tail {
		return string(r[:head]) + " … " + string(r[len(r)-tail:])
	}
	return message
}

// keyFinding is an error at the name of a field.
func (d *Document) keyFinding(pointer []string, key, rule, message, hint string) content.Finding {
	f := d.finding(pointer, rule, message, hint)
	if n := d.at(pointer); n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				f.Line, f.Column = n.Content[i].Line, n.Content[i].Column
			}
		}
	}
	return f
}

// Position returns the place of a value in a file, or of what holds it, as far as
// the pointer leads; 0 and 0 if the file cannot be read.
func Position(path string, raw []byte, pointer ...string) (line, column int) {
	doc, _ := Parse(path, raw)
	if doc == nil {
		return 0, 0
	}
	return doc.position(pointer)
}

func (d *Document) position(pointer []string) (line, column int) {
	n := d.at(pointer)
	return n.Line, n.Column
}

// written returns the value of a top-level field as the author wrote it.
func (d *Document) written(field string) string {
	return cmp.Or(d.at([]string{field}).Value, string(d.Body.Get(field)))
}

// at follows a pointer as far as it leads.
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
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				return n.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
	}
	return nil
}
