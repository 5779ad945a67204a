package author

import (
	"iter"
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

// prepared returns what this branch has sealed of an item and nobody else has published since: the seal for a
// publication and its content, and the highest version; nil if there is none.
func (p *planner) prepared(c change.PlannedTag) (same *content.Seal, highest *semver.Version) {
	for _, s := range p.own {
		if s.Item() != c.Draft.Item() || p.base.Seals[s.Tag] != "" {
			continue
		}
		if s.Tag == c.Tag.String() && s.Checksum == c.Checksum {
			same = &s
		}
		if v := s.Named().Version; highest == nil || highest.LessThan(v) {
			highest = v
		}
	}
	return same, highest
}

// published are the publications, by item, oldest first.
func (f *facts) published() iter.Seq2[*content.Item, *content.Entry] {
	return func(yield func(*content.Item, *content.Entry) bool) {
		for _, it := range f.snapshot.Items {
			for _, e := range slices.Backward(it.Entries) {
				if !e.Draft && !yield(it, e) {
					return
				}
			}
		}
	}
}

// missingSeals returns the lines that the files of seals lack: of seals in force, and for tags made by hand, whose
// served content becomes fixed as it is.
func (p *planner) missingSeals() (lines []string) {
	listed := p.seals.tags(nil)
	for it, e := range p.published() {
		switch {
		case e.Sealed && !listed[e.Tag()]:
			p.touch(Restored, e.Tag())
		case !e.Sealed && p.Mode != Prepare && !p.ahead(e) && p.wanted(it.ID()):
			p.touch(Sealed, e.Tag())
		default:
			continue
		}
		lines = append(lines, content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}.String())
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
	for _, e := range p.published() {
		name := e.Tag()
		if !e.Sealed || p.sealedBehind(name) {
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

// sealedBehind reports whether the sealed content is not the merged one, so that a tag would be
// wrong.
func (p *planner) sealedBehind(tag string) bool {
	found := p.finding("seal-behind", tag)
	if found != nil && p.Mode == Tag {
		p.warn(i18n.New("not tagged: %v", *found))
	}
	return found != nil
}

// finding is the finding of a rule about a tag, nil if there is none.
func (f *facts) finding(rule, tag string) *content.Finding {
	for _, found := range f.report.Findings {
		if found.Rule == rule && found.Tag == tag {
			return &found
		}
	}
	return nil
}

// warnOfTag warns about a tag that stands, here or in the remote repository, where another belongs.
func (p *planner) warnOfTag(tag string) {
	if found := p.finding("seal-disagrees", tag); found != nil {
		p.warn(i18n.New("not tagged: %v", *found))
	} else if p.isThere(tag) && p.there.tags[tag] != p.tags[tag].oid {
		p.warn(i18n.New(
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
	here := p.seals.tags(p.own)
	for _, e := range p.published() {
		here[e.Tag()] = true
	}
	for tag := range p.base.Seals {
		seal := content.Seal{Tag: tag}
		v, last := seal.Named().Version, highest[seal.Item()]
		if v != nil && !here[tag] && (last == nil || last.LessThan(v)) {
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
		item := content.Seal{Tag: content.SealTag(line)}.Item()
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
			p.touch(Withdrawn, tag)
		}
	}
}
