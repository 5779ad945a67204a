package loader

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/loader/git"
)

// Which line counts, if a tag has had several in the history of the branch: somebody changed a seal, or
// two branches sealed one number.
//
//  1. The line in the log, of several the one that was logged first.
//  2. The line whose commit is an ancestor of those of all others.
//  3. The line that the tag agrees with, if the tag is reachable from the branch and, with trusted signers,
//     signed: [facts.resolveContested].
//  4. None. Nothing is served under the tag.
//
// Neither the order of a merge's parents nor dates nor names of branches decide anything: whoever pushes
// chooses them, and an author's `git pull` swaps parents every day. A commit counts for a line if it has the
// line and none of its parents has; with trusted signers only if one of them signed it.
//
// A change may rewrite its own seals before it is merged: a line that a commit took away, or that a merge decided
// against for another one, and that was merged after that with a side that never had it, counts only if the log has
// it or the tag agrees with it, which shows that it was published.

// settle determines the line in force for a tag, and reports whether it is another than before.
func (fs *facts) settle(f *sealFile, t *sealedTag, logged *log.Log) (changed bool, err error) {
	before := *t
	if err := fs.readDecisions(f, t); err != nil {
		return false, err
	}
	t.inForce, t.candidates, t.disputed = firstLogged(t.lines, logged), nil, false
	switch {
	case !t.isContested():
		t.inForce = t.lines[0]
	case t.inForce == nil:
		standing := t.lines
		if len(t.lines) <= maxRewritten {
			standing = slices.DeleteFunc(slices.Clone(t.lines), func(l *sealLine) bool { return fs.takenBack(f, l) })
		}
		first := fs.first(standing)
		t.inForce = agreed(first)
		t.candidates, t.disputed = slices.Clone(first), len(first) > 0 && t.inForce == nil
		if len(standing) < len(t.lines) {
			for _, l := range fs.first(t.lines) {
				if !slices.Contains(first, l) {
					t.candidates = append(t.candidates, l)
				}
			}
		}
	}
	slices.SortFunc(t.candidates, func(x, y *sealLine) int { return strings.Compare(x.text, y.text) })
	return t.inForce != before.inForce || t.disputed != before.disputed, nil
}

// maxRewritten is the maximum number of lines for one tag of which it is asked whether a change took them
// back before it was merged, each of which takes a walk through the history.
const maxRewritten = 1000

// maxDecided is the maximum number of lines for one tag between which people decide in merges.
const maxDecided = 16

// readDecisions adds to the commits that took lines away the merges that decided between two: they have one line
// for the tag, and not the one that a parent has. Each merge is looked at once.
func (fs *facts) readDecisions(f *sealFile, t *sealedTag) error {
	a, path := fs.ancestry(), content.SealsPath(f.item)
	if len(t.lines) < 2 || len(t.lines) > maxDecided {
		return nil
	}
	for ; t.read < len(a.ids); t.read++ {
		if len(a.parents[t.read]) < 2 {
			continue
		}
		merge := a.ids[t.read]
		now, _ := fs.history.At(merge, path)
		for _, p := range a.parents[t.read] {
			at, _ := fs.history.At(a.ids[p], path)
			if at.OID == now.OID && at.Mode == now.Mode {
				continue
			}
			side, _, err := fs.sealsText(f, at.File)
			here, _, e := fs.sealsText(f, now.File)
			signed, e2 := fs.isTrusted(merge)
			if err := errors.Join(err, e, e2); err != nil {
				return err
			}
			if signed {
				t.decide(merge, here, side)
			}
		}
	}
	return nil
}

// decide records what a merge has not of the lines of one of its parents, if it has another line.
func (t *sealedTag) decide(merge git.OID, now, side []byte) {
	has := func(l *sealLine) bool { return content.HasLine(now, l.text) }
	if !slices.ContainsFunc(t.lines, has) {
		return
	}
	for _, l := range t.lines {
		if !has(l) && content.HasLine(side, l.text) && !slices.Contains(l.taken, merge) {
			l.taken = append(l.taken, merge)
		}
	}
}

// firstLogged returns the line that is in the log, of several the one that was logged first; nil if there is
// none.
func firstLogged(lines []*sealLine, logged *log.Log) (first *sealLine) {
	earliest := logged.Size()
	for _, l := range lines {
		if i, ok := logged.Index(log.SealOf(l.Seal)); ok && i < earliest {
			first, earliest = l, i
		}
	}
	return first
}

// takenBack reports whether a change took a line away before it was merged.
func (fs *facts) takenBack(f *sealFile, l *sealLine) bool {
	if len(l.taken) == 0 || content.HasLine(f.text, l.text) {
		return false
	}
	a := fs.ancestry()
	return a.mergedBeside(a.descendants(l.taken), a.descendants(l.added))
}

