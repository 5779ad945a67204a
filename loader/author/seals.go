package author

import (
	"cmp"
	"maps"
	"slices"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
)

// ownSeals finds the seals at the head that only the branch of a pull request has: they can be rewritten.
func (p *planner) ownSeals() {
	p.own = map[string]content.Seal{}
	for _, line := range p.seals.lines() {
		if seal, err := content.ParseSeal(line); err == nil && p.rewrites(p.Mode) && p.base.Rewritable(line) {
			p.own[line] = seal
		}
	}
}

// earlierSeals are those that this branch has written before and nobody else: they were prepared, or an
// interrupted publication wrote them.
func (p *planner) earlierSeals(yield func(content.Seal) bool) {
	for _, s := range slices.Concat(p.resumed, slices.Collect(maps.Values(p.own))) {
		if (p.base == nil || p.base.Seals[s.Tag] == "") && !yield(s) {
			return
		}
	}
}

// earlier returns the seal that was written before for a publication and its content, nil if there is none.
func (p *planner) earlier(c change.PlannedTag) *content.Seal {
	for s := range p.earlierSeals {
		if s.Tag == c.Tag.String() && s.Checksum == c.Checksum {
			return &s
		}
	}
	return nil
}

// earlierVersion returns the highest version of an item that was sealed before, nil if there is none.
func (p *planner) earlierVersion(item string) (highest *semver.Version) {
	for s := range p.earlierSeals {
		if v := s.Named().Version; s.Item() == item && (highest == nil || highest.LessThan(v)) {
			highest = v
		}
	}
	return highest
}

// resume refuses a dirty work tree, unless the only differences are seals that an interrupted
// publication has written and not committed, and that match the files. If items are named, files that
// hold no seals are of no concern: those of the named items are found by [planner.newTag].
func (p *planner) resume() {
	noSeals := func(path string) bool { return !content.HoldsSeals(path) }
	paths := slices.Clone(p.dirty)
	if len(p.Items) > 0 && !p.merging {
		paths = slices.DeleteFunc(paths, noSeals)
	}
	if len(paths) == 0 {
		return
	}
	if !slices.ContainsFunc(paths, noSeals) && p.Mode != Tag {
		if seals, ok := p.interrupted(); ok {
			p.resumed = seals
			return
		}
	}
	p.dirt = true
	const shown = 5
	var files []any
	for _, path := range paths[:min(len(paths), shown)] {
		files = append(files, content.Printable(path))
	}
	if len(paths) > shown {
		files = append(files, i18n.New("and %d more", len(paths)-shown))
	}
	list := i18n.Join("\n\t", files...)
	if len(p.Items) > 0 || p.Mode == Tag {
		p.obstacle(i18n.Errorf(
			"not everything is committed: commit these first, or put them aside with `git stash --include-untracked`:\n\t%s",
			list,
		))
		return
	}
	p.obstacle(i18n.Errorf(
		"not everything is committed: commit these first, put them aside with `git stash --include-untracked`, or "+
			"name what is to be published without them, `rulestore publish ITEM`:\n\t%s", list,
	))
}

// interrupted returns the seals in the work tree that are not committed; not ok if there is any other
// difference, or one that does not match its file. Seals that only this branch has may be missing, as they
// were to be rewritten.
func (p *planner) interrupted() (seals []content.Seal, ok bool) {
	left := map[string]bool{}
	for _, line := range p.seals.lines() {
		_, own := p.own[line]
		left[line] = !own
	}
	for _, line := range p.written.lines() {
		if _, known := left[line]; known {
			left[line] = false
			continue
		}
		seal, err := content.ParseSeal(line)
		switch {
		case err != nil:
			return nil, false
		case p.inForce(seal): // written again
		case p.fits(seal):
			seals = append(seals, seal)
		default:
			return nil, false
		}
	}
	for _, missing := range left {
		if missing {
			return nil, false
		}
	}
	return seals, true
}

// inForce reports whether the branch has, or had, a seal, or whether it is that of a tag made by
// hand with the served content.
func (p *planner) inForce(s content.Seal) bool {
	e := p.published(s.Tag)
	return e != nil && e.Checksum == s.Checksum && e.PublishedAt.Equal(s.PublishedAt)
}

// published returns the publication of a tag, as far as the head has it.
func (p *planner) published(tag string) *content.Entry {
	if it := p.snapshot.ItemByID(content.Seal{Tag: tag}.Item()); it != nil {
		for _, e := range it.Entries {
			if !e.Draft && e.Tag() == tag {
				return e
			}
		}
	}
	return nil
}

// fits reports whether a seal matches the draft at the head, or a prerelease of which it is the
// release.
func (p *planner) fits(s content.Seal) bool {
	it := p.snapshot.ItemByID(s.Item())
	if it == nil {
		return false
	}
	said := cmp.Or(change.DraftOf(it), change.Candidate(it))
	if said == nil {
		return false
	}
	sum, err := content.Checksum(content.Identified(it.Kind, s.Named().Version, said.Body()))
	return err == nil && sum == s.Checksum
}

// sealOf is the line that fixes a publication as it is served.
func sealOf(e *content.Entry) string {
	return content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}.String()
}

