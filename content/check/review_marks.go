package check

import (
	"fmt"
	"slices"

	"rulestore/content"
)

// removesItem reports whether a mark removes an item as a whole.
func removesItem(m content.Mark) bool {
	return m.Version == "" && (m.Status == content.Archived || m.Status == content.Redacted)
}

// maxReferrers is the maximum number of items that a finding lists.
const maxReferrers = 20

// referrersOfRemoved finds the items that refer to an item removed by a mark.
func (r *reviewer) referrersOfRemoved(i int, m content.Mark) {
	by := r.referrers(m.Item)
	if !removesItem(m) || len(by) == 0 || r.isFull(content.LifecycleFile, content.Warning) {
		return
	}
	r.addRoot(content.LifecycleFile, []string{"marks", fmt.Sprint(i), "item"}, content.Warning,
		sayReferrers(m, by).Advise(say("referred", "publish", nil)))
}

// sayReferrers lists referring items, as many as fit in a finding.
func sayReferrers(m content.Mark, by []string) content.RuleText {
	switch more := len(by) - maxReferrers; {
	case len(by) == 1:
		return say("referred", "one", args{"item": m.Item, "status": m.Status, "by": by})
	case more > 0:
		return say("referred", "many", args{"item": m.Item, "status": m.Status, "by": by[:maxReferrers], "more": more})
	}
	return say("referred", "some", args{"item": m.Item, "status": m.Status, "by": by})
}

// referrers lists the items that refer to an item and are not removed themselves.
func (r *reviewer) referrers(item string) (by []string) {
	for _, f := range r.Items {
		away := slices.ContainsFunc(r.Marks, func(m content.Mark) bool { return m.Item == f.Item() && removesItem(m) })
		if f.OK() && !away &&
			slices.ContainsFunc(f.References, func(ref content.Reference) bool { return ref.Item == item }) {
			by = append(by, f.Item())
		}
	}
	slices.Sort(by)
	return by
}