// first returns the lines that no other precedes: the commits that added a line all descend from one that
// added the other. Lines with the same commits are compared once, as there can be many.
func (fs *facts) first(lines []*sealLine) []*sealLine {
	if len(lines) < 2 {
		return lines
	}
	groups := map[string][]git.OID{}
	for _, l := range lines {
		groups[fmt.Sprint(l.added)] = l.added
	}
	first := map[string]bool{}
	for _, added := range fs.ancestry().first(slices.Collect(maps.Values(groups))) {
		first[fmt.Sprint(added)] = true
	}
	return slices.DeleteFunc(slices.Clone(lines), func(l *sealLine) bool { return !first[fmt.Sprint(l.added)] })
}

// agreed returns the line in force if all seal the same content, so that they do not compete: the one with
// the latest date, so that none of them claims more than all do. Else it returns nil.
func agreed(lines []*sealLine) (latest *sealLine) {
	for _, l := range lines {
		switch {
		case latest != nil && l.Checksum != latest.Checksum:
			return nil
		case latest == nil || l.PublishedAt.After(latest.PublishedAt):
			latest = l
		}
	}
	return latest
}

// resolveContested gives a claim whose tag has had several lines the one that the tag agrees with, if that
// may count. It reports whether the claim can go on: else it is refused, or a mark declared it void.
func (fs *facts) resolveContested(c *claim) (goesOn bool, err error) {
	t := fs.seals.of(c.name)
	if t == nil || len(t.candidates) == 0 {
		return true, nil
	}
	c.outcome.final = false
	seal, err := fs.sealOfTagged(c, t.candidates)
	switch {
	case err != nil:
		return false, err
	case seal != nil:
		c.seal = seal
		fs.reportOthers(c)
	case t.disputed && !c.void:
		c.refuse(fs.disputed(c, t))
	}
	return seal != nil || !t.disputed, nil
}

// reportOthers reports lines at the head that the tag of a claim decided against.
func (fs *facts) reportOthers(c *claim) {
	f := fs.seals.files[content.SealsPath(c.item())]
	head := &sealState{sealFile: f, history: fs.history, path: f.head.Path, raw: f.text}
	first := f.tags[c.name].line(*c.seal)
	for n, text := range content.Lines(f.text) {
		if l := f.lines[text]; l != nil && l.Tag == c.name && l != first && f.tags[c.name].inForce == nil {
			c.report(head.second(n, text, first.text))
		}
	}
}

// sealOfTagged returns the seal among some lines that matches the content of the tagged commit,
// nil if there is none, or if the tag does not count.
func (fs *facts) sealOfTagged(c *claim, lines []*sealLine) (*content.Seal, error) {
	if !fs.tagCounts(c) || !c.hasFile() {
		return nil, nil
	}
	it, err := fs.itemFile(c.Tag, c.at.File)
	if err != nil || !it.parsed().OK() {
		return nil, err
	}
	sum, err := c.checksum(it, c.at.OID)
	if err != nil {
		return nil, nil // what has no checksum was not sealed
	}
	return fs.nearest(c, lines, sum), nil
}

// tagCounts reports whether the tag of a claim can decide: it is reachable from the branch and,
// with trusted signers, signed by one of them.
func (fs *facts) tagCounts(c *claim) bool {
	return c.tagged() && c.unsigned == nil && fs.history.Contains(c.tag.Commit)
}

// nearest returns, of the lines that seal some content, the one whose date is nearest to that
// of the tag; nil if there is none. Otherwise another line with the same content, merged from
// another branch, could postpone or backdate the publication.
func (fs *facts) nearest(c *claim, lines []*sealLine, sum string) (nearest *content.Seal) {
	away := func(s *content.Seal) time.Duration { return s.PublishedAt.Sub(fs.taggedAt(c)).Abs() }
	for _, l := range lines {
		if l.Checksum == sum && (nearest == nil || away(&l.Seal) < away(nearest)) {
			nearest = &l.Seal
		}
	}
	return nearest
}

// maxNamedLines is the maximum number of seals in a finding.
const maxNamedLines = 5

// disputed is the finding about a tag of which nothing says which line counts.
func (fs *facts) disputed(c *claim, t *sealedTag) content.Finding {
	var from content.AllOf
	for _, l := range t.candidates[:min(len(t.candidates), maxNamedLines)] {
		from = append(from, say("seal", "commit", args{"commit": l.by(fs.history).String()[:12]}))
	}
	tag := quotedRef(c.name)
	s := say("seal-twice", "dispute", args{"from": from, "tag": tag})
	if fs.Signers != nil {
		s = s.Advise(say("seal-twice", "sign", args{"tag": tag}))
	}
	path := content.SealsPath(c.item())
	return finding(fs.history.Where(fs.refs.Commit, path), s)
}
