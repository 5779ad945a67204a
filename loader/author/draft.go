package author

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
)

// wanted reports whether an item is requested: by name, or as one of all that are finished.
func (p *planner) wanted(item string) bool {
	if len(p.Items) == 0 {
		return !p.unfinished[item]
	}
	return slices.Contains(p.Items, item)
}

// uncommitted lists the files that have to be committed first: not those of items that are left out. If items are
// named, those that hold no seals are of no concern: those of the named items are found by [planner.newTag]. Seals that
// the plan writes anew are of a publication that was about to commit them when it was interrupted.
func (p *planner) uncommitted() []string {
	return slices.DeleteFunc(slices.Clone(p.dirty), func(path string) bool {
		switch {
		case p.merging:
			return false
		case content.HoldsSeals(path):
			return p.after[path] != p.seals[path]
		}
		k, name, ok := content.ItemAt(path)
		return len(p.Items) > 0 || ok && p.unfinished[k.Folder+"/"+name]
	})
}

// isCommon reports whether a file of the content belongs to no item.
func isCommon(path string) bool {
	_, _, ok := content.ItemAt(path)
	return !ok
}

// putAside leaves out the items whose files are not committed, as [planner.leaveOut] does those with mistakes. What
// else is not committed concerns everything, and [Repository.Next] shows what would be published after the commit.
func (p *planner) putAside() {
	paths := p.uncommitted()
	if len(p.Items) > 0 || p.merging || p.Mode == Tag || p.Mode == show || slices.ContainsFunc(paths, isCommon) {
		return
	}
	if p.leftOut == nil {
		p.leftOut = p.refusal(paths)
	}
	for _, path := range paths {
		k, name, _ := content.ItemAt(path)
		item := k.Folder + "/" + name
		p.unfinished[item] = true
		why := i18n.Errorf("%s is not committed: commit it first", content.Printable(path))
		p.Deferred = append(p.Deferred, DeferredItem{item, Obstacle{why}})
	}
}

// goesOnWithout reports whether a publish would leave out the items of files that are not committed, and publish
// others.
func (p *planner) goesOnWithout(paths []string) bool {
	return len(p.Items) == 0 && !p.merging && p.Mode == show && !slices.ContainsFunc(paths, isCommon) &&
		slices.ContainsFunc(p.Tags, func(n NewTag) bool { return n.Message != "" })
}

// refusal is why nothing is published while files are not committed.
func (p *planner) refusal(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	const shown = 5
	var files []any
	for _, path := range paths[:min(len(paths), shown)] {
		files = append(files, content.Printable(path))
	}
	if len(paths) > shown {
		files = append(files, i18n.New("and %d more", len(paths)-shown))
	}
	list := i18n.Join("\n\t", files...)
	if len(p.Items) > 0 || p.Mode == Tag || !slices.ContainsFunc(paths, isCommon) {
		return i18n.Errorf(
			"not everything is committed: commit these first, or put them aside with `git stash --include-untracked`:\n\t%s",
			list,
		)
	}
	return i18n.Errorf(
		"not everything is committed: commit these first, put them aside with `git stash --include-untracked`, or "+
			"name what is to be published without them, `rulestore publish ITEM`:\n\t%s", list,
	)
}

// draft plans the publication of drafts.
func (p *planner) draft() error {
	asks, err := p.requests()
	if err != nil {
		return err
	}
	plan, err := change.Plan(p.Schemas, p.snapshot, asks)
	if err != nil {
		return err
	}
	plan = p.due(plan)
	lines, sealed := p.missingSeals(), map[string]bool{}
	for _, c := range plan {
		n := p.newTag(c)
		if n.Seal == nil {
			p.Tags = append(p.Tags, n)
			continue
		}
		line := n.Seal.String()
		sealed[line] = true
		if _, own := p.own[line]; !own { // an earlier --prepare wrote the others
			p.Tags, lines = append(p.Tags, n), append(lines, line)
		}
	}
	p.checkMeanwhile(sealed)
	p.withdraw(sealed)
	p.after = p.seals.with(lines, p.gone, p.places)
	return nil
}

// requests adds the increment for all items to the author's requests, and drops those that an earlier run has
// fulfilled. A version prepared on this branch stays, if nobody else used it and it is high enough.
func (p *planner) requests() (map[string]change.Ask, error) {
	asks := maps.Clone(p.Ask)
	for _, it := range p.snapshot.Items {
		ask, named := asks[it.ID()]
		switch {
		case change.DraftOf(it) == nil && named && (ask.Version == nil || hasVersion(it, ask.Version)):
			delete(asks, it.ID())
		case ask == (change.Ask{}) && p.Bump != "" && p.wanted(it.ID()) && p.differs(it):
			asks[it.ID()] = change.Ask{Bump: p.Bump}
		}
	}
	if len(p.own) == 0 {
		return asks, nil
	}
	plan, err := change.Plan(p.Schemas, p.snapshot, asks)
	for _, c := range plan {
		item := c.Draft.Item()
		if _, v := p.prepared(c); asks[item] == (change.Ask{}) && v != nil && !v.LessThan(c.Tag.Version) {
			asks[item] = change.Ask{Version: v}
		}
	}
	return asks, err
}

// differs reports whether the draft of an item differs from what is published of it.
func (p *planner) differs(it *content.Item) bool {
	draft, before := change.DraftOf(it), change.Published(it, true)
	if draft == nil || before == nil {
		return draft != nil
	}
	_, class := change.Of(p.Schemas, it.Kind, it.Name, before.Body(), draft.Body())
	return class != change.None
}

func hasVersion(it *content.Item, v *semver.Version) bool {
	return slices.ContainsFunc(it.Entries, func(e *content.Entry) bool { return e.Version.Equal(v) })
}