// restored returns the seals in force whose lines are missing.
func (p *planner) restored() (lines []string) {
	listed := p.seals.tags(nil)
	for _, it := range p.snapshot.Items {
		for _, e := range it.Entries {
			if e.Sealed && !listed[e.Tag()] {
				p.Restored, lines = append(p.Restored, e.Tag()), append(lines, sealOf(e))
			}
		}
	}
	return lines
}

// unsealed returns the seals for tags made by hand: their served content becomes fixed as it is.
func (p *planner) unsealed() (lines []string) {
	for _, it := range p.snapshot.Items {
		for _, e := range it.Entries {
			if !e.Draft && !e.Sealed && !p.ahead(e) && p.wanted(it.ID()) {
				p.Unsealed, lines = append(p.Unsealed, e.Tag()), append(lines, sealOf(e))
			}
		}
	}
	return lines
}

// missingTags plans the missing tags for seals of the branch: after an interrupted publication, or
// after the merge of a pull request with seals; and for those whose tag is on a commit that a rebase replaced
// and nobody else has. A tag is on the commit that added the seal to the branch if the content is there, else
// on the one that has it.
func (p *planner) missingTags() {
	if p.Mode == Prepare {
		return
	}
	for _, it := range p.snapshot.Items {
		for _, e := range slices.Backward(it.Entries) {
			name := e.Tag()
			if e.Draft || !e.Sealed || p.sealedBehind(name) {
				continue
			}
			tag, tagged := p.tags[name]
			if tagged && (p.there == nil || p.isThere(name) || tag.merged) {
				p.warnOfTag(name)
				continue
			}
			n := NewTag{
				Tag: name, Why: i18n.New("sealed, and not tagged yet"), Message: change.Message(e.ChangeNote),
				commit: e.Commit, was: tag.oid,
			}
			if commit, ok := p.sealedOn(e.Publication); ok {
				n.commit = commit
			}
			if e.Predecessor != nil {
				n.Old, n.since = e.Predecessor.Version, e.Predecessor.Commit
			}
			p.Tags = append(p.Tags, n)
		}
	}
}

// sealedBehind reports whether the sealed content is not the merged one, so that a tag would be
// wrong.
func (p *planner) sealedBehind(tag string) bool {
	i := p.finding("seal-behind", tag)
	if i >= 0 && p.Mode == Tag {
		p.Warnings = append(p.Warnings, i18n.New("not tagged: %v", p.report.Findings[i]))
	}
	return i >= 0
}

// finding is the index of the finding of a rule about a tag, -1 if there is none.
func (f *facts) finding(rule, tag string) int {
	return slices.IndexFunc(f.report.Findings, func(f content.Finding) bool { return f.Rule == rule && f.Tag == tag })
}

// warnOfTag warns about a tag that stands, here or in the remote repository, where another belongs.
func (p *planner) warnOfTag(tag string) {
	if i := p.finding("seal-disagrees", tag); i >= 0 {
		p.Warnings = append(p.Warnings, i18n.New("not tagged: %v", p.report.Findings[i]))
	} else if p.isThere(tag) && p.there.tags[tag] != p.tags[tag].oid {
		p.Warnings = append(p.Warnings, i18n.New(
			"%s is another tag in %s than here: take that one away and send yours, `git push %[2]s %s`, `rulestore "+
				"publish --push`",
			tag, p.remote, ":refs/tags/"+tag,
		))
	}
}

// meanwhile returns the highest versions, by item, that were published on the served branch and that this
// branch does not have.
func (p *planner) meanwhile() map[string]*semver.Version {
	highest := map[string]*semver.Version{}
	if p.base == nil {
		return highest
	}
	here := p.seals.tags(func(line string) bool { _, own := p.own[line]; return !own })
	for tag := range p.base.Seals {
		seal := content.Seal{Tag: tag}
		v, last := seal.Named().Version, highest[seal.Item()]
		if v != nil && !here[tag] && p.published(tag) == nil && (last == nil || last.LessThan(v)) {
			highest[seal.Item()] = v
		}
	}
	return highest
}

// checkMeanwhile refuses to publish an item that was published on the served branch meanwhile: the content
// sealed here would not have the changes made there.
func (p *planner) checkMeanwhile(sealed map[string]bool) {
	highest := p.meanwhile()
	for _, line := range slices.Sorted(maps.Keys(sealed)) {
		item := content.Seal{Tag: tagOf(line)}.Item()
		if v := highest[item]; v != nil {
			p.obstacle(i18n.Errorf("%s/v%s was published by somebody else meanwhile, and this branch does not "+
				"have it: bring the branch up to date with `git merge %s`, and prepare again; after it comes v%s at "+
				"least",
				item, v, p.base.Name, v.IncPatch()))
		}
	}
}

// withdraw takes out the seals that only this branch has and that are obsolete.
func (p *planner) withdraw(sealed map[string]bool) {
	for _, line := range slices.Sorted(maps.Keys(p.own)) {
		if sealed[line] {
			continue
		}
		p.gone = append(p.gone, line)
		tag := p.own[line].Tag
		if !slices.ContainsFunc(p.Tags, func(n NewTag) bool { return n.Tag == tag }) {
			p.Withdrawn = append(p.Withdrawn, tag)
		}
	}
}
