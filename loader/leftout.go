package loader

import (
	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// readLeftOut reads seals that merges may have left out. A merge of the branch into
// another one, pushed as the branch, would make all that was sealed before a matter of
// what it merges.
func (b *build) readLeftOut(log *sealLog) error {
	if b.Signers != nil {
		return b.readSignedBeside(log)
	}
	for _, c := range b.history.Merges() {
		if log.merged[c.OID] {
			continue
		}
		for _, parent := range c.Parents[1:] {
			if at, there := b.history.At(parent, content.SealsFile); there {
				if err := b.readMerged(log, at); err != nil {
					return err
				}
			}
		}
		log.merged[c.OID] = true
	}
	return nil
}

// readMerged reads a state of the file that a merge was given and did not keep. None of
// its lines comes into force by that, or what a merge turned down would be served.
func (b *build) readMerged(log *sealLog, at gitrepo.Version) error {
	fresh, err := b.unknown(log, at)
	for _, text := range fresh {
		seal, err := content.ParseSeal(text)
		if err != nil {
			continue // of a kind that this build does not know
		}
		log.beside[text], log.reviewed = true, false
		log.contend(seal.Tag, text)
	}
	return err
}

// readSignedBeside reads the signed lines of all commits that may have been on the
// branch itself. They count as those that are on it.
func (b *build) readSignedBeside(log *sealLog) error {
	lineage, err := b.lineage()
	if err != nil {
		return err
	}
	for _, id := range lineage.beside {
		at, _ := b.history.At(id, content.SealsFile)
		if at.At != id || log.merged[id] {
			continue
		}
		log.merged[id] = true
		if err := b.readSigned(log, at); err != nil {
			return err
		}
	}
	return nil
}

// readSigned reads a state of the file beside the branch itself.
func (b *build) readSigned(log *sealLog, at gitrepo.Version) error {
	fresh, err := b.unknown(log, at)
	if err != nil || len(fresh) == 0 {
		return err
	}
	vouched, err := b.vouchSeals(span{until: at.Changed.OID}, fresh)
	if err != nil {
		return err
	}
	on, _ := b.history.Entry(at.At)
	for _, text := range fresh {
		if by, ok := vouched[text]; ok {
			log.by[text], log.reviewed = by, false
			log.add([]string{text}, span{until: at.Changed.OID, on: on})
		}
	}
	return nil
}

// unknown returns the lines of a state of the file that are not known yet, none if it
// does not count.
func (b *build) unknown(log *sealLog, at gitrepo.Version) (fresh []string, err error) {
	if log.whole[at.OID] {
		return nil, nil
	}
	raw, read, err := b.sealsOf(at.File)
	if err != nil || !read || !validSeals(raw) {
		return nil, err
	}
	for _, text := range numbered(raw) {
		if _, known := log.lines[text]; !known && !log.beside[text] {
			fresh = append(fresh, text)
		}
	}
	log.whole[at.OID] = len(fresh) == 0 || b.Signers == nil
	return fresh, nil
}
