package loader

import (
	"slices"

	"rulestore/content"
)

// markChange is what a signed commit did to the marks.
type markChange struct {
	signedVersion[lifecycle]
	begun, ended []content.Mark
}

// markChanges returns what signed commits did to the marks, which made some versions of lifecycle.yaml, newest
// first. A commit begins what none of its parents has, and ends what all of them have: the rest is the work of
// others. The first signed version of the file takes over the marks that it has.
func (b *build) markChanges(versions []signedVersion[lifecycle]) (all []markChange, err error) {
	for _, v := range versions {
		c := markChange{signedVersion: v, begun: v.value.marks}
		commit, _ := b.history.Commit(v.At)
		for i, parent := range commit.Parents {
			at, _ := b.history.At(parent, content.LifecycleFile)
			before, _, err := b.readLifecycle(at.File)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				c.ended = marksWithout(before.marks, v.value.marks)
			}
			c.ended = marksOfBoth(c.ended, before.marks)
			c.begun = marksWithout(c.begun, before.marks)
		}
		all = append(all, c)
	}
	for i := range all {
		c := &all[i]
		if !c.buildsOnOneOf(all) {
			c.begun = c.value.marks
		}
	}
	return all, nil
}

// buildsOnOneOf reports whether a change descends from another one. The oldest are asked first: nearly
// every change descends from them, so that a long history is not compared pair by pair.
func (c markChange) buildsOnOneOf(all []markChange) bool {
	for _, o := range slices.Backward(all) {
		if o.At != c.At && c.builds(o.At) {
			return true
		}
	}
	return false
}

// marksWithout returns the marks that are not in another list.
func marksWithout(marks, others []content.Mark) (added []content.Mark) {
	held := make(map[content.Mark]bool, len(others))
	for _, m := range others {
		held[m] = true
	}
	for _, m := range marks {
		if !held[m] {
			added = append(added, m)
		}
	}
	return added
}

func marksOfBoth(a, b []content.Mark) []content.Mark { return marksWithout(a, marksWithout(a, b)) }

// marksBy returns the marks in force by a version: those that a signed commit before it began and
// none after that ended.
func marksBy(v signedVersion[lifecycle], changes []markChange) (marks []content.Mark) {
	begun, ended := map[content.Mark][]markChange{}, map[content.Mark][]markChange{}
	all := slices.Clone(v.value.marks)
	for _, c := range changes {
		if !v.builds(c.At) {
			continue
		}
		for _, m := range c.begun {
			if begun[m] == nil {
				all = append(all, m)
			}
			begun[m] = append(begun[m], c)
		}
		for _, m := range c.ended {
			ended[m] = append(ended[m], c)
		}
	}
	seen := map[content.Mark]bool{}
	for _, m := range all {
		if !seen[m] && slices.ContainsFunc(begun[m], func(from markChange) bool {
			return !slices.ContainsFunc(ended[m], func(to markChange) bool { return to.builds(from.At) })
		}) {
			marks = append(marks, m)
		}
		seen[m] = true
	}
	return marks
}

// reportUnsigned reports the marks whose beginning or end nobody signed, although a version that is
// signed has or lacks them.
func (b *build) reportUnsigned(written, inForce []content.Mark, changes []markChange) {
	add := func(text content.RuleText) { b.report.Add(warning(content.LifecycleFile, text)) }
	for _, m := range marksWithout(inForce, written) {
		last := slices.IndexFunc(changes, func(c markChange) bool { return slices.Contains(c.value.marks, m) })
		add(say("unsigned", "end", args{
			"status": string(m.Status), "item": markedItem(m), "commit": changes[last].At.String()[:12],
		}))
	}
	for _, m := range marksWithout(written, inForce) {
		add(say("unsigned", "beginning", args{"status": string(m.Status), "item": markedItem(m)}))
	}
}

// markedItem names what a mark is about.
func markedItem(m content.Mark) string {
	if m.Version == "" {
		return m.Item
	}
	return m.Item + " " + m.Version
}
