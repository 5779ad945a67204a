package loader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// settleRivals determines the seal in force for tags that have several lines. It is the one
// whose commit is an ancestor of those of all others, whatever the order of the parents of
// merges, which is chosen by whoever pushes. If there is none, the seals are in dispute: no
// commit decides, since one could be pushed that was never meant for the branch, but the tag
// does ([build.sealOfTagged]). Lines that seal the same content do not compete: the latest date
// is in force, so that none of them claims more than all do, unless the tag has another
// ([build.preferTagged]).
func (b *build) settleRivals(l *sealHistory) error {
	if len(l.rivals) == 0 {
		return nil
	}
	var lines []string
	for _, r := range l.rivals {
		lines = append(lines, r.lines...)
	}
	versions := b.history.Versions(places(lines...)...)
	if l.compared == len(versions) {
		return nil
	}
	o, err := b.readIntroductions(lines, versions)
	if err != nil {
		return err
	}
	for tag, r := range l.rivals {
		r.lines = b.ordered(l, r.lines)
		r.candidates = o.first(r.lines)
		line := l.agreed(r.candidates)
		if line == "" && b.Signers == nil {
			line = l.firstOnBranch(r)
		}
		switch {
		case line == "":
			l.contest(tag)
		case l.inForce[tag].line != line:
			seal, _ := content.ParseSeal(line) // parsed when it was read
			l.enforce(seal, line)
		}
		r.disputed = line == ""
		l.rivals[tag] = r
		for _, text := range r.lines {
			l.writtenIn[text] = o.describe(text)
		}
	}
	l.compared, l.reviewed = len(versions), false
	return nil
}

// ordered returns competing lines in an order that does not depend on when loads read them: those
// of the branch itself in its order, and the others, or with trusted signers all, by their text.
func (b *build) ordered(l *sealHistory, lines []string) []string {
	key := func(text string) string {
		if b.Signers == nil && l.counts(text) {
			return ""
		}
		return text
	}
	lines = slices.Clone(lines)
	slices.SortStableFunc(lines, func(x, y string) int { return strings.Compare(key(x), key(y)) })
	return lines
}

// agreed returns the line in force if all seal the same content, "" if they do not, or if none
// was on the branch itself.
func (l *sealHistory) agreed(lines []string) (line string) {
	var latest content.Seal
	for i, text := range lines {
		seal, _ := content.ParseSeal(text) // parsed when it was read
		if i > 0 && seal.Checksum != latest.Checksum {
			return ""
		}
		if latest.Checksum = seal.Checksum; !l.counts(text) {
			continue
		}
		if line == "" || seal.PublishedAt.After(latest.PublishedAt) {
			latest, line = seal, text
		}
	}
	return line
}

// introductions are the commits that introduced competing seals: commits that have a line in any
// valid file and whose parents do not. So moving a line from one file to another does not
// introduce it.
type introductions struct {
	build     *build
	commits   map[string][]gitrepo.OID               // by line
	lines     map[gitrepo.File]map[string]bool       // the competing lines in a state of a file
	ancestors map[gitrepo.OID]func(gitrepo.OID) bool // ancestors of commits
}

// readIntroductions determines which of all versions of the files introduced some lines.
func (b *build) readIntroductions(lines []string, versions []gitrepo.Version) (*introductions, error) {
	o := &introductions{
		b, map[string][]gitrepo.OID{}, map[gitrepo.File]map[string]bool{}, map[gitrepo.OID]func(gitrepo.OID) bool{},
	}
	competing := map[string]bool{}
	for _, text := range lines {
		competing[text] = true
	}
	for _, v := range slices.Backward(versions) {
		if err := o.readLines(v.File, competing); err != nil {
			return nil, err
		}
	}
	for _, v := range slices.Backward(versions) {
		brought, err := o.introducedBy(v)
		if err != nil {
			return nil, err
		}
		for text := range brought {
			o.commits[text] = append(o.commits[text], v.At)
		}
	}
	return o, nil
}

