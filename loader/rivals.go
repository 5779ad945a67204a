package loader

import (
	"cmp"
	"maps"
	"slices"
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
func (b *build) settleRivals(l *sealLog) error {
	if len(l.rivals) == 0 {
		return nil
	}
	rivals := slices.Concat(slices.Collect(maps.Values(l.rivals))...)
	versions := b.history.Versions(places(rivals...)...)
	if l.settled == len(versions) {
		return nil
	}
	o, err := b.readOrigins(rivals, versions)
	if err != nil {
		return err
	}
	for tag, lines := range l.rivals {
		group := o.first(lines)
		l.peers[tag] = group
		line := l.agreed(group)
		if line == "" && b.Signers == nil {
			line = l.firstOnBranch(lines, group)
		}
		l.settle(tag, line, group)
		for _, text := range lines {
			l.wrote[text] = o.name(text)
		}
	}
	l.settled, l.reviewed = len(versions), false
	return nil
}

// settle puts a line in force, or records that the order is unknown.
func (l *sealLog) settle(tag, line string, group []string) {
	switch {
	case line == "":
		l.contest(tag, group)
	case l.text[tag] != line:
		seal, _ := content.ParseSeal(line) // parsed when it was read
		l.enforce(seal, line)
	}
}

// agreed returns the line in force if all seal the same content, "" if they do not, or if none
// was on the branch itself.
func (l *sealLog) agreed(lines []string) (line string) {
	var latest content.Seal
	for i, text := range lines {
		seal, _ := content.ParseSeal(text) // parsed when it was read
		if i > 0 && seal.Checksum != latest.Checksum {
			return ""
		}
		if latest.Checksum = seal.Checksum; l.beside[text] {
			continue
		}
		if line == "" || seal.PublishedAt.After(latest.PublishedAt) {
			latest, line = seal, text
		}
	}
	return line
}

// origins are the commits that introduced competing seals: commits that have a line in any
// valid file and whose parents do not. So moving a line from one file to another does not
// introduce it.
type origins struct {
	build  *build
	of     map[string][]gitrepo.OID               // by line
	held   map[gitrepo.File]map[string]bool       // the competing lines in a state of a file
	before map[gitrepo.OID]func(gitrepo.OID) bool // ancestors of commits
}

// readOrigins determines which of all versions of the files introduced some lines.
func (b *build) readOrigins(lines []string, versions []gitrepo.Version) (*origins, error) {
	o := &origins{
		b, map[string][]gitrepo.OID{}, map[gitrepo.File]map[string]bool{}, map[gitrepo.OID]func(gitrepo.OID) bool{},
	}
	competing := map[string]bool{}
	for _, text := range lines {
		competing[text] = true
	}
	for _, v := range slices.Backward(versions) {
		if err := o.hold(v.File, competing); err != nil {
			return nil, err
		}
	}
	for _, v := range slices.Backward(versions) {
		brought, err := o.brought(v)
		if err != nil {
			return nil, err
		}
		for text := range brought {
			o.of[text] = append(o.of[text], v.At)
		}
	}
	return o, nil
}

// hold records which of the lines a state of a file has, if it counts.
func (o *origins) hold(f gitrepo.File, competing map[string]bool) error {
	if _, known := o.held[f]; known {
		return nil
	}
	text, read, err := o.build.sealsOf(f)
	if err != nil || !read {
		return err
	}
	raw := text.Bytes()
	held := map[string]bool{}
	for _, text := range numbered(raw) {
		if competing[text] && holds(f.Path, tagOf(text)) {
			held[text] = true
		}
	}
	if len(held) > 0 && !validSeals(raw) {
		held = nil
	}
	o.held[f] = held
	return nil
}

// has reports whether a commit has a line.
func (o *origins) has(commit gitrepo.OID, text string) bool {
	return slices.ContainsFunc(places(text), func(path string) bool {
		v, exists := o.build.history.At(commit, path)
		return exists && o.held[v.File][text]
	})
}

// brought returns the lines that a commit has and none of its parents has; with trusted
// signers, those that it vouches for.
func (o *origins) brought(v gitrepo.Version) (map[string]bool, error) {
	c, _ := o.build.history.Commit(v.At)
	brought := map[string]bool{}
	for text := range o.held[v.File] {
		if !slices.ContainsFunc(c.Parents, func(p gitrepo.OID) bool { return o.has(p, text) }) {
			brought[text] = true
		}
	}
	if len(brought) == 0 || o.build.Signers == nil {
		return brought, nil
	}
	if ok, err := o.build.vouched(c.OID); !ok || err != nil {
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

// first returns the lines that may be first: one that precedes all others, or all that it does
// not precede.
func (o *origins) first(lines []string) []string {
	first := lines[0]
	for _, text := range lines[1:] {
		if o.precedes(text, first) {
			first = text
		}
	}
	return slices.DeleteFunc(slices.Clone(lines), func(text string) bool {
		return text != first && o.precedes(first, text)
	})
}

// precedes reports whether all commits that introduced a line descend from one that introduced
// another.
func (o *origins) precedes(line, other string) bool {
	if len(o.of[line]) == 0 || len(o.of[other]) == 0 {
		return false
	}
	return !slices.ContainsFunc(o.of[other], func(later gitrepo.OID) bool { return !o.buildsOn(later, line) })
}

// buildsOn reports whether a commit descends from one that introduced a line.
func (o *origins) buildsOn(commit gitrepo.OID, line string) bool {
	if o.before[commit] == nil {
		o.before[commit] = o.build.history.Ancestors(commit)
	}
	return slices.ContainsFunc(o.of[line], func(c gitrepo.OID) bool { return c != commit && o.before[commit](c) })
}

// name returns the origin of a line.
func (o *origins) name(line string) content.Said {
	if len(o.of[line]) == 0 {
		return say("seal", "nobody", nil)
	}
	return say("seal", "commit", args{"commit": o.of[line][0].String()[:12]})
}

// firstOnBranch returns the first of the lines of a group on the branch itself, "" if a merge
// left one out, which gives no order. Whoever pushes chooses the branch itself, so this is for
// branches on which everybody is trusted.
func (l *sealLog) firstOnBranch(lines, group []string) string {
	if slices.ContainsFunc(lines, func(text string) bool { return l.beside[text] }) {
		return ""
	}
	return lines[slices.IndexFunc(lines, func(text string) bool { return slices.Contains(group, text) })]
}

// resolveDisputed finds the content of a claim whose seals are in dispute; nil if there is none
// that may be served, unless the tag decides.
func (b *build) resolveDisputed(c *claim) (*resolved, error) {
	c.of.final = false
	seal, err := b.sealOfTagged(c, b.memos.seals.dispute[c.name])
	if err != nil {
		return nil, err
	}
	switch {
	case seal == nil && b.void[c.name]:
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
	it, err := b.item(c.Tag, c.at.File)
	if err != nil || !it.open().OK() {
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
	lines := b.memos.seals.rivals[c.name]
	if lines == nil {
		return nil
	}
	c.of.final = false
	seal, err := b.sealOfTagged(c, b.memos.seals.peers[c.name])
	if seal != nil {
		c.seal = seal
	}
	return err
}

// disputed is the finding about a tag whose first seal is ambiguous.
func (b *build) disputed(tag string) content.Finding {
	lines := b.memos.seals.dispute[tag]
	path := b.memos.seals.homeOf(lines)
	if len(lines) == 1 {
		return finding(path, say("seal-twice", "left", args{"from": b.memos.seals.wrote[lines[0]], "line": lines[0]}))
	}
	s := say("seal-twice", "dispute", args{"from": b.wroteLines(tag)})
	if b.Signers != nil {
		s = s.Advise(say("seal-twice", "sign", nil))
	}
	return finding(path, s)
}

// homeOf returns the file with the last of some lines of one tag on the branch itself, or the
// file for it.
func (l *sealLog) homeOf(lines []string) (path string) {
	path = content.SealsPath(itemName(tagOf(lines[0])))
	for _, text := range lines {
		path = cmp.Or(l.home[text], path)
	}
	return path
}

// wroteLines returns the commits that wrote the lines of a tag in dispute.
func (b *build) wroteLines(tag string) (from content.AllOf) {
	lines := b.memos.seals.dispute[tag]
	for _, text := range lines[:min(len(lines), maxNamedLines)] {
		from = append(from, b.memos.seals.wrote[text])
	}
	return from
}

// maxNamedLines is the maximum number of seals in a finding.
const maxNamedLines = 5
