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
	readTo  gitrepo.OID // the last commit of the branch that was read
	files   map[string]*sealFile
	lines   map[string]knownLine      // well-formed lines, by their text
	inForce map[string]sealInForce    // by tag
	rivals  map[string]rivals         // by tag, if there are several lines, or one that a merge left out
	byItem  map[string][]content.Seal // in the order in which they were read; of a disputed one only the tag

	writtenIn map[string]content.RuleText // the commit that wrote it, of lines that findings name

	readSides map[gitrepo.OID]bool  // merges and their sides, or with trusted signers commits, read for rivals
	fullyRead map[gitrepo.File]bool // states of files whose lines are all known
	compared  int                   // number of states of files in which rivals were compared; 0: none
	last      lastSeals

	ignored func(line string) bool // see [Config].Rewritable

	reviewed     bool
	reviewedVoid map[string]bool   // tags whose lines may then be missing
	findings     []content.Finding // findings about the newest versions
}

// knownLine is what is known of a line.
type knownLine struct {
	standing   standing
	introduced span     // the point of the branch at which it was introduced, if it counts
	lastPath   string   // the last file that had it, if it counts
	vouched    *voucher // with trusted signers, if it counts
}

// standing is whether a line counts. If several lines for a tag count, one of them is in force.
type standing int

const (
	unread   standing = iota
	unsigned          // no trusted signer added it
	leftOut           // merges had it on a side and did not keep it: it is never in force
	counting          // it was on the branch itself or, with trusted signers, added by a signed commit
)

// sealInForce is the seal in force for a tag, with its line.
type sealInForce struct {
	line string
	content.Seal
}

// rivals are competing lines for a tag. They are immutable.
type rivals struct {
	lines      []string // all of them; those that were on the branch itself first, in its order
	candidates []string // those that may be first
	disputed   bool     // it is ambiguous which of these is first: none is in force
}

// span is a part of the history of a file: reachable from a commit and not from the one before.
// It came to the branch with the commit branchCommit.
type span struct {
	path                       string
	after, until, branchCommit gitrepo.OID
}

func newSealHistory() *sealHistory {
	return &sealHistory{
		files: map[string]*sealFile{}, lines: map[string]knownLine{},
		inForce: map[string]sealInForce{}, rivals: map[string]rivals{}, byItem: map[string][]content.Seal{},
		writtenIn: map[string]content.RuleText{},
		readSides: map[gitrepo.OID]bool{}, fullyRead: map[gitrepo.File]bool{},
		last: lastSeals{map[sealsKey]*lineSet{}, map[gitrepo.OID]*lineSet{}},
	}
}

// readSeals reads what came to the branch since the last load, or everything if the branch did
// not only gain commits at its end: the changes to seal files, and lines that merges may have left
// out. Then it determines which of competing lines is in
// force.
func (b *build) readSeals() error {
	seals := b.memos.seals
	if !b.history.OnBranch(seals.readTo) {
		seals = newSealHistory()
		seals.ignored = b.Rewritable
	}
	b.seals, b.memos.seals = seals, &sealHistory{} // if only half of it is read, the next load begins anew
	for _, state := range b.history.MainlineAfter(seals.readTo, content.HoldsSeals) {
		if err := b.readSealsFile(seals, state); err != nil {
			return err
		}
	}
	if err := b.readLeftOut(seals); err != nil {
		return err
	}
	seals.readTo = b.refs.Commit
	if err := b.settleRivals(seals); err != nil {
		return err
	}
	b.memos.seals = seals
	return nil
}

