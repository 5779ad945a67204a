package loader

import (
	"errors"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/loader/gitrepo"
)

// ref is a tag, and what is known of it whatever else there is: a ref that stands as
// it did is not read again.
type ref struct {
	content.Tag // without a kind, it is a product release
	name        string
	oid         gitrepo.OID // zero if there is no tag, only a seal
	item        string      // folder and name
	path        string      // of the file that it publishes
	tag         gitrepo.Tag

	foreign bool             // it is somebody else's
	almost  guess            // what it was probably meant for, if it publishes nothing
	refused *content.Finding // why it cannot be one of ours

	// Where signers are asked for.
	by       *content.Signature // who vouches for the tag, or for its commit
	unsigned *content.Finding   // why nobody does
	undated  bool               // nobody vouches for the commit: its date does not count
}

// newRef reads the name of a tag.
func newRef(name string) (*ref, error) {
	t, err := content.ParseTag(name)
	r := &ref{Tag: t, name: name}
	if t.Kind != nil {
		r.item, r.path = itemName(name), t.Kind.File(t.Name)
	}
	return r, err
}

// itemName returns folder and name of the item that a tag is for.
func itemName(tag string) string { return tag[:max(0, strings.LastIndexByte(tag, '/'))] }

// tagged reports whether there is a tag, not only a seal.
func (r *ref) tagged() bool { return !r.oid.IsZero() }

// readTags follows the tags to their commits. A tag that cannot be one of ours is
// refused; one that is somebody else's is left alone. Both lists, that of the last
// load and that of now, are in the order of the names.
func (b *build) readTags() error {
	before, tags := b.memos.tags, make([]*ref, 0, len(b.refs.Tags))
	for _, t := range b.refs.Tags {
		for len(before) > 0 && before[0].name < t.Name {
			before = before[1:]
		}
		if len(before) > 0 && before[0].name == t.Name && before[0].oid == t.OID && !before[0].unread() {
			tags = append(tags, before[0])
			continue
		}
		r, err := b.tryTag(t)
		if err != nil {
			return err
		}
		tags, b.new = append(tags, r), append(b.new, r)
	}
	b.memos.tags = tags
	return nil
}

// unread reports whether nobody knows what the tag says.
func (r *ref) unread() bool { return r.refused != nil && r.refused.Rule == "damaged" }

// tryTag is readTag of a tag that may be more than that was made for.
func (b *build) tryTag(t gitrepo.Ref) (r *ref, err error) {
	if crashed := crash.Do(func() { r, err = b.readTag(t) }); crashed != nil {
		f := b.crashed("", "reading the tag", crashed)
		return &ref{name: t.Name, oid: t.OID, refused: &f}, nil
	}
	return r, err
}

func (b *build) readTag(t gitrepo.Ref) (*ref, error) {
	r, err := newRef(t.Name)
	r.oid = t.OID
	if err != nil {
		r.foreign, r.refused = errors.Is(err, content.ErrForeignTag), refusedTag(err)
		r.almost = guessTag(t.Name)
		return r, nil
	}
	tag, err := b.repo.Tag(t.OID)
	switch {
	case errors.Is(err, gitrepo.ErrNotCommit):
		f := finding("", say("tag", "other", args{"problem": err}).Advise(say("tag", "commit", nil)))
		r.refused = &f
		return r, nil
	case gitrepo.IsDamaged(err):
		f := damaged("", err)
		r.refused = &f
		return r, nil
	case err != nil:
		return nil, err
	}
	if err := b.vouch(r, tag); gitrepo.IsDamaged(err) {
		f := damaged("", err)
		r.refused = &f
		return r, nil
	} else if err != nil {
		return nil, err
	}
	return r, nil
}

// refusedTag says why a name is none of a tag that publishes.
func refusedTag(err error) *content.Finding {
	s := say("tag", "other", args{"problem": err}).Advise(say("tag", "again", nil))
	if e, ok := errors.AsType[*content.TagError](err); ok {
		s = e.Says.Advise(say("tag", "again", nil))
		if e.Form != "" {
			s = e.Says.Advise(say("tag", "form", args{"form": e.Form}))
		}
	}
	f := finding("", s)
	return &f
}

// sortTags puts tags to their items, and makes releases of root tags.
func (b *build) sortTags() map[string][]*ref {
	items := make(map[string][]*ref, len(b.last.outcomes))
	wrong := wrongTags{build: b}
	defer wrong.rest()
	for _, r := range b.memos.tags {
		switch {
		case r.foreign:
			wrong.foreign(r)
		case r.refused != nil:
			wrong.refuse(r)
		case r.Kind != nil:
			items[r.item] = append(items[r.item], r)
		case r.unsigned != nil:
			b.report.Refuse(r.name, *r.unsigned)
		default:
			b.release(r)
		}
	}
	return items
}

// refuse says why nothing comes of a tag. What was sealed under its name is looked
// for all the same.
func (b *build) refuse(name string, why ...content.Finding) {
	if !b.memos.seals.sealed(name) {
		b.report.Refuse(name, why...)
		return
	}
	for _, f := range why {
		f.Tag = name
		b.report.Add(f)
	}
}

// release reads a product release. Its date is the tag's, but never before the
// commit's; a lightweight tag has the commit's message.
func (b *build) release(r *ref) {
	commit, ok := b.history.Commit(r.tag.Commit)
	if !ok && b.refs.Fixed {
		return // it came later than what is asked for
	}
	if !ok {
		b.report.Refuse(r.name, b.notMerged("", r.tag.Commit))
		return
	}
	date, message := r.publishedAt(commit), r.tag.Message
	if !r.tag.Annotated {
		message = commit.Message
		f := warning("", say("lightweight", "notes", nil))
		f.Tag = r.name
		b.report.Add(f)
	}
	if b.ahead(date) {
		b.report.Hold(r.name, future(date))
		return
	}
	if r.Version.Prerelease() != "" && !b.Drafts {
		return
	}
	b.releases = append(b.releases, &content.Release{
		Version: r.Version, Date: date, Commit: r.tag.Commit.String(), Message: content.ParseMessage(message),
	})
}

// publishedAt is the tagger's time, or the commit's for a lightweight tag, and never
// before the commit's, if that counts.
func (r *ref) publishedAt(c gitrepo.Commit) time.Time {
	if r.tag.Annotated && (r.undated || r.tag.Tagged.After(c.Committed)) {
		return r.tag.Tagged
	}
	return c.Committed
}

func (b *build) notMerged(path string, commit gitrepo.OID) content.Finding {
	return finding(path, say("not-merged", "commit", args{"commit": commit.String()[:12], "branch": b.refs.Branch}))
}
