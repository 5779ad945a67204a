package loader

import (
	"errors"
	"maps"
	"slices"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// sealLog is the files of seals read along the branch: the first line for a tag, in any
// valid version of a file where it may stand, counts for good. Of several, see
// [build.settleRivals].
type sealLog struct {
	upto  gitrepo.OID // the commit of the branch up to which they are read
	files map[string]*sealFile
	seals map[string]content.Seal
	text  map[string]string         // the lines that these are from, by tag
	items map[string][]content.Seal // the seals by item, in the order in which they came; of one in dispute only the tag
	lines map[string]bool           // well-formed lines; true: the line is the one in force
	came  map[string]span           // where on the branch each line came in
	home  map[string]string         // the file that it stood in last
	wrote map[string]content.Said   // which commit wrote it, of lines that are not the only ones for their tag

	// Where a tag has several lines, or one that a merge left out.
	rivals  map[string][]string   // all of them, by tag
	beside  map[string]bool       // lines that the branch itself never had, so that none can be in force
	peers   map[string][]string   // those of them that may have come first
	dispute map[string][]string   // those of which nobody knows which came first, by tag
	merged  map[gitrepo.OID]bool  // what is read of that: merges and what they were given or, where signers are asked for, commits
	whole   map[gitrepo.File]bool // states of files of which all lines are known
	settled int                   // how many states of files that was found out from; 0: it was not

	// Where signers are asked for.
	by       map[string]voucher // of lines
	unsigned map[string]bool    // lines that nobody trusted added

	ledger *ledger // what came to the branch itself, in force or not; nil where only files are compared

	ignored func(line string) bool // see [Config].Rewritable

	reviewed bool
	void     map[string]bool   // the tags of which nobody misses the lines, then
	review   []content.Finding // what is wrong with the newest versions
}

// span is a piece of the history of a file: what a commit reaches and the one before does
// not. It came to the branch with the commit on.
type span struct {
	path             string
	after, until, on gitrepo.OID
}

func newSealLog() sealLog {
	return sealLog{
		files: map[string]*sealFile{},
		seals: map[string]content.Seal{}, text: map[string]string{}, items: map[string][]content.Seal{},
		lines: map[string]bool{}, came: map[string]span{}, home: map[string]string{}, wrote: map[string]content.Said{},
		rivals: map[string][]string{}, beside: map[string]bool{}, dispute: map[string][]string{}, peers: map[string][]string{},
		merged: map[gitrepo.OID]bool{}, whole: map[gitrepo.File]bool{},
		by: map[string]voucher{}, unsigned: map[string]bool{},
	}
}

// readSeals goes on where the last load stopped, if the branch only grew.
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

// readSealsOn reads what came to the branch since the log was read: what its commits
// changed of the files on the branch itself, and what merges may have left out.
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

// readSealsFile reads what became of one file with a commit of the branch.
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

// count has lines count that a piece of history brought and, where signers are asked for,
// somebody vouches for.
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

// trusted keeps the lines that somebody vouches for, and remembers the others:
// they do not count, however often they are passed on.
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

// add adds lines that the branch itself has: the first for a tag is in force, until
// more is known.
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

// sealed reports whether there is a seal for a tag, be it one in dispute.
func (l *sealLog) sealed(tag string) bool { return l.text[tag] != "" || l.rivals[tag] != nil }

// contend notes that a line is not the only one for its tag.
func (l *sealLog) contend(tag, text string) {
	if first := l.text[tag]; l.rivals[tag] == nil && first != "" {
		l.rivals[tag] = []string{first}
	}
	if !slices.Contains(l.rivals[tag], text) {
		l.rivals[tag] = append(slices.Clip(l.rivals[tag]), text)
	}
	l.settled = 0
}

// enforce puts a line in force, in place of any other for the tag.
func (l *sealLog) enforce(seal content.Seal, text string) {
	l.list(seal)
	delete(l.dispute, seal.Tag)
	l.lines[text], l.seals[seal.Tag], l.text[seal.Tag] = true, seal, text
}

// contest takes a seal out of force, since nobody knows which of these lines came first.
func (l *sealLog) contest(tag string, lines []string) {
	l.list(content.Seal{Tag: tag})
	delete(l.seals, tag)
	delete(l.text, tag)
	l.dispute[tag] = lines
}

// list puts a seal into the list of its item, in the place of the one that was in force
// or in dispute. Others may hold the list as it was.
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

// with returns the log with one more version of all files read; the log itself stays as
// it is.
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
