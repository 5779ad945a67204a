package author

import (
	"cmp"
	"context"
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

// wanted reports whether an item is requested.
func (p *planner) wanted(item string) bool {
	return len(p.Items) == 0 || slices.Contains(p.Items, item)
}

// draft plans the publication of drafts.
func (p *planner) draft(ctx context.Context) error {
	asks, err := p.requests()
	if err != nil {
		return err
	}
	plan, err := change.Plan(p.Schemas, p.snapshot, asks)
	if err != nil {
		return err
	}
	if plan, err = p.due(plan); err != nil {
		return err
	}
	p.warnOfLost(plan)
	lines := p.restored()
	if p.Mode == Publish {
		lines = append(lines, p.unsealed()...)
	}
	sealed, err := p.steps(ctx, plan)
	if err != nil {
		return err
	}
	if err := p.checkServed(ctx, sealed); err != nil {
		return err
	}
	for _, line := range sealed {
		if _, own := p.own[line]; !own {
			lines = append(lines, line)
		}
	}
	gone, err := p.rewrite(ctx, sealed)
	p.seals = p.before.with(lines, gone, p.places)
	return err
}

// warnOfLost names the seals without content whose numbers the plan passes over.
func (p *planner) warnOfLost(plan []change.PlannedTag) {
	for _, c := range plan {
		for _, v := range p.snapshot.Spent[c.Draft.Item()] {
			if i := p.found("seal-lost", content.Tag{Kind: c.Tag.Kind, Name: c.Tag.Name, Version: v}.String()); i >= 0 {
				p.Warnings = append(p.Warnings, i18n.New("passed over: %v", p.report.Findings[i]))
			}
		}
	}
}

// steps makes the steps of a plan, and returns the lines that seal its publications; those that an
// earlier --prepare wrote on this branch need no step.
func (p *planner) steps(ctx context.Context, plan []change.PlannedTag) (sealed []string, err error) {
	for _, c := range plan {
		step, err := p.step(ctx, c)
		if err != nil {
			return nil, err
		}
		if step.Seal == nil {
			p.Steps = append(p.Steps, step)
			continue
		}
		line := step.Seal.String()
		sealed = append(sealed, line)
		if _, own := p.own[line]; !own {
			p.Steps = append(p.Steps, step)
		}
	}
	return sealed, nil
}

// requests adds to the author's requests: the increment for all items, and the versions that an
// interrupted publication has written already. Requests that it has fulfilled are dropped. A
// version prepared on this branch stays, if nobody else used it and it is high enough.
func (p *planner) requests() (map[string]change.Ask, error) {
	asks := map[string]change.Ask{}
	maps.Copy(asks, p.Ask)
	for _, it := range p.snapshot.Items {
		ask, named := asks[it.ID()]
		switch {
		case change.DraftOf(it) == nil && named && (ask.Version == nil || hasVersion(it, ask.Version)):
			delete(asks, it.ID())
		case ask == (change.Ask{}) && p.Bump != "" && p.wanted(it.ID()) && p.differs(it):
			asks[it.ID()] = change.Ask{Bump: p.Bump}
		}
	}
	for _, s := range p.resumed {
		t, _ := content.ParseTag(s.Tag) // parsed with the seal
		asks[t.Item()] = change.Ask{Version: t.Version}
	}
	if len(p.own) == 0 {
		return asks, nil
	}
	plan, err := change.Plan(p.Schemas, p.snapshot, asks)
	for _, c := range plan {
		item := c.Draft.Item()
		if v := p.preparedVersion(item); asks[item] == (change.Ask{}) && v != nil && !v.LessThan(c.Tag.Version) {
			asks[item] = change.Ask{Version: v}
		}
	}
	return asks, err
}

// preparedVersion returns the highest version of an item that this branch has prepared and nobody
// else used, nil if there is none.
func (p *planner) preparedVersion(item string) (highest *semver.Version) {
	for _, s := range p.own {
		t, _ := content.ParseTag(s.Tag) // parsed with the seal
		if s.Item() == item && p.served[s.Tag] == "" && (highest == nil || highest.LessThan(t.Version)) {
			highest = t.Version
		}
	}
	return highest
}

// prepared returns the seal of this branch for a publication and its content, nil if there is
// none.
func (p *planner) prepared(c change.PlannedTag) *content.Seal {
	sum, err := content.Checksum(content.Identified(c.Tag.Kind, c.Tag.Version, c.Draft.Body()))
	for _, s := range p.own {
		if err == nil && s.Tag == c.Tag.String() && s.Checksum == sum && p.served[s.Tag] == "" {
			return &s
		}
	}
	return nil
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

// step makes the tag and the seal of one publication, or returns why that is impossible.
func (p *planner) step(ctx context.Context, c change.PlannedTag) (TagStep, error) {
	name := c.Tag.String()
	if err := p.atHead(ctx, c); err != nil {
		return TagStep{}, err
	}
	if strings.HasSuffix(c.Draft.Version.Prerelease(), ".dirty") {
		if len(p.dirt) > 0 {
			return p.uncommittedStep(c), nil // reported already
		}
		return p.uncommittedStep(c), p.refuse(i18n.Errorf(
			"%s is not committed: commit it first", p.file(c.Tag.Kind, c.Tag.Name),
		))
	}
	seal := cmp.Or(p.seal(name), p.prepared(c))
	if seal == nil {
		sum, err := content.Checksum(content.Identified(c.Tag.Kind, c.Tag.Version, c.Draft.Body()))
		if err != nil {
			return TagStep{}, i18n.Errorf("%s: %w", c.Draft.Item(), err)
		}
		seal = &content.Seal{Tag: name, Checksum: sum, PublishedAt: p.from()}
	}
	message, err := p.message(ctx, c)
	return TagStep{
		Tag: name, Old: c.Old, Why: c.Why, Class: c.Class, Fields: c.Fields, Message: message, Notes: p.notes(c),
		Seal: seal,
	}, err
}

// uncommittedStep is the step for a draft as if it were committed.
func (p *planner) uncommittedStep(c change.PlannedTag) TagStep {
	return TagStep{Tag: c.Tag.String(), Old: c.Old, Why: c.Why, Class: c.Class, Fields: c.Fields, Notes: p.notes(c)}
}

// notes state who sees a publication, unless everybody does from now on.
func (p *planner) notes(c change.PlannedTag) (all []i18n.Text) {
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
		c.Draft.Item(), release(v),
	)}
}

