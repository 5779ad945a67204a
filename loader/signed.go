package loader

import (
	"cmp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
)

// signedVersion is a version of a root file made by a trusted signer.
type signedVersion[T any] struct {
	git.Version
	value  *T
	by     content.Signature
	builds func(git.OID) bool // its ancestors, itself included
}

func (v signedVersion[T]) vouched(file string) content.SignedFile {
	return content.SignedFile{File: file, Commit: v.At.String(), SignedBy: v.by}
}

// signedVersions returns the valid versions of a root file that signed commits made, on the branch or merged
// into it, and those of them that are in force, newest first: all but ancestors of others. A commit makes a
// version if the file differs from that of all its parents. Unsigned commits have no influence, and neither
// has the order of a merge's parents; so what one signed commit redacts, only another restores.
//
// There is exactly one in force, unless signers changed the file on parallel branches, until a signed commit
// changes it after that.
func signedVersions[T any](fs *facts, path string, read reader[T]) (all, inForce []signedVersion[T], err error) {
	seen := map[git.OID]bool{}
	for _, v := range fs.history.Versions(path) {
		made, err := fs.madeBySigners(v.At, path, seen)
		if err != nil {
			return nil, nil, err
		}
		if !made || v.Mode == git.Absent {
			continue
		}
		value, findings, err := read(v.File)
		if err != nil {
			return nil, nil, err
		}
		if len(findings) == 0 {
			verdict, _ := fs.verify(v.At) // known by now
			all = append(all, signedVersion[T]{v, value, verdict.by, fs.history.Ancestors(v.At)})
		}
	}
	for _, v := range all {
		if !slices.ContainsFunc(all, func(o signedVersion[T]) bool { return o.At != v.At && o.builds(v.At) }) {
			inForce = append(inForce, v)
		}
	}
	slices.SortFunc(inForce, func(x, y signedVersion[T]) int {
		return cmp.Or(y.Changed.Committed.Compare(x.Changed.Committed), strings.Compare(x.At.String(), y.At.String()))
	})
	return all, inForce, reviewSigned(fs, path, inForce, read)
}

// madeBySigners reports whether a commit that changed a file vouches for its whole content: it
// is signed and, if it is a merge, so are the merged versions. git merges lines of both sides
// automatically, or follows a renamed file.
func (fs *facts) madeBySigners(commit git.OID, path string, seen map[git.OID]bool) (bool, error) {
	made, known := seen[commit]
	if known {
		return made, nil
	}
	v, err := fs.verify(commit)
	if err != nil {
		return false, err
	}
	made = v.err == nil
	if c, _ := fs.history.Commit(commit); made && len(c.Parents) > 1 {
		for _, parent := range c.Parents {
			at, exists := fs.history.At(parent, path)
			if made = made && exists; made {
				made, err = fs.madeBySigners(at.Changed.OID, path, seen)
			}
			if err != nil {
				return false, err
			}
		}
	}
	seen[commit] = made
	return made, nil
}

// reviewSigned reports what is wrong with the version at the head of the branch, or why it is
// not in force.
func reviewSigned[T any](fs *facts, path string, inForce []signedVersion[T], read reader[T]) error {
	used := say("", "unused", nil)
	if len(inForce) > 0 {
		used = say("", "used", args{"commit": inForce[0].At.String()[:12]})
	}
	head, exists := fs.history.At(fs.refs.Commit, path)
	if !exists && len(inForce) == 0 {
		return nil
	}
	_, found, err := read(head.File)
	if err == nil && len(found) == 0 && (len(inForce) != 1 || inForce[0].OID != head.OID) {
		found = make([]content.Finding, 1)
		found[0], err = fs.waits(head, path, len(inForce))
	}
	for _, f := range found {
		fs.report.Add(check.Advise(f, used))
	}
	return err
}

// waits returns the reason why a valid version at the head is not in force, of a number of such
// versions.
func (fs *facts) waits(head git.Version, path string, inForce int) (content.Finding, error) {
	hint := say("unsigned", "commit", nil)
	v, err := fs.verify(head.Changed.OID)
	commit := head.Changed.OID.String()[:12]
	switch {
	case inForce > 1:
		return warning(path, say("unsigned", "beside", nil).Advise(hint)), err
	case v.err == nil:
		unsigned := say("unsigned", "since", args{"commit": commit})
		return warning(path, unsigned.Advise(say("unsigned", "comment", nil))), err
	}
	return warning(path, say("unsigned", "change", args{"commit": commit, "why": whyUnsigned(v)}).Advise(hint)), err
}

// markChange is what a signed commit did to the marks.
type markChange struct {
	signedVersion[lifecycle]
	begun, ended []content.Mark
}

// markChanges returns what signed commits did to the marks, which made some versions of lifecycle.yaml, newest
// first. A commit begins what none of its parents has, and ends what all of them have: the rest is the work of
// others. The first signed version of the file takes over the marks that it has.
func (fs *facts) markChanges(versions []signedVersion[lifecycle]) (all []markChange, err error) {
	for _, v := range versions {
		c := markChange{signedVersion: v, begun: v.value.marks}
		commit, _ := fs.history.Commit(v.At)
		for i, parent := range commit.Parents {
			at, _ := fs.history.At(parent, content.LifecycleFile)
			before, _, err := fs.readLifecycle(at.File)
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
func (fs *facts) reportUnsigned(written, inForce []content.Mark, changes []markChange) {
	add := func(text content.RuleText) { fs.report.Add(warning(content.LifecycleFile, text)) }
	for _, m := range marksWithout(inForce, written) {
		last := slices.IndexFunc(changes, func(c markChange) bool { return slices.Contains(c.value.marks, m) })
		add(say("unsigned", "end", args{
			"status": string(m.Status), "item": m.Subject(), "commit": changes[last].At.String()[:12],
		}))
	}
	for _, m := range marksWithout(written, inForce) {
		add(say("unsigned", "beginning", args{"status": string(m.Status), "item": m.Subject()}))
	}
}
