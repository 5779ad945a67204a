package loader

import (
	"bytes"
	"slices"

	"rulestore/content"
)

// taken are the publications of this repository with a name of an earlier one.
type taken struct {
	held []*content.Publication // see [content.Snapshot.Held]
	lost []content.Intent       // those that are not a copy of the identical version there
}

// removeTaken removes and reports publications with a name of an earlier repository. An
// identical version is removed without a report.
func (b *build) removeTaken(all []*content.Publication) (own []*content.Publication, removed taken) {
	if b.beneath == nil {
		return all, removed
	}
	own = slices.DeleteFunc(all, func(p *content.Publication) bool {
		id := ""
		if !p.Kind.NameIsID && !isDeferred(p) {
			id = p.ID()
		}
		by, taken := b.beneath.Taken(p.Kind, p.Name, id)
		if !taken {
			return false
		}
		if p.Version.Prerelease() == "" {
			removed.held = append(removed.held, p)
		}
		if !b.isCopy(p) {
			removed.lost = append(removed.lost, content.Intent{Item: p.Item(), Commit: p.Commit})
			b.report.Refuse(p.Tag(), b.takenName(p.Kind, p.Name, by))
		}
		return true
	})
	return own, removed
}

// beneathState identifies the state of the repositories beneath, "" if there are none.
func (b *build) beneathState() string {
	if b.beneath == nil {
		return ""
	}
	return b.beneath.Refs + " " + b.beneath.Date + " " + b.beneath.Over
}

// isCopy reports whether an earlier repository has published the identical version; for a
// draft, which has no version yet, whether it has the same content.
func (b *build) isCopy(p *content.Publication) bool {
	if p.Draft {
		return hasSameContent(b.beneath, p.Kind, p.Name, p.Body())
	}
	it := b.beneath.Item(p.Kind, p.Name)
	return it != nil && slices.ContainsFunc(it.Entries, func(e *content.Entry) bool {
		return e.Version.Equal(p.Version) && e.Checksum == p.Checksum
	})
}

func (c Config) takenName(k *content.Kind, name string, by content.NameOwner) content.Finding {
	return finding(k.File(name), say("taken", "taken", args{
		"item": k.Folder + "/" + name, "own": c.Name, "by": by.Item, "source": by.Source,
		"example": k.Folder + "/" + c.Name + "." + name,
	}))
}

// checkOverride returns the reason why a mark for an item of another repository has no effect,
// or that it overrides one; nil if it has an effect, or is for an item of this repository.
func (b *build) checkOverride(s *content.Snapshot, m content.Mark) *content.Finding {
	var wrong *content.RuleText
	switch {
	case m.Status == content.Overridden:
		_, wrong = b.beneath.Override(m, s)
	case b.beneath.Serves(m.Item):
		wrong = new(say("override", "foreign", args{
			"status": m.Status, "item": m.Item, "source": itemOf(b.beneath.Snapshot, m.Item).Entries[0].Source,
		}))
	}
	if wrong == nil {
		return nil
	}
	return new(warning(content.LifecycleFile, *wrong))
}

// buildOn allows references of the tree to the repositories beneath, and reports items with a name
// of theirs. A file with the same content is a copy, and belongs to the earlier repository.
func (t *Tree) buildOn(c Config) {
	if c.Beneath == nil {
		return
	}
	beneath := c.Beneath()
	t.Elsewhere = beneath.Serves
	for _, f := range t.Items {
		id := ""
		if !f.Kind.NameIsID && f.OK() {
			id = f.Body.Text(f.Kind.ID)
		}
		by, taken := beneath.Taken(f.Kind, f.Name, id)
		if !taken || f.OK() && hasSameContent(beneath, f.Kind, f.Name, f.Body) {
			continue
		}
		t.Findings = append(t.Findings, c.takenName(f.Kind, f.Name, by))
	}
}

// hasSameContent reports whether a version beneath has the same content as a file.
func hasSameContent(beneath *content.Beneath, k *content.Kind, name string, body content.Object) bool {
	it, own := beneath.Item(k, name), body.AppendJSON(nil)
	return it != nil && slices.ContainsFunc(it.Entries, func(e *content.Entry) bool {
		return bytes.Equal(e.Body().AppendJSON(nil), own)
	})
}
