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

// signedVersions returns the valid versions of a root file that signed commits made, on the branch or merged
// into it, and those of them that are in force, newest first: all but ancestors of others. A commit makes a
// version if the file differs from that of all its parents. Unsigned commits have no influence, and neither
// has the order of a merge's parents; so what one signed commit redacts, only another restores.
//
// There is exactly one in force, unless signers changed the file on parallel branches, until a signed commit
// changes it after that.
func signedVersions[T any](b *build, path string, read reader[T]) (all, inForce []signedVersion[T], err error) {
	seen := map[git.OID]bool{}
	for _, v := range b.history.Versions(path) {
		made, err := b.madeBySigners(v.At, path, seen)
		if err != nil {
			return nil, nil, err
		}
		if !made || v.Mode == git.Absent {
			continue
		}
		value, findings, err := read(v.File)
		if err != nil {
			return nil, nil, err
		}
		if len(findings) == 0 {
			verdict, _ := b.verify(v.At) // known by now
			all = append(all, signedVersion[T]{v, value, verdict.by, b.history.Ancestors(v.At)})
		}
	}
	for _, v := range all {
		if !slices.ContainsFunc(all, func(o signedVersion[T]) bool { return o.At != v.At && o.builds(v.At) }) {
			inForce = append(inForce, v)
		}
	}
	slices.SortFunc(inForce, func(x, y signedVersion[T]) int {
		return cmp.Or(y.Changed.Committed.Compare(x.Changed.Committed), strings.Compare(x.At.String(), y.At.String()))
	})
	return all, inForce, reviewSigned(b, path, inForce, read)
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
	_, found, err := read(head.File)
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
		unsigned := say("unsigned", "since", args{"commit": commit})
		return warning(path, unsigned.Advise(say("unsigned", "comment", nil))), err
	}
	return warning(path, say("unsigned", "change", args{"commit": commit, "why": whyUnsigned(v)}).Advise(hint)), err
}