// newTag makes the tag and the seal of one publication.
func (p *planner) newTag(c change.PlannedTag) NewTag {
	n := NewTag{Tag: c.Tag.String(), Old: c.Old, Why: c.Why, Class: c.Class, Fields: c.Fields, Notes: p.notes(c)}
	file := p.file(c.Tag.Kind, c.Tag.Name)
	if strings.HasSuffix(c.Draft.Version.Prerelease(), ".dirty") {
		if !p.dirt { // else it is told already
			p.obstacle(i18n.Errorf("%s is not committed: commit it first", file))
		}
		return n
	}
	if at := p.places[c.Tag.Kind.File(c.Tag.Name)]; !c.Draft.Draft && at.OID.String() != c.Draft.Blob {
		p.obstacle(i18n.Errorf("%s does not say at the head what %s says: `git checkout %[2]s -- %[1]s`, "+
			"commit it, then publish",
			file, c.Draft.Tag()))
	}
	if n.Seal, _ = p.prepared(c); n.Seal == nil {
		n.Seal = &content.Seal{Tag: n.Tag, Checksum: c.Checksum, PublishedAt: p.from()}
	}
	stable := c.Tag.Version.Prerelease() == "" // a release says what its prereleases said, too
	if before := change.Published(p.snapshot.Item(c.Tag.Kind, c.Tag.Name), stable); before != nil {
		n.since = before.Commit
	}
	n.Message = c.Message
	return n
}

// file returns the path of an item's file at the head.
func (p *planner) file(k *content.Kind, name string) string {
	plain := k.File(name)
	if at, ok := p.places[plain]; ok {
		return at.Path
	}
	return plain
}

// notes state who sees a publication, unless everybody does from now on.
func (p *planner) notes(c change.PlannedTag) []i18n.Text {
	v := c.Tag.Version
	if v.Prerelease() == "" {
		return append(p.noteOnCandidate(c), p.notesOnTime(c)...)
	}
	readers := i18n.New("readers find nothing of it")
	if c.Old != nil {
		readers = i18n.New("readers go on with %s", c.Old)
	}
	return []i18n.Text{i18n.New(
		"a prerelease: only a server with --drafts shows it, %s; `rulestore publish %s@%s` releases it", readers,
		c.Draft.Item(), stable(v),
	)}
}

// stable is the stable version that a prerelease leads to.
func stable(v *semver.Version) *semver.Version {
	return semver.New(v.Major(), v.Minor(), v.Patch(), "", "")
}

// noteOnCandidate says that a release has other content than its last prerelease.
func (p *planner) noteOnCandidate(c change.PlannedTag) []i18n.Text {
	last := change.Published(p.snapshot.Item(c.Tag.Kind, c.Tag.Name), false)
	if !c.Draft.Draft || last == nil || last.Version.Prerelease() == "" || !stable(last.Version).Equal(c.Tag.Version) {
		return nil
	}
	if _, class := change.Of(p.Schemas, c.Tag.Kind, c.Tag.Name, last.Body(), c.Draft.Body()); class == change.None {
		return nil
	}
	return []i18n.Text{i18n.New(
		"other content than %s, which was tried: `rulestore diff %s %[1]s` shows what changed since", last.Version,
		c.Draft.Item(),
	)}
}

// checkTags verifies that no tag of the plan exists elsewhere, and that it can have its message.
func (p *planner) checkTags() {
	sealed := p.seals.tags(p.own)
	if p.base != nil {
		for tag := range p.base.Seals {
			sealed[tag] = true
		}
	}
	for _, n := range p.Tags {
		switch _, here := p.tags[n.Tag]; {
		case p.isThere(n.Tag) && !here:
			p.obstacle(i18n.Errorf("%s exists already in %s: `git fetch --tags`, then publish again", n.Tag, p.remote))
		case p.isThere(n.Tag) || here && n.was == "":
			p.obstacle(p.taken(n.Tag, i18n.New("in this repository"), sealed))
		case n.Seal != nil && sealed[n.Tag]:
			p.obstacle(p.taken(n.Tag, i18n.New("sealed on the served branch"), sealed))
		case !utf8.ValidString(n.Message):
			p.obstacle(i18n.Errorf(
				"the messages of the commits that %s publishes are not UTF-8: tag it yourself, `git tag -a -m MESSAGE %s %s`",
				n.Tag, n.Tag, p.commitOf(n),
			))
		}
	}
}

// isThere reports whether the remote repository has a tag.
func (f *facts) isThere(tag string) bool { return f.there != nil && f.there.tags[tag] != "" }

// taken is the error about a tag that exists, with the next version that is free.
func (p *planner) taken(tag string, where i18n.Text, sealed map[string]bool) error {
	t, _ := content.ParseTag(tag) // planned here
	if t.Kind == nil {
		return i18n.Errorf("the release %s exists already, %s", tag, where)
	}
	for here := true; here || sealed[t.String()] || p.isThere(t.String()); _, here = p.tags[t.String()] {
		t.Version = next(t.Version)
	}
	return i18n.Errorf(
		"%s exists already, %s: choose another version, `rulestore publish %s@%s`", tag, where, t.Item(), t.Version,
	)
}

// next is the next patch, or the next prerelease of the same version.
func next(v *semver.Version) *semver.Version {
	pre := v.Prerelease()
	if pre == "" {
		n := v.IncPatch()
		return &n
	}
	i := strings.LastIndexByte(pre, '.') + 1
	if n, err := strconv.ParseUint(pre[i:], 10, 32); err == nil {
		pre = pre[:i] + strconv.FormatUint(n+1, 10)
	} else {
		pre += ".1"
	}
	return semver.New(v.Major(), v.Minor(), v.Patch(), pre, "")
}