// readSealsFile reads the change to one file by a commit of the branch. With trusted signers
// only signed lines count.
func (b *build) readSealsFile(seals *sealHistory, state gitrepo.Version) error {
	seals.reviewed = false
	f := seals.file(content.PlainPath(state.Path))
	read, err := b.takeState(f, state)
	if err != nil || !read {
		return err
	}
	text, err := b.sealsText(state.File)
	if errors.Is(err, gitrepo.ErrTooLarge) {
		f.findings = tooManySeals(state.Path, err)
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
	var vouched map[string]*voucher
	if b.Signers != nil && len(fresh) > 0 {
		if vouched, err = b.sealVouchers(seals, f.at, fresh); err != nil {
			return err
		}
		fresh = seals.trusted(fresh, vouched)
	}
	seals.add(fresh, f.at, vouched)
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
func (l *sealHistory) trusted(fresh []string, vouched map[string]*voucher) (kept []string) {
	for _, text := range fresh {
		if vouched[text] == nil {
			l.lines[text] = knownLine{standing: unsigned}
			continue
		}
		kept = append(kept, text)
	}
	return kept
}

// add adds lines that count: the first for a tag is in force, unless competing lines are found.
// Without trusted signers nobody vouches for them.
func (l *sealHistory) add(fresh []string, at span, vouched map[string]*voucher) {
	for _, text := range fresh {
		l.lines[text] = knownLine{counting, at, at.path, vouched[text]}
		seal, _ := content.ParseSeal(text) // parsed before
		if l.sealed(seal.Tag) {
			l.contend(seal.Tag, text)
			continue
		}
		l.enforce(seal, text)
	}
}

// counts reports whether a line counts.
func (l *sealHistory) counts(text string) bool { return l.lines[text].standing == counting }

// sealed reports whether there is a seal for a tag, also a disputed one.
func (l *sealHistory) sealed(tag string) bool {
	return l.inForce[tag].line != "" || l.rivals[tag].lines != nil
}

// lineInForce returns what is known of the line in force for a tag; zero if there is none.
func (l *sealHistory) lineInForce(tag string) knownLine { return l.lines[l.inForce[tag].line] }

// voucher returns who vouches for the line in force for a tag; zero if nobody does.
func (l *sealHistory) voucher(tag string) voucher {
	if v := l.lineInForce(tag).vouched; v != nil {
		return *v
	}
	return voucher{}
}

// contend records that a line is not the only one for its tag, and now the last. If a merge left
// it out before, it comes to the branch only now.
func (l *sealHistory) contend(tag, text string) {
	r := l.rivals[tag]
	if first := l.inForce[tag].line; r.lines == nil && first != "" {
		r.lines = []string{first}
	}
	r.lines = append(slices.DeleteFunc(slices.Clone(r.lines), func(other string) bool { return other == text }), text)
	l.rivals[tag], l.compared = r, 0
}

// enforce puts a line in force, replacing any other for the tag.
func (l *sealHistory) enforce(seal content.Seal, text string) {
	l.list(seal)
	l.inForce[seal.Tag] = sealInForce{text, seal}
}

// contest takes the seal of a tag out of force, since it is ambiguous which line is first.
func (l *sealHistory) contest(tag string) {
	l.list(content.Seal{Tag: tag})
	delete(l.inForce, tag)
}

// list puts a seal into the list of its item, replacing the one for the tag, if there is one.
// Earlier lists may be shared, so they are not modified.
func (l *sealHistory) list(seal content.Seal) {
	item := itemName(seal.Tag)
	if l.inForce[seal.Tag].line == "" && !l.rivals[seal.Tag].disputed {
		l.byItem[item] = append(l.byItem[item], seal)
		return
	}
	all := slices.Clone(l.byItem[item])
	all[slices.IndexFunc(all, func(s content.Seal) bool { return s.Tag == seal.Tag })] = seal
	l.byItem[item] = all
}

// with returns the log after one more version of all files; the log itself is not changed.
func (l *sealHistory) with(files map[string][]byte) *sealHistory {
	next := newSealHistory()
	maps.Copy(next.lines, l.lines)
	maps.Copy(next.inForce, l.inForce)
	maps.Copy(next.rivals, l.rivals)
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
			next.add(next.parse(f, gitrepo.TextOf(files[path])), span{path: path}, nil)
		}
	}
	return next
}

// SealedOn returns the commit of the branch that introduced the seal in force for a publication, as
// of the last load; not ok if there is none, or if the item's file has other content there.
func (l *Loader) SealedOn(p *content.Publication) (commit string, ok bool) {
	on := l.memos.seals.lineInForce(p.Tag()).introduced.branchCommit
	at, exists := l.last.history.At(on, p.Kind.File(p.Name))
	return on.String(), exists && at.OID.String() == p.Blob
}
