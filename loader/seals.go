package loader

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// sealHistory has every line that a commit reachable from the branch added to the seals of its item,
// and which of them are in force. It grows with the branch: what a commit added or took away is read
// once.
type sealHistory struct {
	readTo  git.OID // the head that was read
	history *git.History
	commits int                  // of the history, when it was read
	files   map[string]*sealFile // by their paths without areas
	byItem  map[string][]content.Seal
	grown   bool // by the last load
}

// sealFile has the lines of the seals of one item.
type sealFile struct {
	item  string // folder and name; "" if no item has its seals at this path
	lines map[string]*sealLine
	tags  map[string]*sealedTag // with a line that counts

	head  git.File          // at the head of the branch
	text  []byte            // at the head
	wrong []content.Finding // with it
	lost  []string          // tags with a seal in force that it lacks

	read    git.OID // the state that was read last
	last    []byte  // that state
	changed bool    // since the tags were settled

	contested bool // the history decides about one of the tags
}

// sealLine is a line, which is well-formed and of the file's item.
type sealLine struct {
	content.Seal
	text  string
	added []git.OID // the commits that have it and none of whose parents has; with signers the signed ones
	taken []git.OID // commits that their only parent has it and they have not; with signers the signed ones
}

// sealedTag are the lines for one tag.
type sealedTag struct {
	lines      []*sealLine // that count
	inForce    *sealLine   // nil if nothing says which it is
	candidates []*sealLine // of which the tag may say that it is that one, if there are several lines
	disputed   bool        // nothing but the tag can say which it is
	read       int         // commits that were looked at for decisions
}

// line returns the line of a seal.
func (t *sealedTag) line(s content.Seal) *sealLine {
	i := slices.IndexFunc(t.lines, func(l *sealLine) bool { return l.Seal == s })
	return t.lines[i] // a claim has one of them
}

func newSealHistory() *sealHistory {
	return &sealHistory{files: map[string]*sealFile{}, byItem: map[string][]content.Seal{}}
}

// file returns the file at a path, which may be in an area.
func (l *sealHistory) file(path string) *sealFile {
	plain := content.PlainPath(path)
	f := l.files[plain]
	if f == nil {
		item, _ := content.SealedItem(plain)
		f = &sealFile{item: item, lines: map[string]*sealLine{}, tags: map[string]*sealedTag{}}
		l.files[plain] = f
	}
	return f
}

// of returns the lines for a tag, nil if there are none.
func (l *sealHistory) of(tag string) *sealedTag {
	f := l.files[content.SealsPath(itemName(tag))]
	if f == nil {
		return nil
	}
	return f.tags[tag]
}

// inForce returns the line in force for a tag, nil if there is none.
func (l *sealHistory) inForce(tag string) *sealLine {
	if t := l.of(tag); t != nil {
		return t.inForce
	}
	return nil
}

// sealed reports whether there is a seal for a tag, also one in dispute.
func (l *sealHistory) sealed(tag string) bool {
	t := l.of(tag)
	return t != nil && (t.inForce != nil || t.disputed)
}

// readSeals reads what the commits added and took away that came to the branch since the last load; all
// of them, if the branch lost commits.
func (fs *facts) readSeals() error {
	seals := fs.cache.seals
	if !fs.history.Contains(seals.readTo) {
		seals = newSealHistory()
	}
	fs.seals, fs.cache.seals = seals, &sealHistory{} // if only half of it is read, the next load begins anew
	changed, fresh := map[*sealFile]bool{}, seals.extend(fs.history)
	brought := make([][]git.Version, len(fresh))
	var ids []git.OID
	for i, c := range fresh {
		brought[i] = fs.history.Brought(c.OID, content.HoldsSeals)
		for _, v := range brought[i] {
			ids = append(ids, v.OID)
		}
	}
	fs.repo.Ahead(ids)
	for i, c := range fresh {
		for _, v := range brought[i] {
			f := seals.file(v.Path)
			changed[f] = true
			if err := fs.readChange(f, v, c); err != nil {
				return err
			}
		}
	}
	for path, f := range seals.files {
		if changed[f] || !fs.history.OnBranch(seals.readTo) {
			if err := fs.readHead(f, path); err != nil {
				return err
			}
		}
	}
	seals.readTo, seals.grown, fs.cache.seals = fs.refs.Commit, len(fresh) > 0, seals
	return nil
}

