package check

import (
	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// MarksIn lists the marks in a state of lifecycle.yaml, valid or not, independent of later
// rules and formats. They are the mappings in the list "marks" whose fields are scalars, as
// written; of duplicate fields the first counts. Text that is not YAML has none.
func MarksIn(raw []byte) (marks []content.Mark) {
	first, _, err := decode(raw)
	if err != nil || len(first.Content) == 0 {
		return nil
	}
	list := childOf(first.Content[0], "marks")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	for _, n := range list.Content {
		var m content.Mark
		well := n.Kind == yaml.MappingNode
		for name, to := range map[string]*string{
			"item": &m.Item, "version": &m.Version, "status": (*string)(&m.Status), "reason": &m.Reason,
			"since":       &m.Since,
			"replaced_by": &m.ReplacedBy,
		} {
			if value := childOf(n, name); value != nil {
				well, *to = well && value.Kind == yaml.ScalarNode, value.Value
			}
		}
		if well {
			marks = append(marks, m)
		}
	}
	return marks
}
