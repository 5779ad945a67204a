package check

import (
	"fmt"
	"slices"

	"rulestore/content"
)

// takesAway reports whether a mark takes an item away as a whole.
func removesItem(m content.Mark) bool {
	return m.Version == "" && (m.Status == content.Archived || m.Status == content.Redacted)
}

// maxReferrers is how many items a finding lists: more than a person goes through at once.
const maxReferrers = 20

// markedAway finds who refers to an item that a mark takes away.
func (r *reviewer) referrersOfRemoved(i int, m content.Mark) {
	by := r.referrers(m.Item)
	if !removesItem(m) || len(by) == 0 || r.isFull(content.LifecycleFile, content.Warning) {
		return
	}
	r.addRoot(content.LifecycleFile, []string{"marks", fmt.Sprint(i), "item"}, content.Warning,
		sayReferrers(m, by).Advise(say("referred", "publish", nil)))
}

// whoRefers says who of a list of items does, as many of them as a finding has room for.
func sayReferrers(m content.Mark, by []string) content.Said {
	switch more := len(by) - maxReferrers; {
	case len(by) == 1:
		return say("referred", "one", args{"item": m.Item, "status": m.Status, "by": by})
	case more > 0:
		return say("referred", "many", args{"item": m.Item, "status": m.Status, "by": by[:maxReferrers], "more": more})
	}
	return say("referred", "some", args{"item": m.Item, "status": m.Status, "by": by})
}

// referrers lists the items that refer to one and are not marked away themselves.
func (r *reviewer) referrers(item string) (by []string) {
	for _, f := range r.Items {
		away := slices.ContainsFunc(r.Marks, func(m content.Mark) bool { return m.Item == f.Item() && removesItem(m) })
		if f.OK() && !away && slices.ContainsFunc(f.References, func(ref content.Reference) bool { return ref.Item == item }) {
			by = append(by, f.Item())
		}
	}
	slices.Sort(by)
	return by
}
