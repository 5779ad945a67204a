package check

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// finding is an error at a value.
func (d *Document) finding(pointer []string, rule, message, hint string) content.Finding {
	line, column := d.position(pointer)
	return content.Finding{Path: d.Path, Line: line, Column: column, Rule: rule, Severity: content.Error, Message: message, Hint: hint}
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

func (d *Document) position(pointer []string) (line, column int) {
	n := d.at(pointer)
	return n.Line, n.Column
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
