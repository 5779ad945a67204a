package loader

import (
	"errors"
	"maps"
	"slices"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// sealHistory has the seal files read along the branch: the first line for a tag, in any valid
// version of a valid file, counts permanently. For competing lines see [build.settleRivals].
type sealHistory struct {
	readTo     gitrepo.OID // the last commit of the branch that was read
	files      map[string]*sealFile
	seals      map[string]content.Seal
	inForce    map[string]string           // the lines of these seals, by tag
	byItem     map[string][]content.Seal   // in order of introduction; of a disputed one only the tag
	lines      map[string]bool             // well-formed lines; true: the line is in force
	introduced map[string]span             // the point of the branch at which each line was introduced
	lastPath   map[string]string           // the last file of each
	writtenIn  map[string]content.RuleText // the commit that wrote it, of competing lines

	// Tags with several lines, or with one that a merge left out.
	rivals        map[string][]string   // all of them, by tag
	neverOnBranch map[string]bool       // lines that were never on the branch itself: none can be in force
	candidates    map[string][]string   // those of them that may be first
	disputed      map[string][]string   // tags whose first line is ambiguous
	readSides     map[gitrepo.OID]bool  // merges and their sides, or with trusted signers commits, read for this
	fullyRead     map[gitrepo.File]bool // states of files whose lines are all known
	compared      int                   // number of states of files that were compared; 0: none

	// With trusted signers.
	vouchers map[string]voucher // of lines
	unsigned map[string]bool    // lines that no trusted signer added

	log *branchLog // facts of the branch itself, in force or not; nil if only files are compared

	ignored func(line string) bool // see [Config].Rewritable

	reviewed     bool
	reviewedVoid map[string]bool   // tags whose lines may then be missing
	findings     []content.Finding // findings about the newest versions
}

// span is a part of the history of a file: reachable from a commit and not from the one before.
// It came to the branch with the commit branchCommit.
type span struct {
	path                       string
	after, until, branchCommit gitrepo.OID
}

func newSealHistory() sealHistory {
	return sealHistory{
		files: map[string]*sealFile{},
		seals: map[string]content.Seal{}, inForce: map[string]string{}, byItem: map[string][]content.Seal{},
		lines: map[string]bool{}, introduced: map[string]span{}, lastPath: map[string]string{},
		writtenIn: map[string]content.RuleText{},
		rivals:    map[string][]string{}, neverOnBranch: map[string]bool{}, disputed: map[string][]string{},
		candidates: map[string][]string{},
		readSides:  map[gitrepo.OID]bool{}, fullyRead: map[gitrepo.File]bool{},
		vouchers: map[string]voucher{}, unsigned: map[string]bool{},
	}
}

// readSeals reads what came to the branch since the last load, or everything if the branch did
// not only gain commits at its end: the changes to seal files and to the other files of the log,
// and lines that merges may have left out. Then it determines which of competing lines is in
// force.
func (b *build) readSeals() (*sealHistory, error) {
	seals := b.memos.seals
	if !b.history.OnBranch(seals.readTo) || seals.log.unreadable {
		seals, b.memos.lastSeals = newSealHistory(), newLastSeals()
		seals.log, seals.ignored = newBranchLog(), b.Rewritable
	}
	b.memos.seals = sealHistory{} // if only half of it is read, the next load begins anew
	for _, state := range b.history.MainlineAfter(seals.readTo, hasFacts) {
		seals.log.beginCommit(b.history.Position(state.At), state.At)
		read := b.readSealsFile
		switch {
		case state.Path == content.LifecycleFile:
			read = b.logMarks
		case inApprovals(state.Path):
			read = b.logApprovals
		}
		if err := read(&seals, state); err != nil {
			return nil, err
		}
	}
	seals.files[content.SealsFile].detach()
	seals.log.detach()
	seals.log.endCommit()
	if err := b.readLeftOut(&seals); err != nil {
		return nil, err
	}
	seals.readTo = b.refs.Commit
	if err := b.settleRivals(&seals); err != nil {
		return nil, err
	}
	b.memos.seals = seals
	return &b.memos.seals, nil
}

// readSealsFile reads the change to one file by a commit of the branch. With trusted signers
// only signed lines count.
func (b *build) readSealsFile(seals *sealHistory, state gitrepo.Version) error {
	seals.reviewed = false
	f := seals.file(content.PlainPath(state.Path))
	read, err := b.takeState(f, state)
	switch {
	case err != nil:
		return err
	case !read:
		return b.logUncountedSeals(seals.log, state)
	}
	text, err := b.sealsText(state.File)
	if errors.Is(err, gitrepo.ErrTooLarge) {
		f.findings = []content.Finding{finding(state.Path, tooManySeals(err))}
		return nil
	}
	if err != nil {
		return err
	}
	fresh := seals.parse(f, text)
	seals.fullyRead[state.File] = b.Signers == nil
	if len(f.findings) > 0 {
		return nil
	}
	f.at = span{state.Path, f.after(state.At), state.Changed.OID, state.At}
	if b.Signers != nil && len(fresh) > 0 {
		vouched, err := b.sealVouchers(seals, f.at, fresh)
		if err != nil {
			return err
		}
		fresh = seals.trusted(fresh, vouched)
	}
	seals.add(fresh, f.at)
	return nil
}

func (l *sealHistory) file(path string) *sealFile {
	f := l.files[path]
	if f == nil {
		f = &sealFile{path: path}
		l.files[path] = f
	}
	return f
}

// trusted returns the signed lines, and records the others: they do not count, even if they are
// merged or moved.
func (l *sealHistory) trusted(fresh []string, vouched map[string]voucher) (kept []string) {
	for _, text := range fresh {
		by, ok := vouched[text]
		if !ok {
			l.unsigned[text] = true
			continue
		}
		delete(l.unsigned, text)
		kept = append(kept, text)
		l.vouchers[text] = by
	}
	return kept
}

// add adds lines of the branch itself: the first for a tag is in force, unless competing lines
// are found.
func (l *sealHistory) add(fresh []string, at span) {
	for _, text := range fresh {
		seal, _ := content.ParseSeal(text) // parsed before
		delete(l.neverOnBranch, text)
		l.lines[text], l.introduced[text], l.lastPath[text] = false, at, at.path
		if !l.sealed(seal.Tag) {
			l.enforce(seal, text)
			continue
		}
		l.contend(seal.Tag, text)
	}
}

// sealed reports whether there is a seal for a tag, also a disputed one.
func (l *sealHistory) sealed(tag string) bool { return l.inForce[tag] != "" || l.rivals[tag] != nil }

// contend records that a line is not the only one for its tag.
func (l *sealHistory) contend(tag, text string) {
	if first := l.inForce[tag]; l.rivals[tag] == nil && first != "" {
		l.rivals[tag] = []string{first}
	}
	if !slices.Contains(l.rivals[tag], text) {
		l.rivals[tag] = append(slices.Clip(l.rivals[tag]), text)
	}
	l.compared = 0
}

// enforce puts a line in force, replacing any other for the tag.
func (l *sealHistory) enforce(seal content.Seal, text string) {
	l.list(seal)
	delete(l.disputed, seal.Tag)
	l.lines[text], l.seals[seal.Tag], l.inForce[seal.Tag] = true, seal, text
}

// contest takes a seal out of force, since it is ambiguous which of these lines is first.
func (l *sealHistory) contest(tag string, lines []string) {
	l.list(content.Seal{Tag: tag})
	delete(l.seals, tag)
	delete(l.inForce, tag)
	l.disputed[tag] = lines
}

// list puts a seal into the list of its item, replacing the one that was in force or in
// dispute. Earlier lists may be shared, so they are not modified.
func (l *sealHistory) list(seal content.Seal) {
	item, was := itemName(seal.Tag), l.inForce[seal.Tag]
	if was == "" && l.disputed[seal.Tag] == nil {
		l.byItem[item] = append(l.byItem[item], seal)
		return
	}
	if was != "" {
		l.lines[was] = false
	}
	all := slices.Clone(l.byItem[item])
	all[slices.IndexFunc(all, func(s content.Seal) bool { return s.Tag == seal.Tag })] = seal
	l.byItem[item] = all
}

// with returns the log after one more version of all files; the log itself is not changed.
func (l *sealHistory) with(files map[string][]byte) *sealHistory {
	next := newSealHistory()
	maps.Copy(next.seals, l.seals)
	maps.Copy(next.inForce, l.inForce)
	maps.Copy(next.rivals, l.rivals)
	maps.Copy(next.candidates, l.candidates)
	maps.Copy(next.disputed, l.disputed)
	maps.Copy(next.lines, l.lines)
	maps.Copy(next.introduced, l.introduced)
	maps.Copy(next.lastPath, l.lastPath)
	maps.Copy(next.writtenIn, l.writtenIn)
	for path, f := range l.files {
		next.files[path] = &sealFile{path: f.path, text: f.text, gone: true}
	}
	stands := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		plain := content.PlainPath(path)
		f, twice := next.file(plain), stands[plain]
		if stands[plain] = true; twice {
			f.findings = refusedSeals(gitrepo.File{Path: path, Mode: gitrepo.Several})
			continue
		}
		f.path, f.gone = path, false
		if f.findings = misplacedSeals(path); countsAt(path) {
			next.add(next.parse(f, gitrepo.TextOf(files[path])), span{path: path})
		}
	}
	return &next
}

// Where returns the path of an item's file at a commit, as of the last load.
func (l *Loader) Where(commit string, k *content.Kind, name string) string {
	id, err := gitrepo.ParseOID(commit)
	if err != nil || l.last.history == nil {
		return k.File(name)
	}
	return l.last.history.Where(id, k.File(name))
}

// SealedOn returns the commit of the branch that introduced the seal in force for a tag, as of
// the last load; "" if there is none.
func (l *Loader) SealedOn(tag string) string {
	if text := l.memos.seals.inForce[tag]; text != "" {
		return l.memos.seals.introduced[text].branchCommit.String()
	}
	return ""
}
