package loader

import (
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/loader/git"
)

// lifecycle is what a state of lifecycle.yaml says.
type lifecycle struct {
	marks []content.Mark
	valid bool
}

// markChange is what a signed commit did to the marks.
type markChange struct {
	git.Version
	marks        []content.Mark // after it
	begun, ended []content.Mark
	builds       func(git.OID) bool // its ancestors, itself included
}

// markChanges returns what signed commits did to the marks, newest first. A commit begins what none
// of its parents has, and ends what all of them have: the rest is the work of others. A merge that decides
// for a version begins what that has, and ends what the others have. The first signed version of
// the file takes over the marks that it has.
func (b *build) markChanges() (all []markChange, err error) {
	versions, err := b.versions(content.LifecycleFile)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		made, err := b.madeBySigners(v.At, content.LifecycleFile, map[git.OID]bool{})
		if err != nil {
			return nil, err
		}
		now, err := b.lifecycleIn(v.File)
		if err != nil {
			return nil, err
		}
		if !made || !now.valid {
			continue
		}
		c := markChange{Version: v, marks: now.marks, begun: now.marks, builds: b.history.Ancestors(v.At)}
		commit, _ := b.history.Commit(v.At)
		decides := v.Changed.OID != v.At
		for i, parent := range commit.Parents {
			at, _ := b.history.At(parent, content.LifecycleFile)
			before, err := b.lifecycleIn(at.File)
			if err != nil {
				return nil, err
			}
			gone := marksWithout(before.marks, now.marks)
			switch {
			case decides:
				c.ended = append(c.ended, gone...)
				continue
			case i == 0:
				c.ended = gone
			default:
				c.ended = marksOfBoth(c.ended, before.marks)
			}
			c.begun = marksWithout(c.begun, before.marks)
		}
		all = append(all, c)
	}
	for i := range all {
		c := &all[i]
		if !c.buildsOnOneOf(all) {
			c.begun = c.marks
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

func marksOfBoth(a, b []content.Mark) []content.Mark { return marksWithout(a, marksWithout(a, b)) }

// lifecycleIn reads a state of lifecycle.yaml, which is empty if there is no usable file.
func (b *build) lifecycleIn(f git.File) (lifecycle, error) {
	if l, known := b.cache.lifecycles.get(f); known || f.Mode == git.Absent {
		return l, nil
	}
	var l lifecycle
	raw, refusal, err := b.file(f, content.LifecycleFile)
	if err != nil {
		return l, err
	}
	if len(refusal) == 0 && crash.Do(func() {
		marks, findings := check.Lifecycle(b.Schemas, raw)
		if l = (lifecycle{marks, len(findings) == 0}); !l.valid {
			l.marks = check.MarksIn(raw)
		}
	}) != nil {
		l = lifecycle{}
	}
	return b.cache.lifecycles.keep(f, l), nil
}

// marksBy returns the marks in force by a version: those that a signed commit before it began and
// none after that ended.
func marksBy(v signedVersion[[]content.Mark], changes []markChange) (marks []content.Mark) {
	begun, ended := map[content.Mark][]markChange{}, map[content.Mark][]markChange{}
	all := slices.Clone(*v.value)
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
		last := slices.IndexFunc(changes, func(c markChange) bool { return slices.Contains(c.marks, m) })
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
