package loader

import (
	"cmp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
)

// signedVersion is a version of a root file made by a trusted signer.
type signedVersion[T any] struct {
	git.Version
	value  *T
	by     content.Signature
	builds func(git.OID) bool // its ancestors, itself included
}

func (v signedVersion[T]) vouched(file string) content.SignedFile {
	return content.SignedFile{File: file, Commit: v.At.String(), SignedBy: v.by}
}

// signedVersions returns the versions of a root file that are in force with trusted signers,
// newest first: the valid ones that a signed commit made or decided for, on the branch or merged into
// it, except ancestors of others. A commit makes a version if the file differs from that of all its
// parents, and a merge decides between versions that were made in parallel. Unsigned commits have no
// influence, and neither has the order of a merge's parents; so what one signed commit redacts, only another
// restores.
//
// There is exactly one, unless signers changed the file on parallel branches and the merge is
// not signed.
func signedVersions[T any](b *build, path string, read reader[T]) (all []signedVersion[T], err error) {
	versions, err := b.versions(path)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		if slices.ContainsFunc(all, func(o signedVersion[T]) bool { return o.builds(v.At) }) {
			continue
		}
		signed, err := readSigned(b, v, path, read)
		if err != nil {
			return nil, err
		}
		if signed != nil {
			all = slices.DeleteFunc(all, func(o signedVersion[T]) bool { return signed.builds(o.At) })
			all = append(all, *signed)
		}
	}
	slices.SortFunc(all, func(x, y signedVersion[T]) int {
		return cmp.Or(y.Changed.Committed.Compare(x.Changed.Committed), strings.Compare(x.At.String(), y.At.String()))
	})
	return all, reviewSigned(b, path, all, read)
}

// readSigned reads a version; nil if it does not count.
func readSigned[T any](b *build, v git.Version, path string, read reader[T]) (*signedVersion[T], error) {
	verdict, err := b.verify(v.At)
	if err != nil || verdict.err != nil {
		return nil, err
	}
	if made, err := b.madeBySigners(v.At, path, map[git.OID]bool{}); !made || err != nil {
		return nil, err
	}
	raw, refusal, err := b.file(v.File, path)
	if err != nil || len(refusal) > 0 {
		return nil, err
	}
	value, findings := read(raw)
	if value == nil || len(findings) > 0 {
		return nil, nil
	}
	return &signedVersion[T]{v, value, verdict.by, b.history.Ancestors(v.At)}, nil
}

// madeBySigners reports whether a commit that changed a file vouches for its whole content: it
// is signed and, if it is a merge, so are the merged versions. git merges lines of both sides
// automatically, or follows a renamed file.
func (b *build) madeBySigners(commit git.OID, path string, seen map[git.OID]bool) (bool, error) {
	made, known := seen[commit]
	if known {
		return made, nil
	}
	v, err := b.verify(commit)
	if err != nil {
		return false, err
	}
	made = v.err == nil
	if c, _ := b.history.Commit(commit); made && len(c.Parents) > 1 {
		for _, parent := range c.Parents {
			at, exists := b.history.At(parent, path)
			if made = made && exists; made {
				made, err = b.madeBySigners(at.Changed.OID, path, seen)
			}
			if err != nil {
				return false, err
			}
		}
	}
	seen[commit] = made
	return made, nil
}

// versions lists the versions of a root file: those that commits made, and those that signed merges decided for.
func (b *build) versions(path string) ([]git.Version, error) {
	all := b.history.Versions(path)
	for _, merge := range b.history.Merges() { // oldest first: one may decide about what another decided
		v, exists := b.history.At(merge.OID, path)
		if !exists || v.Changed.OID == merge.OID { // the latter is listed as what it made
			continue
		}
		v.At = merge.OID
		decides, err := b.decides(merge, v, path, all)
		if err != nil {
			return nil, err
		}
		if decides {
			all = append(all, v)
		}
	}
	return all, nil
}

// decides reports whether a signed merge decided for a version: it brought another one together with a side that
// does not descend from that, and on which this one is in force. Otherwise an unsigned commit may have
// brought it back there.
func (b *build) decides(merge git.Commit, v git.Version, path string, all []git.Version) (bool, error) {
	var same []git.OID
	for _, side := range merge.Parents {
		if at, _ := b.history.At(side, path); at.OID == v.OID {
			same = append(same, side)
		}
	}
	if len(same) == len(merge.Parents) {
		return false, nil
	}
	if signed, err := b.isTrusted(merge.OID); !signed || err != nil {
		return false, err
	}
	var made []signedState // before the merge
	merged, seen := b.history.Ancestors(merge.OID), map[git.OID]bool{}
	for _, x := range all {
		signed, err := b.madeBySigners(x.At, path, seen)
		if err != nil {
			return false, err
		}
		if signed && merged(x.At) {
			made = append(made, signedState{x, b.history.Ancestors(x.At)})
		}
	}
	return slices.ContainsFunc(same, func(side git.OID) bool {
		return isChosen(v, made, b.history.Ancestors(side))
	}), nil
}

// signedState is a state of a file that signers made, and what it builds on.
type signedState struct {
	git.Version
	builds func(git.OID) bool
}

// isChosen reports whether a version is in force on a side of a merge, which another one is not on.
func isChosen(v git.Version, made []signedState, onSide func(git.OID) bool) bool {
	parallel := false
	for _, x := range made {
		switch {
		case x.OID == v.OID:
		case !onSide(x.At):
			parallel = true
		case !slices.ContainsFunc(made, func(y signedState) bool {
			return y.OID == v.OID && onSide(y.At) && y.builds(x.At)
		}):
			return false
		}
	}
	return parallel
}

// reviewSigned reports what is wrong with the version at the head of the branch, or why it is
// not in force.
func reviewSigned[T any](b *build, path string, inForce []signedVersion[T], read reader[T]) error {
	used := say("", "unused", nil)
	if len(inForce) > 0 {
		used = say("", "used", args{"commit": inForce[0].At.String()[:12]})
	}
	head, exists := b.history.At(b.refs.Commit, path)
	if !exists && len(inForce) == 0 {
		return nil
	}
	raw, found, err := b.file(head.File, path)
	if err == nil && len(found) == 0 {
		_, found = read(raw)
	}
	if err == nil && len(found) == 0 && (len(inForce) != 1 || inForce[0].OID != head.OID) {
		found = make([]content.Finding, 1)
		found[0], err = b.waits(head, path, len(inForce))
	}
	for _, f := range found {
		b.report.Add(check.Advise(f, used))
	}
	return err
}

// waits returns the reason why a valid version at the head is not in force, of a number of such
// versions.
func (b *build) waits(head git.Version, path string, inForce int) (content.Finding, error) {
	hint := say("unsigned", "commit", nil)
	v, err := b.verify(head.Changed.OID)
	commit := head.Changed.OID.String()[:12]
	switch {
	case inForce > 1:
		return warning(path, say("unsigned", "beside", nil).Advise(hint)), err
	case v.err == nil:
		return warning(path, say("unsigned", "since", args{"commit": commit}).Advise(hint)), err
	}
	return warning(path, say("unsigned", "change", args{"commit": commit, "why": whyUnsigned(v)}).Advise(hint)), err
}