// extend returns the commits of the branch that were not read yet, parents before children.
func (l *sealHistory) extend(h *git.History) (fresh []git.Commit) {
	goesOn := h == l.history
	if !goesOn {
		l.commits = 0
		for _, f := range l.files {
			for _, t := range f.tags {
				t.read = 0 // it counts in the order of the history
			}
		}
	}
	for c := range h.Commits(l.commits) {
		if goesOn || l.history == nil || !l.history.Contains(c.OID) {
			fresh = append(fresh, c)
		}
	}
	l.history, l.commits = h, h.Len()
	return fresh
}

// readChange reads what a commit did to a file. What a merge took from one of its parents is no change. A commit
// vouches for what it adds, unless it restores the file: with trusted signers, lines that come with a file which a
// parent does not have may be another's, that was renamed, or a revert's.
func (fs *facts) readChange(f *sealFile, v git.Version, c git.Commit) error {
	if f.item == "" || v.Changed.OID != c.OID {
		return nil
	}
	before, restores := make([][]byte, max(len(c.Parents), 1)), false
	for i, p := range c.Parents {
		at, exists := fs.history.At(p, v.Path)
		text, wrong, err := fs.sealsText(f, at.File)
		if err != nil {
			return err
		}
		before[i] = text
		if !exists || wrong != nil {
			restores = restores || exists || len(c.Parents) > 1 || fs.Signers != nil && fs.history.Had(p, v.Path)
		}
	}
	now, _, err := fs.sealsText(f, v.File)
	if err != nil {
		return err
	}
	in, out := git.Differing(now, before[0])
	added, taken := sortedLines(in), f.lacking(sortedLines(out), now)
	for _, text := range before {
		added = f.lacking(added, text)
	}
	if len(before) > 1 {
		taken = nil // a merge decides nothing about what a side did
	}
	if len(added)+len(taken) == 0 {
		return nil
	}
	signed, err := fs.isTrusted(c.OID)
	if err == nil {
		f.add(c.OID, added, signed && (!restores || fs.Signers == nil), fs.Rewritable)
	}
	for _, text := range taken {
		if l := f.lines[text]; l != nil && signed {
			l.taken, f.changed = append(l.taken, c.OID), true
		}
	}
	return err
}

