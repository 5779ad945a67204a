package loader

import (
	"errors"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/loader/git"
)

// ref is a tag with the facts that depend on the tag alone: an unchanged ref is not read again.
type ref struct {
	content.Tag // without a kind it is a product release
	name        string
	oid         git.OID // zero if there is only a seal
	item        string  // folder and name
	path        string  // of the file that it publishes
	tag         git.Tag

	// Why it publishes nothing. Of tags with wrong names there may be very many, so nothing else is kept of them.
	misnamed bool
	refused  *content.Finding // the object is no commit, or damaged

	// With trusted signers.
	signature *content.Signature // the signer of the tag, or of its commit
	unsigned  *content.Finding   // why the signature does not count
	undated   bool               // the commit is not signed: its date does not count
}

// newRef parses the name of a tag.
func newRef(name string) (*ref, error) {
	t, err := content.ParseTag(name)
	r := &ref{Tag: t, name: name}
	if t.Kind != nil {
		r.item, r.path = itemName(name), t.Kind.File(t.Name)
	}
	return r, err
}

// itemName returns folder and name of a tag's item.
func itemName(tag string) string { return tag[:max(0, strings.LastIndexByte(tag, '/'))] }

// tagged reports whether there is a tag, and not only a seal.
func (r *ref) tagged() bool { return !r.oid.IsZero() }

// readTags resolves the tags to their commits. It returns them by name. An invalid tag is refused; a foreign one is
// ignored.
func (b *build) readTags() (tags []*ref, err error) {
	before := b.cache.tags // by name, too
	tags = make([]*ref, 0, len(b.refs.Tags))
	var added []*ref
	var ids []git.OID
	for _, t := range b.refs.Tags {
		for len(before) > 0 && before[0].name < t.Name {
			before = before[1:]
		}
		if len(before) > 0 && before[0].name == t.Name && before[0].oid == t.OID && !before[0].damaged() {
			tags = append(tags, before[0])
			continue
		}
		r := newTag(t)
		if tags = append(tags, r); r.isSound() {
			added, ids = append(added, r), append(ids, r.oid)
		}
	}
	b.repo.Ahead(ids)
	for _, r := range added {
		if err := b.tryTag(r); err != nil {
			return nil, err
		}
	}
	b.cache.tags = tags
	return tags, nil
}

// damaged reports whether the content of the tag is unknown.
func (r *ref) damaged() bool { return r.refused != nil && r.refused.Rule == "damaged" }

// isSound reports whether the tag publishes something, as far as it is known.
func (r *ref) isSound() bool { return !r.misnamed && r.refused == nil }

// newTag returns a tag that is not read yet; it will not be if it is not sound.
func newTag(t git.Ref) *ref {
	r, err := newRef(t.Name)
	if r.oid = t.OID; err != nil {
		return &ref{name: t.Name, oid: t.OID, misnamed: true}
	}
	if t.OID.IsZero() {
		r.refused = new(finding("", say("damaged", "ref", args{"tag": t.Name}).Advise(say("damaged", "file", nil))))
	}
	return r
}

// tryTag reads a tag, and recovers from a panic.
func (b *build) tryTag(r *ref) (err error) {
	if crashed := crash.Do(func() { err = b.readTag(r) }); crashed != nil {
		*r = ref{name: r.name, oid: r.oid, refused: new(b.crashFinding("", "reading the tag", crashed))}
	}
	return err
}

func (b *build) readTag(r *ref) error {
	tag, err := b.repo.Tag(r.oid)
	switch {
	case errors.Is(err, git.ErrNotCommit):
		r.refused = new(finding("", say("tag", "other", args{"problem": err}).Advise(say("tag", "commit", nil))))
		return nil
	case err == nil:
		err = b.verifyTag(r, tag)
	}
	if git.IsDamaged(err) {
		r.refused = new(damaged("", err))
		return nil
	}
	return err
}

// refusedTag returns the reason why a name is not that of a publishing tag.
func refusedTag(err error) content.Finding {
	s := say("tag", "other", args{"problem": err}).Advise(say("tag", "again", nil))
	if e, ok := errors.AsType[*content.TagError](err); ok {
		s = e.Text.Advise(say("tag", "again", nil))
		if e.Form != "" {
			s = e.Text.Advise(say("tag", "form", args{"form": e.Form}))
		}
	}
	return finding("", s)
}

// sortTags groups tags by item, and makes releases of root tags.
func (b *build) sortTags() (items map[string][]*ref, releases []*content.Release) {
	items = make(map[string][]*ref, len(b.before.outcomes))
	var misnamed []*ref
	for _, r := range b.tags {
		switch {
		case r.misnamed:
			misnamed = append(misnamed, r)
		case r.refused != nil:
			b.refuse(r.name, *r.refused)
		case r.Kind != nil:
			items[r.item] = append(items[r.item], r)
		case r.unsigned != nil:
			b.report.Refuse(r.name, *r.unsigned)
		default:
			if release := b.release(r); release != nil {
				releases = append(releases, release)
			}
		}
	}
	b.reportMisnamed(misnamed)
	return items, releases
}

// refuse reports the reason why a tag is refused. Content sealed under its name is still looked
// for.
func (b *build) refuse(name string, why ...content.Finding) {
	if !b.seals.sealed(name) {
		b.report.Refuse(name, why...)
		return
	}
	for _, f := range why {
		b.report.Add(about(name, f))
	}
}

// release returns the product release of a tag, nil if it is not served. Its date is the tag's,
// but never before the commit's; a lightweight tag has the commit's message.
func (b *build) release(r *ref) *content.Release {
	commit, ok := b.history.Commit(r.tag.Commit)
	if !ok && b.refs.Fixed {
		return nil // it came later than what is asked for
	}
	if !ok {
		b.report.Refuse(r.name, b.notMerged("", r.tag.Commit))
		return nil
	}
	date, message := r.publishedAt(commit), r.tag.Message
	if !r.tag.Annotated {
		message = commit.Message
		b.report.Add(about(r.name, warning("", say("lightweight", "notes", nil))))
	}
	if b.ahead(date) {
		b.report.Hold(r.name, future(date))
		return nil
	}
	if r.Version.Prerelease() != "" && !b.Drafts {
		return nil
	}
	return &content.Release{
		Version: r.Version, Date: date, Commit: r.tag.Commit.String(), Message: content.ParseMessage(message),
	}
}

// publishedAt is the tagger's time, or the commit's for a lightweight tag, and never
// before the commit's, if that counts.
func (r *ref) publishedAt(c git.Commit) time.Time {
	if r.tag.Annotated && (r.undated || r.tag.Tagged.After(c.Committed)) {
		return r.tag.Tagged
	}
	return c.Committed
}

func (b *build) notMerged(path string, commit git.OID) content.Finding {
	return finding(path, say("not-merged", "commit", args{"commit": commit.String()[:12], "branch": b.refs.Branch}))
}
