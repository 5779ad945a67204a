package check

import (
	"encoding/json"
	"strconv"

	"rulestore/content"
)

// steps finds steps whose numbers differ from their places, counted from 1: readers use the
// number, programs the place, and both must give the same order.
func (d *Document) steps(root *content.Field) (found []content.Finding) {
	walk(d.value, root, func(at []string, value any, f *content.Field) {
		if !f.Ordered || f.Items.Field("step") == nil {
			return
		}
		first := map[int]int{}
		list, _ := value.([]any)
		for i, e := range list {
			if step, ok := stepOf(e); ok {
				found = append(found, d.step(below(at, strconv.Itoa(i)), i, step, first)...)
			}
		}
	})
	return found
}

// stepOf returns the number of a step.
func stepOf(e any) (int, bool) {
	object, _ := e.(map[string]any)
	number, _ := object["step"].(json.Number)
	n, err := strconv.Atoi(number.String())
	return n, err == nil
}

// step checks the number of one step; first has the first place of each number.
func (d *Document) step(at []string, i, step int, first map[int]int) []content.Finding {
	j, seen := first[step]
	if !seen {
		first[step] = i
	}
	at = below(at, "step")
	switch {
	case step == i+1:
		return nil
	case seen:
		return []content.Finding{d.finding(
			at, say("step-order", "twice", args{"step": step, "element": j + 1, "place": i + 1}),
		)}
	}
	return []content.Finding{d.finding(at, say("step-order", "place", args{"step": step, "place": i + 1}))}
}
