package check

import (
	"encoding/json"
	"strconv"

	"rulestore/content"
)

// steps finds steps whose numbers differ from their places, counted from 1: readers use the
// number, programs the place, and both must give the same order.
func (d *Document) steps(at []string, value any, f *content.Field) (found []content.Finding) {
	switch v := value.(type) {
	case map[string]any:
		if f == nil {
			return nil
		}
		for _, g := range f.Fields {
			if hasChildren(g) {
				found = append(found, d.steps(below(at, g.Name), v[g.Name], g)...)
			}
		}
	case []any:
		if f == nil || f.Items == nil {
			return nil
		}
		numbered := f.Ordered && f.Items.Field("step") != nil
		first := map[int]int{}
		for i, e := range v {
			here := below(at, strconv.Itoa(i))
			found = append(found, d.steps(here, e, f.Items)...)
			if step, ok := stepOf(e); numbered && ok {
				found = append(found, d.step(here, i, step, first)...)
			}
		}
	}
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