// sortedLines returns the lines of a text, each once.
func sortedLines(raw []byte) (all []string) {
	for _, line := range content.Lines(raw) {
		all = append(all, line)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// lacking returns those of some lines that a text has not: it is not looked for lines that no commit had before.
func (f *sealFile) lacking(lines []string, text []byte) []string {
	var all map[string]bool
	return slices.DeleteFunc(lines, func(line string) bool {
		if f.lines[line] == nil {
			return false
		}
		if all == nil {
			all = map[string]bool{}
			for _, line := range content.Lines(text) {
				all[line] = true
			}
		}
		return all[line]
	})
}

// add adds lines of a commit. Those that a change may still rewrite ([Config].Rewritable) are left out, and so are
// lines of other items, and what is no seal: [sealFile.review] reports them.
func (f *sealFile) add(commit git.OID, added []string, vouches bool, ignored func(line string) bool) {
	for _, text := range added {
		l := f.lines[text]
		if l == nil {
			seal, err := content.ParseSeal(text)
			if err != nil || itemName(seal.Tag) != f.item || ignored != nil && ignored(text) {
				continue
			}
			l = &sealLine{Seal: seal, text: text}
			f.lines[text] = l
		}
		if !vouches {
			continue
		}
		if l.added = append(l.added, commit); len(l.added) > 1 {
			continue
		}
		t := f.tags[l.Tag]
		if t == nil {
			t = &sealedTag{}
			f.tags[l.Tag] = t
		}
		t.lines, t.read, f.changed = append(t.lines, l), 0, true
	}
}

// sealsText returns a state of a file, or what is wrong with it. One that does not exist is empty.
func (fs *facts) sealsText(f *sealFile, at git.File) (text []byte, wrong []content.Finding, err error) {
	switch wrong = worktree.RefusedSeals(at); {
	case at.Mode == git.Absent:
		return nil, nil, nil
	case wrong != nil:
		return nil, wrong, nil
	case f.last != nil && f.read == at.OID:
		return f.last, nil, nil
	}
	text, err = fs.repo.Blob(at.OID, worktree.MaxSeals)
	if errors.Is(err, git.ErrTooLarge) {
		return nil, worktree.TooLarge(at.Path, err), nil
	} else if err == nil {
		f.read, f.last = at.OID, text
	}
	return text, nil, err
}

// readHead reads a file as it is at the head of the branch.
func (fs *facts) readHead(f *sealFile, path string) (err error) {
	at, _ := fs.history.At(fs.refs.Commit, path)
	f.head, f.changed = at.File, true
	f.head.Path = fs.history.Where(fs.refs.Commit, path)
	f.text, f.wrong, err = fs.sealsText(f, f.head)
	return err
}

// settleSeals determines the seals in force: of the files that changed and, if the branch has, of tags with
// several lines, since a merge may show that one of them was taken back before.
func (fs *facts) settleSeals(logged *log.Log) error {
	for _, f := range fs.seals.files {
		if !f.changed && !(fs.seals.grown && f.contested) {
			continue
		}
		f.contested = false
		for _, t := range f.tags {
			f.contested = f.contested || t.isContested()
			if f.changed || t.isContested() {
				changed, err := fs.settle(f, t, logged)
				if err != nil {
					return err
				}
				f.changed = f.changed || changed
			}
		}
		if f.changed {
			if fs.seals.byItem[f.item] = f.seals(); len(fs.seals.byItem[f.item]) == 0 {
				delete(fs.seals.byItem, f.item)
			}
			f.review(fs.history, fs.Rewritable)
			f.changed = false
		}
	}
	return nil
}

// isContested reports whether the history decides which line is in force, or whether any is.
func (t *sealedTag) isContested() bool { return len(t.lines) > 1 || len(t.lines[0].taken) > 0 }

// seals lists the seals of the item: of a tag in dispute only the tag.
func (f *sealFile) seals() (all []content.Seal) {
	for _, tag := range slices.Sorted(maps.Keys(f.tags)) {
		switch t := f.tags[tag]; {
		case t.inForce != nil:
			all = append(all, t.inForce.Seal)
		case t.disputed:
			all = append(all, content.Seal{Tag: tag})
		}
	}
	return all
}

// by returns the commit that added a line: of several one that does not depend on the order in which
// loads read them. It is zero for no line.
func (l *sealLine) by(h *git.History) git.OID {
	if l == nil || len(l.added) == 0 {
		return git.OID{}
	}
	return slices.MinFunc(l.added, func(x, y git.OID) int {
		c, _ := h.Commit(x)
		d, _ := h.Commit(y)
		return cmp.Or(c.Committed.Compare(d.Committed), strings.Compare(x.String(), y.String()))
	})
}

// cameBy returns the commit of the branch itself by which a line came to it.
func (l *sealLine) cameBy(h *git.History) (on git.OID) {
	if l != nil {
		on = h.Entry(l.added)
	}
	return on
}

// sealedAt returns the time when the seal of a claim reached the branch, according to the branch.
// The date in the line is not used.
func (fs *facts) sealedAt(c *claim) time.Time {
	return fs.history.Arrived(fs.seals.inForce(c.name).cameBy(fs.history))
}

// SealedOn returns the commit of the branch that introduced the seal in force for a publication, as
// of the last load; not ok if there is none, or if the item's file has other content there.
func (l *Loader) SealedOn(p *content.Publication) (commit string, ok bool) {
	on := l.cache.seals.inForce(p.Tag()).cameBy(l.state.history)
	at, exists := l.state.history.At(on, p.Kind.File(p.Name))
	return on.String(), exists && at.OID.String() == p.Blob
}
