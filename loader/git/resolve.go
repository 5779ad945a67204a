package git

import (
	"errors"
	"strings"

	"rulestore/content/i18n"
)

// Resolve returns the commit of a revision, by git rev-parse unless it is a full id: a branch, also a remote
// one, a tag, an abbreviated id, HEAD, and any of these with ~ and ^.
func (r *Repo) Resolve(revision string) (OID, error) {
	none := i18n.Errorf("there is no branch, tag or commit %q", revision)
	if revision == "" || revision[0] == '-' || strings.ContainsAny(revision, ":{\x00") ||
		strings.Contains(revision, "..") {
		return OID{}, none
	}
	id, err := ParseOID(revision)
	if err != nil {
		out, err := r.ask("", "rev-parse", "--verify", "--quiet", revision)
		if errors.Is(err, ErrNoGit) {
			return OID{}, i18n.Errorf("%w: %w", none, err)
		}
		if id, err = ParseOID(strings.TrimSpace(out)); err != nil {
			return OID{}, none
		}
	}
	tag, err := r.Tag(id)
	switch {
	case errors.Is(err, errAbsent):
		return OID{}, i18n.Errorf("%w: the repository does not have it, fetch it first", none)
	case err != nil:
		return OID{}, i18n.Errorf("%q is no commit: %w", revision, err)
	}
	return tag.Commit, nil
}

// Head returns the commit that is checked out.
func (r *Repo) Head() (OID, error) {
	refs, err := r.Refs("")
	return refs.Commit, err
}

// MergeBase returns the merge base of two commits, one of them if there are several. It is not
// ok if there is none, or if a shallow history ends before it.
func (r *Repo) MergeBase(a, b OID) (base OID, ok bool, err error) {
	out, err := r.ask("", "merge-base", a.String(), b.String())
	if AnsweredNo(err) {
		return OID{}, false, nil
	}
	if err == nil {
		base, err = ParseOID(strings.TrimSpace(out))
	}
	return base, err == nil, err
}
