package loader

import (
	"bytes"
	"slices"

	"rulestore/content"
)

// leaveTaken leaves out what bears a name that an earlier repository has, and says so. The
// very same version is that of the earlier one: nobody misses it.
func (b *build) leaveTaken() {
	if b.beneath == nil {
		return
	}
	b.publications = slices.DeleteFunc(b.publications, func(p *content.Publication) bool {
		by, taken := b.beneath.Taken(p.Kind, p.Name, statedID(p))
		if !taken {
			return false
		}
		if !b.isCopy(p) {
			b.taken = append(b.taken, content.Intent{Item: p.Item(), Commit: p.Commit})
			b.report.Refuse(p.Tag(), b.takenName(p.Kind, p.Name, by))
		}
		return true
	})
}

// over names the state of what is beneath, "" if nothing is.
func (b *build) over() string {
	if b.beneath == nil {
		return ""
	}
	return b.beneath.Refs + " " + b.beneath.Date + " " + b.beneath.Over
}

// statedID is the id that a publication states where its name does not say it.
func statedID(p *content.Publication) string {
	if p.Kind.NameIsID || isDeferred(p) {
		return ""
	}
	return p.ID()
}

// isCopy reports whether an earlier repository has published the very same; of a draft, which
// has no version yet, whether that says the same.
func (b *build) isCopy(p *content.Publication) bool {
	if p.Draft {
		return saysTheSame(b.beneath, p.Kind, p.Name, p.Body())
	}
	it := b.beneath.Item(p.Kind, p.Name)
	return it != nil && slices.ContainsFunc(it.Entries, func(e *content.Entry) bool {
		return e.Version.Equal(p.Version) && e.Checksum == p.Checksum
	})
}

func (c Config) takenName(k *content.Kind, name string, by content.Holder) content.Finding {
	return finding(k.File(name), say("taken", "taken", args{
		"item": k.Folder + "/" + name, "own": c.Name, "by": by.Item, "source": by.Source, "example": k.Folder + "/" + c.Name + "." + name,
	}))
}

// judgeOverride says why a mark counts for nothing that is for an item of another repository,
// or says that one is overridden; nil if it counts, or is for an item of this one.
func (b *build) judgeOverride(s *content.Snapshot, m content.Mark) *content.Finding {
	var wrong *content.Said
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

// over lets the tree refer to what is beneath its repository, and finds what bears a name
// that something there has. A file that says the same is a copy, and that of the earlier one.
func (t *Tree) over(c Config) {
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
		if !taken || f.OK() && saysTheSame(beneath, f.Kind, f.Name, f.Body) {
			continue
		}
		t.Findings = append(t.Findings, c.takenName(f.Kind, f.Name, by))
	}
}

// saysTheSame reports whether a version that is beneath says the same as what somebody wrote.
func saysTheSame(beneath *content.Beneath, k *content.Kind, name string, body content.Object) bool {
	it, own := beneath.Item(k, name), body.AppendJSON(nil)
	return it != nil && slices.ContainsFunc(it.Entries, func(e *content.Entry) bool {
		return bytes.Equal(e.Body().AppendJSON(nil), own)
	})
}