// readLines records which of the lines a state of a file has, if it counts.
func (o *introductions) readLines(f gitrepo.File, competing map[string]bool) error {
	if _, known := o.lines[f]; known {
		return nil
	}
	text, read, err := o.build.sealsOf(f)
	if err != nil || !read {
		return err
	}
	raw := text.Bytes()
	held := map[string]bool{}
	for _, text := range numbered(raw) {
		if competing[text] && isSealsFileOf(f.Path, tagOf(text)) {
			held[text] = true
		}
	}
	if len(held) > 0 && !validSeals(raw) {
		held = nil
	}
	o.lines[f] = held
	return nil
}

// hasLine reports whether a commit has a line.
func (o *introductions) hasLine(commit gitrepo.OID, text string) bool {
	return slices.ContainsFunc(places(text), func(path string) bool {
		v, exists := o.build.history.At(commit, path)
		return exists && o.lines[v.File][text]
	})
}

// introducedBy returns the lines that a commit has and none of its parents has; with trusted
// signers, those that it vouches for.
func (o *introductions) introducedBy(v gitrepo.Version) (map[string]bool, error) {
	c, _ := o.build.history.Commit(v.At)
	brought := map[string]bool{}
	for text := range o.lines[v.File] {
		if !slices.ContainsFunc(c.Parents, func(p gitrepo.OID) bool { return o.hasLine(p, text) }) {
			brought[text] = true
		}
	}
	if len(brought) == 0 || o.build.Signers == nil {
		return brought, nil
	}
	if ok, err := o.build.isTrusted(c.OID); !ok || err != nil {
		return nil, err
	}
	added, err := o.build.added(c, v.Path)
	for text := range brought {
		if !added[text] {
			delete(brought, text)
		}
	}
	return brought, err
}

// first returns the lines that may be first: those that no other precedes. Lines with the same
// commits are compared once, as there can be many.
func (o *introductions) first(lines []string) []string {
	others := map[string][]gitrepo.OID{} // without duplicates
	for _, text := range lines {
		others[fmt.Sprint(o.commits[text])] = o.commits[text]
	}
	return slices.DeleteFunc(slices.Clone(lines), func(text string) bool {
		commits := o.commits[text]
		for _, other := range others {
			if o.precede(other, commits) {
				return true
			}
		}
		return false
	})
}

// precede reports whether all of the later commits, which introduced a line, descend from one of those
// that introduced another.
func (o *introductions) precede(commits, later []gitrepo.OID) bool {
	if len(commits) == 0 || len(later) == 0 {
		return false
	}
	return !slices.ContainsFunc(later, func(c gitrepo.OID) bool { return !o.descends(c, commits) })
}

// descends reports whether a commit descends from one of others.
func (o *introductions) descends(commit gitrepo.OID, from []gitrepo.OID) bool {
	ancestor := o.ancestors[commit]
	if ancestor == nil {
		ancestor = o.build.history.Ancestors(commit)
		o.ancestors[commit] = ancestor
	}
	return slices.ContainsFunc(from, func(c gitrepo.OID) bool { return c != commit && ancestor(c) })
}

// describe returns the origin of a line.
func (o *introductions) describe(line string) content.RuleText {
	if len(o.commits[line]) == 0 {
		return say("seal", "nobody", nil)
	}
	return say("seal", "commit", args{"commit": o.commits[line][0].String()[:12]})
}

// firstOnBranch returns the first of the candidates on the branch itself, "" if a merge left one
// of the lines out, which gives no order. Whoever pushes chooses the branch itself, so this is for
// branches on which everybody is trusted.
func (l *sealHistory) firstOnBranch(r rivals) string {
	if slices.ContainsFunc(r.lines, func(text string) bool { return !l.counts(text) }) {
		return ""
	}
	return r.lines[slices.IndexFunc(r.lines, func(text string) bool { return slices.Contains(r.candidates, text) })]
}

