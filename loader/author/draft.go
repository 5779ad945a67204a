package author

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/change"
)

// wanted says whether an item is among those asked for.
func (p *planner) wanted(item string) bool {
	return len(p.Items) == 0 || slices.Contains(p.Items, item)
}

// draft plans the publication of what is not published yet.
func (p *planner) draft(ctx context.Context) error {
	plan, err := change.Plan(p.Schemas, p.snapshot, p.asks())
	if err != nil {
		return err
	}
	if plan, err = p.due(plan); err != nil {
		return err
	}
	lines := append(strings.Split(p.before, "\n"), p.restored()...)
	if p.Mode == Publish {
		lines = append(lines, p.unsealed()...)
	}
	for _, c := range plan {
		step, err := p.step(ctx, c)
		if err != nil {
			return err
		}
		p.Steps = append(p.Steps, step)
		if step.Seal != nil {
			lines = append(lines, step.Seal.String())
		}
	}
	if len(p.Steps)+len(p.Restored)+len(p.Unsealed) > 0 {
		p.seals = sorted(lines)
	}
	return nil
}

// asks adds to what the author asks for: the step that is to be for all, and the
// versions that an interrupted publication has written already. What it has
// finished already is no wish any more.
func (p *planner) asks() map[string]change.Ask {
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
	return asks
}

// differs says whether the draft of an item says something else than what is
// published of it.
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

// step makes the tag and the seal of one publication, or says why it cannot be.
func (p *planner) step(ctx context.Context, c change.Publication) (Step, error) {
	name := c.Tag.String()
	if err := p.atHead(ctx, c); err != nil {
		return Step{}, err
	}
	if strings.HasSuffix(c.Draft.Version.Prerelease(), ".dirty") {
		if len(p.dirt) > 0 {
			return p.uncommittedStep(c), nil // said already
		}
		return p.uncommittedStep(c), p.refuse(fmt.Errorf("%s is not committed: commit it first (git ignores it, if `git status` does not show it)", c.Tag.Kind.File(c.Tag.Name)))
	}
	seal := p.seal(name)
	if seal == nil {
		sum, err := content.Checksum(content.Identified(c.Tag.Kind, c.Tag.Version, c.Draft.Body()))
		if err != nil {
			return Step{}, fmt.Errorf("%s: %w", c.Draft.Item(), err)
		}
		seal = &content.Seal{Tag: name, Checksum: sum, PublishedAt: p.from()}
	}
	message, err := p.message(ctx, c)
	return Step{Tag: name, Old: c.Old, Why: c.Why, Class: c.Class, Fields: c.Fields, Message: message, Notes: p.notes(c), Seal: seal}, err
}

// uncommittedStep is what would be published if it was committed.
func (p *planner) uncommittedStep(c change.Publication) Step {
	return Step{Tag: c.Tag.String(), Old: c.Old, Why: c.Why, Class: c.Class, Fields: c.Fields, Notes: p.notes(c)}
}

// notes say who sees a publication, where that is not everybody from now on.
func (p *planner) notes(c change.Publication) (all []string) {
	v := c.Tag.Version
	if v.Prerelease() == "" {
		return p.notesOnTime(c)
	}
	readers := "readers find nothing of it"
	if c.Old != nil {
		readers = "readers go on with " + c.Old.String()
	}
	release := semver.New(v.Major(), v.Minor(), v.Patch(), "", "")
	return []string{fmt.Sprintf("a prerelease: only a server with --drafts shows it, %s; `rulestore publish %s@%s` releases it", readers, c.Draft.Item(), release)}
}

// atHead makes sure that a prerelease of which the release is to be made is what its
// file says.
func (p *planner) atHead(ctx context.Context, c change.Publication) error {
	if c.Draft.Draft {
		return nil
	}
	file := c.Tag.Kind.File(c.Tag.Name)
	blob, found, err := p.r.resolve(ctx, p.base+":"+file)
	if err == nil && (!found || blob != c.Draft.Blob) {
		err = fmt.Errorf("%s does not say at the head what %s says: `git checkout %[2]s -- %[1]s`, commit it, then publish", file, c.Draft.Tag())
	}
	return err
}

// fresh makes sure that no tag of the plan is somebody else's already.
func (p *planner) fresh(ctx context.Context) error {
	served, err := p.servedSeals(ctx)
	if err != nil {
		return err
	}
	for _, tag := range tagsOf(p.before) {
		served[tag] = ""
	}
	for _, s := range p.Steps {
		if err := p.free(s, served); err != nil {
			if err = p.refuse(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// free makes sure that nobody has a tag of the plan.
func (p *planner) free(s Step, sealed map[string]string) error {
	_, here := p.tags[s.Tag]
	_, sealedToo := sealed[s.Tag]
	switch {
	case p.there != nil && p.there.tags[s.Tag]:
		return fmt.Errorf("%s exists already in %s: `git fetch --tags`, then publish again", s.Tag, p.Remote)
	case here && s.was == "":
		return taken(s.Tag, "in this repository")
	case s.Seal != nil && sealedToo:
		return taken(s.Tag, "sealed in "+content.SealsFile+" of the served branch")
	}
	return nil
}

func taken(tag, where string) error {
	t, _ := content.ParseTag(tag) // planned here
	if t.Kind == nil {
		return fmt.Errorf("the release %s exists already, %s", tag, where)
	}
	return fmt.Errorf("%s exists already, %s: choose another version, `rulestore publish %s@%s`", tag, where, t.Item(), t.Version.IncPatch())
}
