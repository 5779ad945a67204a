package loader

import (
	"errors"
	"maps"
	"slices"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// verdict is the result of verifying the signature of a commit or tag.
type verdict struct {
	by  content.Signature
	tag string // the name in a signed tag
	err error  // why the signature does not count; nil if it does
}

// verify verifies the signature of a commit or tag. Objects and signers are immutable, so the
// result is cached.
func (b *build) verify(id gitrepo.OID) (verdict, error) {
	if v, ok := b.memos.verdicts.get(id); ok {
		return v, nil
	}
	o, err := b.repo.Object(id)
	v := verdict{err: err}
	switch {
	case errors.Is(err, gitrepo.ErrTooLarge):
	case err != nil:
		return v, err
	default:
		signer, tag, why := b.Signers.Judge(o.Kind, o.Raw)
		v = verdict{content.Signature{Signer: signer.Name, Key: signer.Key, Object: content.SignedCommit}, tag, why}
		if o.Kind == "tag" {
			v.by.Object = content.SignedTag
		}
	}
	return b.memos.verdicts.keep(id, v), nil
}

// verifyTag verifies the signature of a tag. Nothing of an unsigned tag is used: the commit that it
// points to may be signed, but only the tag states the version, and that it is published.
func (b *build) verifyTag(r *ref, tag gitrepo.Tag) error {
	if r.tag = tag; b.Signers == nil {
		return nil
	}
	commit, err := b.verify(tag.Commit)
	if err != nil {
		return err
	}
	r.undated = commit.err != nil
	own, err := b.tagVerdict(r, tag)
	switch {
	case err != nil:
		return err
	case own.err == nil:
		r.signature = &own.by
		return nil
	}
	r.tag, r.unsigned = gitrepo.Tag{Commit: tag.Commit}, unsignedTag(r.Tag, own)
	return nil
}

// tagVerdict verifies the signature of a tag itself.
func (b *build) tagVerdict(r *ref, tag gitrepo.Tag) (verdict, error) {
	if !tag.Annotated {
		return verdict{err: errLightweight}, nil
	}
	v, err := b.verify(r.oid)
	// else an old tag could be passed off as a new one
	if err == nil && v.err == nil && v.tag != b.repo.FullTag(r.name) {
		v.err = errOtherName
	}
	return v, err
}

// unsignedTag is the finding about a tag without a trusted signature. A seal can replace the
// signature for an item, not for a release.
func unsignedTag(t content.Tag, v verdict) *content.Finding {
	s := say("unsigned", "tag", args{"why": whyUnsigned(v)})
	if t.Kind == nil {
		s = say("unsigned", "release", args{"why": whyUnsigned(v)})
	}
	return new(finding("", s))
}

// isTrusted reports whether date and message of a commit may be shown to readers.
func (b *build) isTrusted(commit gitrepo.OID) (bool, error) {
	if b.Signers == nil {
		return true, nil
	}
	v, err := b.verify(commit)
	return err == nil && v.err == nil, err
}

// voucher is the signer of a seal, with the commit that added it.
type voucher struct {
	by     content.Signature
	commit gitrepo.OID
}

// sealVouchers returns, for lines that are new in a state of a seal file, the signers of the
// commits that added them, on the branch or on merged ones. Dates have no influence, since
// anybody can choose them. Lines that were moved into the file were added in the earlier file.
func (b *build) sealVouchers(seals *sealHistory, at span, lines []string) (map[string]*voucher, error) {
	vouched := map[string]*voucher{}
	for _, path := range places(lines...) {
		for _, c := range b.history.Since(at.until, seals.after(at, path), path) {
			if err := b.addVouchers(vouched, c, path, lines); err != nil {
				return nil, err
			}
		}
	}
	return vouched, nil
}

// after returns the state of a file, or of another one, before a part of the history.
func (l *sealHistory) after(at span, path string) gitrepo.OID {
	f := l.files[path]
	switch {
	case path == at.path:
		return at.after
	case f == nil || at.branchCommit.IsZero():
		return gitrepo.OID{}
	}
	return f.after(at.branchCommit)
}

// addVouchers records the lines that a commit vouches for in a file.
func (b *build) addVouchers(vouched map[string]*voucher, c gitrepo.Commit, path string, lines []string) error {
	v, err := b.verify(c.OID)
	if err != nil || v.err != nil {
		return err
	}
	added, err := b.added(c, path)
	if err != nil {
		return err
	}
	v.by.Object = content.SignedSeal
	for _, line := range lines {
		if added[line] {
			vouched[line] = &voucher{v.by, c.OID}
		}
	}
	return nil
}

// added returns the lines in a commit's seal file that none of its parents has, there or in
// another valid place: a commit does not vouch for lines that a merge inherits, or that it
// moves from one file to another.
func (b *build) added(c gitrepo.Commit, path string) (lineSet, error) {
	raw, _, err := b.sealsAt(c.OID, path)
	if err != nil {
		return nil, err
	}
	added := linesOf(raw)
	for _, parent := range c.Parents {
		if brought, err := b.restores(c, parent, path); brought || err != nil {
			return nil, err
		}
		if err := b.withoutLastSeals(added, path, parent); err != nil {
			return nil, err
		}
	}
	for _, other := range places(slices.Collect(maps.Keys(added))...) {
		for _, parent := range c.Parents {
			if err := b.withoutLastSeals(added, other, parent); err != nil {
				return nil, err
			}
		}
	}
	return added, nil
}

// restores reports whether a commit restores a file that a parent does not have, or not in a
// readable form. Its lines may come from another file that was renamed to it, or a revert may
// restore untrusted content. A first version restores nothing.
func (b *build) restores(c gitrepo.Commit, parent gitrepo.OID, path string) (bool, error) {
	at, exists := b.history.At(parent, path)
	if exists {
		_, read, err := b.sealsOf(at.File)
		return !read, err
	}
	return len(c.Parents) > 1 || at.Changed.OID != (gitrepo.OID{}), nil
}

// withoutLastSeals removes the lines that a seal file had at a commit or, if there was no
// readable one, before it, along all parents: a commit that restores the file does not vouch
// for its earlier lines.
func (b *build) withoutLastSeals(added lineSet, path string, commit gitrepo.OID) error {
	if len(added) == 0 {
		return nil
	}
	last, err := b.lastSeals(path, commit)
	if last == nil || err != nil {
		return err
	}
	for line := range added {
		if (*last)[line] {
			delete(added, line)
		}
	}
	return nil
}
