package check

import (
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
)

// selfReferences finds references of an item to itself.
func (r *reviewer) selfReferences(o *File) {
	for _, ref := range o.References {
		if ref.Item != o.Item() || r.isFull(o.doc.Path, content.Error) {
			continue
		}
		r.addWithAbout(o, foundAt(o.doc.Path, ref.Line, ref.Column, say("circle", "itself", nil)))
	}
}

// successors finds marks whose replacement does not exist, or leads back to the item through
// further replacements.
func (r *reviewer) successors() {
	next := map[string]string{}
	for _, m := range r.Marks {
		if m.ReplacedBy != "" && m.Version == "" {
			next[m.Item] = m.ReplacedBy
		}
	}
	told := map[string]bool{}
	for i, m := range r.Marks {
		if m.ReplacedBy == "" || r.isFull(content.LifecycleFile, content.Error) {
			continue
		}
		at := []string{"marks", strconv.Itoa(i), "replaced_by"}
		if m.Version != "" {
			r.addRoot(content.LifecycleFile, at, content.Warning, say("mark", "side", nil))
			continue
		}
		if !r.exists(m.ReplacedBy) {
			s := say("mark", "replaced", args{"item": m.Item, "by": m.ReplacedBy}).Guess(r.near(m.ReplacedBy))
			r.addRoot(content.LifecycleFile, at, content.Warning, s)
			continue
		}
		circle := circleOf(next, m.Item)
		if circle == nil || told[m.Item] {
			continue
		}
		for _, item := range circle {
			told[item] = true
		}
		way := strings.Join(append(circle, m.Item), " → ")
		r.addRoot(content.LifecycleFile, at, content.Error, say("circle", "replaced", args{"item": m.Item, "way": way}))
	}
}

// maxCircle is the maximum length of a chain of replacements.
const maxCircle = 100

// circleOf returns the items of the cycle through an item, nil if there is none.
func circleOf(next map[string]string, item string) []string {
	way := []string{item}
	for at := next[item]; at != "" && len(way) < maxCircle; at = next[at] {
		if at == item {
			return way
		}
		if slices.Contains(way, at) {
			return nil // a cycle without the first item, reported for its own marks
		}
		way = append(way, at)
	}
	return nil
}
