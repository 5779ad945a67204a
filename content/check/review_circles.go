package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
)

// itself finds references of an item to itself, which lead nowhere.
func (r *reviewer) itself(o *opened) {
	for _, ref := range o.References {
		if ref.Item != o.Item() || r.full(o.doc.Path, content.Error) {
			continue
		}
		f := o.doc.finding(nil, "circle", "it refers to itself", "name another item, or remove the reference")
		f.Line, f.Column = ref.Line, ref.Column
		r.keepFor(o, f)
	}
}

// successors finds marks that name something in place of an item and lead nowhere: to
// nothing, or back to where they began.
func (r *reviewer) successors() {
	next := map[string]string{}
	for _, m := range r.Marks {
		if m.ReplacedBy != "" && m.Version == "" {
			next[m.Item] = m.ReplacedBy
		}
	}
	told := map[string]bool{}
	for i, m := range r.Marks {
		if m.ReplacedBy == "" || r.full(content.LifecycleFile, content.Error) {
			continue
		}
		at := []string{"marks", strconv.Itoa(i), "replaced_by"}
		if m.Version != "" {
			r.addRoot(content.LifecycleFile, at, "mark", content.Warning, "replaced_by stands in the mark of one version", "the next version replaces it: remove replaced_by, or mark the whole item")
			continue
		}
		if !r.exists(m.ReplacedBy) {
			folder, name, _ := strings.Cut(m.ReplacedBy, "/")
			r.addRoot(content.LifecycleFile, at, "mark", content.Warning, fmt.Sprintf("%s is replaced by %s, which is neither in the repository nor published", m.Item, m.ReplacedBy),
				didYouMean(name, r.names(folder), "correct the item: folder and name, for example guidelines/product.common.001"))
			continue
		}
		circle := circleOf(next, m.Item)
		if circle == nil || told[m.Item] {
			continue
		}
		for _, item := range circle {
			told[item] = true
		}
		r.addRoot(content.LifecycleFile, at, "circle", content.Error, fmt.Sprintf("%s is replaced by itself: %s", m.Item, strings.Join(append(circle, m.Item), " → ")),
			"one of them is in force: remove replaced_by from its mark")
	}
}

// maxCircle is how many steps are followed: a chain of replacements is short.
const maxCircle = 100

// circleOf returns the items on the way from one back to itself, nil if there is none.
func circleOf(next map[string]string, item string) []string {
	way := []string{item}
	for at := next[item]; at != "" && len(way) < maxCircle; at = next[at] {
		if at == item {
			return way
		}
		if slices.Contains(way, at) {
			return nil // a circle further on, which its own marks tell
		}
		way = append(way, at)
	}
	return nil
}
