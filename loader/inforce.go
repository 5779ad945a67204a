package loader

import (
	"cmp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/gitrepo"
)

// signedVersion is a version of a root file made by a trusted signer.
type signedVersion[T any] struct {
	gitrepo.Version
	value  *T
	by     content.Signature
	builds func(gitrepo.OID) bool // its ancestors, itself included
}

func (v signedVersion[T]) vouched(file string) content.SignedFile {
	return content.SignedFile{File: file, Commit: v.At.String(), SignedBy: v.by}
}

// signedVersions returns the versions of a root file that are in force with trusted signers,
// newest first: the valid ones that a signed commit made, on the branch or merged into it,
// except ancestors of others. A commit makes a version if the file differs from that of all its
// parents. Unsigned commits have no influence, neither by the order of a merge's parents nor by
// which side a merge took; so what one signed commit redacts, only another restores.
//
// There is exactly one, unless signers changed the file on parallel branches and the merge is
// not signed.
func signedVersions[T any](b *build, path string, read reader[T]) (all []signedVersion[T], err error) {
	for _, v := range b.history.Versions(path) {
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
func readSigned[T any](b *build, v gitrepo.Version, path string, read reader[T]) (*signedVersion[T], error) {
	verdict, err := b.verify(v.At)
	if err != nil || verdict.err != nil {
		return nil, err
	}
	if made, err := b.madeBySigners(v.At, path, map[gitrepo.OID]bool{}); !made || err != nil {
		return nil, err
	}
	if _, left, err := b.leftOut(v, path); left || err != nil {
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
func (b *build) madeBySigners(commit gitrepo.OID, path string, seen map[gitrepo.OID]bool) (bool, error) {
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

// leftOut reports whether a signed merge had a version on one side and took another one, which
// is signed as well and returned. It did not leave it out if unsigned commits on that side had removed the
// version before; nor if the branch descends from the version without that merge.
func (b *build) leftOut(v gitrepo.Version, path string) (taken gitrepo.Version, left bool, err error) {
	lineage, err := b.lineage()
	if err != nil || lineage.has(b.history, v.At) {
		return taken, false, err
	}
	for _, merge := range lineage.merges {
		if !b.mergeDrops(merge, v, path) {
			continue
		}
		taken, _ = b.history.At(merge.OID, path)
		if signed, err := b.isTrusted(taken.Changed.OID); signed || err != nil {
			return taken, signed, err
		}
	}
	return taken, false, nil
}

// mergeDrops reports whether a merge had a version on a side that its first parent does not descend
// from, and took another one.
func (b *build) mergeDrops(merge gitrepo.Commit, v gitrepo.Version, path string) bool {
	taken, exists := b.history.At(merge.OID, path)
	if !exists || taken.Changed.OID == v.At || !slices.ContainsFunc(merge.Parents, func(parent gitrepo.OID) bool {
		at, exists := b.history.At(parent, path)
		return exists && at.OID == v.OID
	}) {
		return false
	}
	return b.history.Ancestors(merge.OID)(v.At) && !b.history.Ancestors(merge.Parents[0])(v.At)
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
func (b *build) waits(head gitrepo.Version, path string, inForce int) (content.Finding, error) {
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