// release is the stable version that a prerelease leads to.
func release(v *semver.Version) *semver.Version {
	return semver.New(v.Major(), v.Minor(), v.Patch(), "", "")
}

// noteOnCandidate says that a release has other content than its last prerelease.
func (p *planner) noteOnCandidate(c change.PlannedTag) []i18n.Text {
	last := change.Published(p.snapshot.Item(c.Tag.Kind, c.Tag.Name), false)
	if !c.Draft.Draft || last == nil || last.Version.Prerelease() == "" || !release(last.Version).Equal(c.Tag.Version) {
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

// atHead verifies that the file of an item at the head is the prerelease that is to be released.
func (p *planner) atHead(ctx context.Context, c change.PlannedTag) error {
	if c.Draft.Draft {
		return nil
	}
	file := p.file(c.Tag.Kind, c.Tag.Name)
	blob, found, err := p.r.resolve(ctx, p.r.at(p.base, file))
	if err == nil && (!found || blob != c.Draft.Blob) {
		err = i18n.Errorf("%s does not say at the head what %s says: `git checkout %[3]s%[2]s -- %[4]s%[1]s`, commit "+
			"it, then publish",
			file, c.Draft.Tag(), p.r.prefix(), p.r.fromRoot())
	}
	return err
}

// checkTags verifies that no tag of the plan exists elsewhere.
func (p *planner) checkTags(context.Context) error {
	sealed := map[string]bool{}
	for tag := range p.served {
		sealed[tag] = true
	}
	for _, line := range p.before.lines() {
		if _, own := p.own[line]; !own {
			sealed[tagOf(line)] = true
		}
	}
	for _, s := range p.Steps {
		err := p.checkFree(s, sealed)
		if err == nil && !utf8.ValidString(s.Message) {
			err = i18n.Errorf(
				"the messages of the commits that %s publishes are not UTF-8: tag it yourself, `git tag -a -m MESSAGE %s %s`",
				s.Tag, s.Tag, cmp.Or(s.commit, p.base),
			)
		}
		if err != nil {
			if err = p.refuse(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFree verifies that a tag of the plan does not exist.
func (p *planner) checkFree(s TagStep, sealed map[string]bool) error {
	_, here := p.tags[s.Tag]
	there := p.onRemote != nil && p.onRemote.tags[s.Tag] != ""
	switch {
	case there && !here:
		return i18n.Errorf("%s exists already in %s: `git fetch --tags`, then publish again", s.Tag, p.Remote)
	case there || here && s.was == "":
		return p.taken(s.Tag, i18n.New("in this repository"), sealed)
	case s.Seal != nil && sealed[s.Tag]:
		return p.taken(s.Tag, i18n.New("sealed on the served branch"), sealed)
	}
	return nil
}

// taken is the error about a tag that exists, with the next version that is free.
func (p *planner) taken(tag string, where i18n.Text, sealed map[string]bool) error {
	t, _ := content.ParseTag(tag) // planned here
	if t.Kind == nil {
		return i18n.Errorf("the release %s exists already, %s", tag, where)
	}
	for {
		name := t.String()
		_, here := p.tags[name]
		if !here && !sealed[name] && (p.onRemote == nil || p.onRemote.tags[name] == "") {
			break
		}
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
