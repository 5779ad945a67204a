package loader

import (
	"errors"
	"maps"
	"slices"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// sealLog has the seal files read along the branch: the first line for a tag, in any valid
// version of a valid file, counts permanently. For competing lines see [build.settleRivals].
type sealLog struct {
	upto  gitrepo.OID // the last commit of the branch that was read
	files map[string]*sealFile
	seals map[string]content.Seal
	text  map[string]string         // the lines of these seals, by tag
	items map[string][]content.Seal // the seals by item, in order of introduction; of a disputed one only the tag
	lines map[string]bool           // well-formed lines; true: the line is in force
	came  map[string]span           // the point of the branch at which each line was introduced
	home  map[string]string         // the last file of each
	wrote map[string]content.Said   // the commit that wrote it, of competing lines

	// Tags with several lines, or with one that a merge left out.
	rivals  map[string][]string   // all of them, by tag
	beside  map[string]bool       // lines that were never on the branch itself, so that none can be in force
	peers   map[string][]string   // those of them that may be first
	dispute map[string][]string   // tags whose first line is ambiguous
	merged  map[gitrepo.OID]bool  // what was read for this: merges and their sides or, with trusted signers, commits
	whole   map[gitrepo.File]bool // states of files whose lines are all known
	settled int                   // number of states of files that were compared; 0: none

	// With trusted signers.
	by       map[string]voucher // of lines
	unsigned map[string]bool    // lines that no trusted signer added

	ledger *ledger // facts of the branch itself, in force or not; nil if only files are compared

	ignored func(line string) bool // see [Config].Rewritable

	reviewed bool
	void     map[string]bool   // tags whose lines may then be missing
	review   []content.Finding // findings about the newest versions
}

// span is a part of the history of a file: reachable from a commit and not from the one before.
// It came to the branch with the commit on.
type span struct {
	path             string
	after, until, on gitrepo.OID
}

func newSealLog() sealLog {
	return sealLog{
		files: map[string]*sealFile{},
		seals: map[string]content.Seal{}, text: map[string]string{}, items: map[string][]content.Seal{},
		lines: map[string]bool{}, came: map[string]span{}, home: map[string]string{}, wrote: map[string]content.Said{},
		rivals: map[string][]string{}, beside: map[string]bool{}, dispute: map[string][]string{},
		peers:  map[string][]string{},
		merged: map[gitrepo.OID]bool{}, whole: map[gitrepo.File]bool{},
		by: map[string]voucher{}, unsigned: map[string]bool{},
	}
}

// readSeals continues after the last load, if the branch only gained commits at its end.
func (b *build) readSeals() error {
	log := b.memos.seals
	if !b.history.OnBranch(log.upto) || log.ledger.lost {
		log, b.memos.stood = newSealLog(), newLastSeals()
		log.ledger, log.ignored = newLedger(), b.Rewritable
	}
	b.memos.seals = sealLog{} // if only half of it is read, the next load begins anew
	if err := b.readSealsOn(&log); err != nil {
		return err
	}
	if err := b.settleRivals(&log); err != nil {
		return err
	}
	b.memos.seals = log
	return nil
}

// readSealsOn reads what came to the branch since the log was read: the changes to the files on
// the branch itself, and lines that merges may have left out.
func (b *build) readSealsOn(log *sealLog) error {
	for _, state := range b.history.MainlineAfter(log.upto, holdsFacts) {
		log.ledger.turn(b.history.Position(state.At), state.At)
		read := b.readSealsFile
		switch {
		case state.Path == content.LifecycleFile:
			read = b.noteMarks
		case inApprovals(state.Path):
			read = b.noteApprovals
		}
		if err := read(log, state); err != nil {
			return err
		}
	}
	log.files[content.SealsFile].detach()
	log.ledger.detach()
	log.ledger.close()
	if err := b.readLeftOut(log); err != nil {
		return err
	}
	log.upto = b.refs.Commit
	return nil
}

// readSealsFile reads the change to one file by a commit of the branch.
func (b *build) readSealsFile(log *sealLog, state gitrepo.Version) error {
	log.reviewed = false
	f := log.file(content.Plain(state.Path))
	read, err := b.takeState(f, state)
	switch {
	case err != nil:
		return err
	case !read:
		return b.noteUnread(log.ledger, state)
	}
	text, err := b.sealsText(state.File)
	if errors.Is(err, gitrepo.ErrTooLarge) {
		f.findings = []content.Finding{finding(state.Path, tooManySeals(err))}
		return nil
	}
	if err != nil {
		return err
	}
	fresh := log.parse(f, text)
	log.whole[state.File] = b.Signers == nil
	if len(f.findings) > 0 {
		return nil
	}
	f.at = span{state.Path, f.after(state.At), state.Changed.OID, state.At}
	return b.count(log, fresh, f.at)
}

// count makes lines of a part of the history count; with trusted signers only signed ones.
func (b *build) count(log *sealLog, fresh []string, at span) error {
	if b.Signers != nil && len(fresh) > 0 {
		vouched, err := b.vouchSeals(log, at, fresh)
		if err != nil {
			return err
		}
		fresh = log.trusted(fresh, vouched)
	}
	log.add(fresh, at)
	return nil
}

func (l *sealLog) file(path string) *sealFile {
	f := l.files[path]
	if f == nil {
		f = &sealFile{path: path}
		l.files[path] = f
	}
	return f
}

// trusted returns the signed lines, and records the others: they do not count, even if they are
// merged or moved.
func (l *sealLog) trusted(fresh []string, vouched map[string]voucher) (kept []string) {
	for _, text := range fresh {
		by, ok := vouched[text]
		if !ok {
			l.unsigned[text] = true
			continue
		}
		delete(l.unsigned, text)
		kept = append(kept, text)
		l.by[text] = by
	}
	return kept
}

// add adds lines of the branch itself: the first for a tag is in force, unless competing lines
// are found.
func (l *sealLog) add(fresh []string, at span) {
	for _, text := range fresh {
		seal, _ := content.ParseSeal(text) // parsed before
		delete(l.beside, text)
		l.lines[text], l.came[text], l.home[text] = false, at, at.path
		if !l.sealed(seal.Tag) {
			l.enforce(seal, text)
			continue
		}
		l.contend(seal.Tag, text)
	}
}

// sealed reports whether there is a seal for a tag, also a disputed one.
func (l *sealLog) sealed(tag string) bool { return l.text[tag] != "" || l.rivals[tag] != nil }

// contend records that a line is not the only one for its tag.
func (l *sealLog) contend(tag, text string) {
	if first := l.text[tag]; l.rivals[tag] == nil && first != "" {
		l.rivals[tag] = []string{first}
	}
	if !slices.Contains(l.rivals[tag], text) {
		l.rivals[tag] = append(slices.Clip(l.rivals[tag]), text)
	}
	l.settled = 0
}

// enforce puts a line in force, replacing any other for the tag.
func (l *sealLog) enforce(seal content.Seal, text string) {
	l.list(seal)
	delete(l.dispute, seal.Tag)
	l.lines[text], l.seals[seal.Tag], l.text[seal.Tag] = true, seal, text
}

// contest takes a seal out of force, since it is ambiguous which of these lines is first.
func (l *sealLog) contest(tag string, lines []string) {
	l.list(content.Seal{Tag: tag})
	delete(l.seals, tag)
	delete(l.text, tag)
	l.dispute[tag] = lines
}

// list puts a seal into the list of its item, replacing the one that was in force or in
// dispute. Earlier lists may be shared, so they are not modified.
func (l *sealLog) list(seal content.Seal) {
	item, was := itemName(seal.Tag), l.text[seal.Tag]
	if was == "" && l.dispute[seal.Tag] == nil {
		l.items[item] = append(l.items[item], seal)
		return
	}
	if was != "" {
		l.lines[was] = false
	}
	all := slices.Clone(l.items[item])
	all[slices.IndexFunc(all, func(s content.Seal) bool { return s.Tag == seal.Tag })] = seal
	l.items[item] = all
}

// with returns the log after one more version of all files; the log itself is not changed.
func (l *sealLog) with(files map[string][]byte) *sealLog {
	next := newSealLog()
	maps.Copy(next.seals, l.seals)
	maps.Copy(next.text, l.text)
	maps.Copy(next.rivals, l.rivals)
	maps.Copy(next.peers, l.peers)
	maps.Copy(next.dispute, l.dispute)
	maps.Copy(next.lines, l.lines)
	maps.Copy(next.came, l.came)
	maps.Copy(next.home, l.home)
	maps.Copy(next.wrote, l.wrote)
	for path, f := range l.files {
		next.files[path] = &sealFile{path: f.path, text: f.text, gone: true}
	}
	stands := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		plain := content.Plain(path)
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
	if text := l.memos.seals.text[tag]; text != "" {
		return l.memos.seals.came[text].on.String()
	}
	return ""
}
