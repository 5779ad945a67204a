package loader

import (
	"errors"

	"rulestore/content"
	"rulestore/loader/git"
)

// verdict is the result of verifying the signature of a commit or tag.
type verdict struct {
	by  content.Signature
	tag string // the name in a signed tag
	err error  // why the signature does not count; nil if it does
}

// verify verifies the signature of a commit or tag. Objects and signers are immutable, so the
// result is cached.
func (ls *listed) verify(id git.OID) (verdict, error) {
	if v, ok := ls.cache.verdicts.get(id); ok {
		return v, nil
	}
	o, err := ls.repo.Object(id)
	v := verdict{err: err}
	switch {
	case errors.Is(err, git.ErrTooLarge):
	case err != nil:
		return v, err
	default:
		signer, tag, why := ls.Signers.Judge(o.Kind, o.Raw)
		v = verdict{content.Signature{Signer: signer.Name, Key: signer.Key, Object: content.SignedCommit}, tag, why}
		if o.Kind == "tag" {
			v.by.Object = content.SignedTag
		}
	}
	return ls.cache.verdicts.keep(id, v), nil
}

// verifyTag verifies the signature of a tag. Nothing of an unsigned tag is used: the commit that it
// points to may be signed, but only the tag states the version, and that it is published.
func (ls *listed) verifyTag(r *ref, tag git.Tag) error {
	r.tag = tag
	commit, err := ls.verify(tag.Commit)
	if err != nil {
		return err
	}
	r.undated = commit.err != nil
	own, err := ls.tagVerdict(r, tag)
	switch {
	case err != nil:
		return err
	case own.err == nil:
		r.signature = &own.by
		return nil
	}
	r.tag, r.unsigned = git.Tag{Commit: tag.Commit}, unsignedTag(r.Tag, own)
	return nil
}

// tagVerdict verifies the signature of a tag itself.
func (ls *listed) tagVerdict(r *ref, tag git.Tag) (verdict, error) {
	if !tag.Annotated {
		return verdict{err: errLightweight}, nil
	}
	v, err := ls.verify(r.oid)
	// else an old tag could be passed off as a new one
	if err == nil && v.err == nil && v.tag != r.name {
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
func (ls *listed) isTrusted(commit git.OID) (bool, error) {
	if ls.Signers == nil {
		return true, nil
	}
	v, err := ls.verify(commit)
	return err == nil && v.err == nil, err
}
