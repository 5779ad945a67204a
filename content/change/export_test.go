package change

import "rulestore/content"

// Fields compares two bodies with a budget of its own.
func Fields(k *content.Kind, root *content.Field, before, after content.Object) []Field {
	return fields(newEffort(), k, root, before, after)
}

// Words compares two texts with a budget of its own, word by word.
func Words(before, after string) []Segment {
	segments, _ := NewEffort().byWord(before, after)
	return segments
}
