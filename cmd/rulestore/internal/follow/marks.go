package follow

import (
	"fmt"
	"slices"

	"rulestore/content"
)

// newMarks lists the versions that marks withdrew or restored between two snapshots, with the
// current version since. Otherwise a log would state no change.
func newMarks(old, next *content.Snapshot) (all []string) {
	for _, item := range next.Items {
		before := old.Item(item.Kind, item.Name)
		if before == nil || before == item {
			continue
		}
		statuses := make(map[string]content.Status, len(before.Entries)) // there may be thousands of versions
		for _, b := range before.Entries {
			statuses[b.Tag()] = b.Status
		}
		for _, e := range item.Entries {
			was, ok := statuses[e.Tag()]
			if ok && statusByMark(was) != statusByMark(e.Status) {
				all = append(all, fmt.Sprintf("%s %s (current: %s)", e.Tag(), became(was, e.Status), currentOf(item)))
			}
		}
	}
	return all
}

// statusByMark returns a status if it is set by marks, else none.
func statusByMark(s content.Status) content.Status {
	if slices.Contains([]content.Status{content.Archived, content.ReviewRequired, content.Redacted}, s) {
		return s
	}
	return ""
}

func became(old, now content.Status) string {
	if statusByMark(now) == "" {
		return "no longer " + string(old)
	}
	return string(now)
}

func currentOf(item *content.Item) string {
	if item.Current == nil {
		return "none"
	}
	return "v" + item.Current.Version.String()
}