// resolveDisputed finds the content of a claim whose seals are in dispute; nil if there is none
// that may be served, unless the tag decides.
func (b *build) resolveDisputed(c *claim) (*resolved, error) {
	c.outcome.final = false
	seal, err := b.sealOfTagged(c, b.seals.rivals[c.name].candidates)
	if err != nil {
		return nil, err
	}
	switch {
	case seal == nil && c.void:
		return nil, nil // declared void
	case seal == nil:
		c.refuse(b.disputed(c.name))
		return nil, nil
	}
	c.seal = seal
	return b.resolveSealed(c)
}

// sealOfTagged returns the seal among some lines that matches the content of the tagged commit,
// nil if there is none, or if the tag does not count. So a merge that settles a dispute, in
// whatever way, does not change tagged content.
func (b *build) sealOfTagged(c *claim, lines []string) (*content.Seal, error) {
	if !b.tagCounts(c) || !c.hasFile() {
		return nil, nil
	}
	it, err := b.itemFile(c.Tag, c.at.File)
	if err != nil || !it.parsed().OK() {
		return nil, err
	}
	sum, err := c.checksum(it, c.at.OID)
	if err != nil {
		return nil, nil // what has no checksum was not sealed
	}
	return b.nearest(c, lines, sum), nil
}

// tagCounts reports whether the tag of a claim can decide: it is reachable from the branch and,
// with trusted signers, signed by one of them.
func (b *build) tagCounts(c *claim) bool {
	return c.tagged() && c.unsigned == nil && b.history.Contains(c.tag.Commit)
}

// nearest returns, of the lines that seal some content, the one whose date is nearest to that
// of the tag; nil if there is none. Otherwise another line with the same content, merged from
// another branch, could postpone or backdate the publication.
func (b *build) nearest(c *claim, lines []string, sum string) (nearest *content.Seal) {
	away := func(s *content.Seal) time.Duration { return s.PublishedAt.Sub(b.taggedAt(c)).Abs() }
	for _, text := range lines {
		seal, _ := content.ParseSeal(text) // parsed when it was read
		if seal.Checksum == sum && (nearest == nil || away(&seal) < away(nearest)) {
			nearest = &seal
		}
	}
	return nearest
}

// preferTagged gives a claim whose tag has several seals the one of the tagged content, with
// its date, if none of the others precedes it.
func (b *build) preferTagged(c *claim) error {
	r, competing := b.seals.rivals[c.name]
	if !competing {
		return nil
	}
	c.outcome.final = false
	seal, err := b.sealOfTagged(c, r.candidates)
	if seal != nil {
		c.seal = seal
	}
	return err
}

// disputed is the finding about a tag whose first seal is ambiguous.
func (b *build) disputed(tag string) content.Finding {
	lines := b.seals.rivals[tag].candidates
	path := b.seals.lastPathOf(lines)
	if len(lines) == 1 {
		return finding(path, say("seal-twice", "left", args{"from": b.seals.writtenIn[lines[0]],
			"line": lines[0]}))
	}
	s := say("seal-twice", "dispute", args{"from": b.writersOf(tag)})
	if b.Signers != nil {
		s = s.Advise(say("seal-twice", "sign", nil))
	}
	return finding(path, s)
}

// lastPathOf returns the file with the last of some lines of one tag on the branch itself, or the
// file for it.
func (l *sealHistory) lastPathOf(lines []string) (path string) {
	path = content.SealsPath(itemName(tagOf(lines[0])))
	for _, text := range lines {
		path = cmp.Or(l.lines[text].lastPath, path)
	}
	return path
}

// writersOf returns the commits that wrote the lines of a tag in dispute.
func (b *build) writersOf(tag string) (from content.AllOf) {
	lines := b.seals.rivals[tag].candidates
	for _, text := range lines[:min(len(lines), maxNamedLines)] {
		from = append(from, b.seals.writtenIn[text])
	}
	return from
}

// maxNamedLines is the maximum number of seals in a finding.
const maxNamedLines = 5
