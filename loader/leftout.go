package loader

import (
	"errors"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// readLeftOut reads seals that merges may have left out. Otherwise a merge of the branch into
// another one, pushed as the branch, would make all earlier seals depend on what it merged.
func (b *build) readLeftOut(seals *sealHistory) error {
	if b.Signers != nil {
		return b.readSignedBeside(seals)
	}
	for _, c := range b.history.Merges() {
		if seals.readSides[c.OID] {
			continue
		}
		for _, parent := range c.Parents[1:] {
			if err := b.readMerged(seals, parent); err != nil {
				return err
			}
		}
		seals.readSides[c.OID] = true
	}
	return nil
}

// readMerged reads the lines that a merge had on a side and did not keep. None of these comes
// into force, otherwise lines that a merge rejected would be served. Files that equal those of
// the branch itself, or those of another merged side, are known already.
func (b *build) readMerged(seals *sealHistory, parent gitrepo.OID) error {
	known := func(commit gitrepo.OID) bool { return seals.readSides[commit] }
	for _, state := range b.history.Beside(parent, known, content.HoldsSeals) {
		fresh, err := b.unknown(seals, state)
		if err != nil {
			return err
		}
		for _, text := range fresh {
			seals.lines[text], seals.reviewed = knownLine{standing: leftOut}, false
			seals.contend(tagOf(text), text)
		}
	}
	seals.readSides[parent] = true
	return nil
}

// readSignedBeside reads the signed lines of all commits that may have been on the branch
// itself. They count like those on it.
func (b *build) readSignedBeside(seals *sealHistory) error {
	lineage, err := b.lineage()
	if err != nil {
		return err
	}
	for _, id := range lineage.maybeOnBranch {
		if seals.readSides[id] {
			continue
		}
		seals.readSides[id] = true
		for _, state := range b.history.Brought(id, content.HoldsSeals) {
			if err := b.readSigned(seals, state); err != nil {
				return err
			}
		}
	}
	return nil
}

// readSigned reads a state of a file outside the branch itself.
func (b *build) readSigned(seals *sealHistory, state gitrepo.Version) error {
	fresh, err := b.unknown(seals, state)
	if err != nil || len(fresh) == 0 {
		return err
	}
	at := span{path: state.Path, until: state.Changed.OID}
	vouched, err := b.sealVouchers(seals, at, fresh)
	if err != nil {
		return err
	}
	at.branchCommit, _ = b.history.Entry(state.At)
	for _, text := range fresh {
		back, err := b.removedBeforeMerge(text, state.At, at.branchCommit)
		if vouched[text] == nil || back || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		seals.reviewed = false
		seals.add([]string{text}, at, vouched)
	}
	return nil
}

// removedBeforeMerge reports whether a signed commit removed a line that was never on the branch
// itself, between a commit and the merge that brought both to the branch: a change may rewrite
// its own seals before it is merged.
func (b *build) removedBeforeMerge(line string, from, on gitrepo.OID) (bool, error) {
	entry, _ := b.history.Commit(on)
	for _, parent := range entry.Parents {
		for _, path := range places(line) {
			for _, c := range b.history.Since(parent, from, path) {
				if back, err := b.removesLine(c, line, from); back || err != nil {
					return back, err
				}
			}
		}
	}
	return false, nil
}

// removesLine reports whether a signed descendant of a commit lacks a line that one of its parents
// has.
func (b *build) removesLine(c gitrepo.Commit, line string, from gitrepo.OID) (bool, error) {
	signed, err := b.isTrusted(c.OID)
	if !signed || err != nil || !b.history.Ancestors(c.OID)(from) {
		return false, err
	}
	if has, err := b.hasLine(c.OID, line); has || err != nil {
		return false, err
	}
	for _, parent := range c.Parents {
		if had, err := b.hasLine(parent, line); had || err != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// unknown returns the lines of a state of a file that are not known yet, none if it does not
// count.
func (b *build) unknown(seals *sealHistory, state gitrepo.Version) (fresh []string, err error) {
	if seals.fullyRead[state.File] || !countsAt(state.Path) {
		return nil, nil
	}
	text, read, err := b.sealsOf(state.File)
	if err != nil || !read {
		return nil, err
	}
	for _, text := range numbered(text.Slice(text.Differing(b.accounted(seals, state.Path)))) {
		known := seals.lines[text].standing
		if known == counting {
			continue // and well-formed
		}
		seal, err := content.ParseSeal(text)
		if err != nil && !errors.Is(err, content.ErrForeignTag) {
			return nil, nil
		}
		ignored := seals.ignored != nil && seals.ignored(text)
		if err == nil && !ignored && known != leftOut && isSealsFileOf(state.Path, seal.Tag) {
			fresh = append(fresh, text)
		}
	}
	seals.fullyRead[state.File] = len(fresh) == 0 || b.Signers == nil
	return fresh, nil
}

// accounted returns a version of a file whose lines are all known or well-formed and without
// effect, nil if there is none. With trusted signers a line that did not count may count
// elsewhere, and an ignored file may have any content.
func (b *build) accounted(seals *sealHistory, path string) *gitrepo.Text {
	f := seals.files[content.PlainPath(path)]
	if f == nil || b.Signers != nil || seals.ignored != nil {
		return nil
	}
	return f.text
}
