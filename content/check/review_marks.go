package check

import (
	"fmt"
	"slices"
	"strings"

	"rulestore/content"
)

// takesAway reports whether a mark takes an item away as a whole.
func takesAway(m content.Mark) bool {
	return m.Version == "" && (m.Status == content.Archived || m.Status == content.Redacted)
}

// markedAway finds who refers to an item that a mark takes away.
func (r *reviewer) markedAway(i int, m content.Mark) {
	by := r.referrers(m.Item)
	if !takesAway(m) || len(by) == 0 || r.full(content.LifecycleFile, content.Warning) {
		return
	}
	message := fmt.Sprintf("%s is marked %s, and %s refers to it", m.Item, m.Status, by[0])
	if len(by) > 1 {
		message = fmt.Sprintf("%s is marked %s, and %s refer to it", m.Item, m.Status, strings.Join(by, ", "))
	}
	r.addRoot(content.LifecycleFile, []string{"marks", fmt.Sprint(i), "item"}, "referred", content.Warning, message,
		"publish versions of them without the reference, or with one to what takes its place")
}

// referrers lists the items that refer to one and are not marked away themselves.
func (r *reviewer) referrers(item string) (by []string) {
	for _, f := range r.Items {
		away := slices.ContainsFunc(r.Marks, func(m content.Mark) bool { return m.Item == f.Item() && takesAway(m) })
		if f.OK() && !away && slices.ContainsFunc(f.References, func(ref content.Reference) bool { return ref.Item == item }) {
			by = append(by, f.Item())
		}
	}
	slices.Sort(by)
	return by
}
