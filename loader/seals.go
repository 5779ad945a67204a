package loader

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// maxSealsFile is how large rulestore.sum may be, in bytes: a hundred thousand
// lines and more.
const maxSealsFile = 32 << 20

// maxSealFindings is for how many lines the commits are looked up that wrote
// them: more than a person mends before looking again.
const maxSealFindings = 100

// sealLog is rulestore.sum read along the branch: the first line for a tag, in
// any valid version of the file, counts for good. Of several, see [build.settleRivals].
type sealLog struct {
	read    []gitrepo.OID // the commits whose versions are read so far, oldest first
	counted gitrepo.OID   // what the last of these that counted reaches
	upto    gitrepo.OID   // the head of the branch then
	seals   map[string]content.Seal
	text    map[string]string         // the lines that these are from, by tag
	items   map[string][]content.Seal // the seals by item, in the order in which they came; of one in dispute only the tag
	lines   map[string]bool           // well-formed lines; true: the line is the one in force
	came    map[string]span           // where on the branch each line came in
	wrote   map[string]string         // which commit wrote it, of lines that are not the only ones for their tag

	// Where a tag has several lines, or one that a merge left out.
	rivals  map[string][]string  // all of them, by tag
	beside  map[string]bool      // lines that the branch itself never had, so that none can be in force
	peers   map[string][]string  // those of them that may have come first
	dispute map[string][]string  // those of which nobody knows which came first, by tag
	merged  map[gitrepo.OID]bool // what is read of that: merges or, where signers are asked for, commits
	whole   map[gitrepo.OID]bool // contents of the file of which all lines are known
	settled int                  // how many versions of the file that was found out from; 0: it was not

	// Where signers are asked for.
	by       map[string]voucher // of lines
	unsigned map[string]int     // lines that nobody trusted added, with the last version that had them without a break

	head     []byte            // the newest version read
	findings []content.Finding // about it
	reviewed bool
	review   []content.Finding // these, and what else is wrong with it
}

// span is a piece of history: what a commit reaches and the one before does not.
// It came to the branch with the commit on.
type span struct{ after, until, on gitrepo.OID }

func newSealLog() sealLog {
	return sealLog{
		seals: map[string]content.Seal{}, text: map[string]string{}, items: map[string][]content.Seal{},
		lines: map[string]bool{}, came: map[string]span{}, wrote: map[string]string{},
		rivals: map[string][]string{}, beside: map[string]bool{}, dispute: map[string][]string{}, peers: map[string][]string{},
		merged: map[gitrepo.OID]bool{}, whole: map[gitrepo.OID]bool{},
		by: map[string]voucher{}, unsigned: map[string]int{},
	}
}

// readSeals goes on where the last load stopped, if the branch only grew.
func (b *build) readSeals() error {
	log := b.seals
	if !b.history.OnBranch(log.upto) || !log.startOf(b.history.Mainline(content.SealsFile)) {
		log = newSealLog()
	}
	b.Loader.seals = sealLog{} // if only half of it is read, the next load begins anew
	if err := b.readSealsOn(&log); err != nil {
		return err
	}
	if err := b.settleRivals(&log); err != nil {
		return err
	}
	if !log.reviewed {
		if err := b.reviewSeals(&log); err != nil {
			return err
		}
	}
	b.Loader.seals = log
	b.report.Add(log.review...)
	return nil
}

// readSealsOn reads what came to the branch since the log was read: the states of the
// file on the branch itself, and those that merges may have left out.
func (b *build) readSealsOn(log *sealLog) error {
	states := b.history.Mainline(content.SealsFile)
	for i := len(log.read); i < len(states); i++ {
		at := span{after: log.counted, until: states[i].Changed.OID, on: states[i].At}
		if err := b.readSealsFile(log, states[i].File, at); err != nil {
			return err
		}
		log.read, log.reviewed = append(log.read, states[i].At), false
	}
	if err := b.readLeftOut(log); err != nil {
		return err
	}
	log.upto = b.refs.Commit
	return nil
}

func (l *sealLog) startOf(states []gitrepo.Version) bool {
	if len(l.read) == 0 || len(l.read) > len(states) {
		return false
	}
	for i, id := range l.read {
		if states[i].At != id {
			return false
		}
	}
	return true
}

func (b *build) readSealsFile(log *sealLog, f gitrepo.File, at span) error {
	fail := func(rule, message, hint string) error {
		log.findings = []content.Finding{finding(content.SealsFile, rule, message, hint)}
		return nil
	}
	switch {
	case f.Mode == gitrepo.Absent:
		return fail("missing-file", "the file is missing; its seals stay in force", "restore it with git")
	case !f.Mode.IsFile():
		return fail("symlink", "this is no file; the seals before stay in force", "commit the file itself")
	}
	raw, err := b.repo.Blob(f.OID, maxSealsFile)
	if errors.Is(err, gitrepo.ErrTooLarge) {
		return fail("size", err.Error(), "")
	}
	if err != nil {
		return err
	}
	fresh := log.parse(raw)
	if len(log.findings) == 0 {
		log.counted = at.until
	}
	log.whole[f.OID] = b.Signers == nil
	if b.Signers == nil || len(fresh) == 0 {
		log.add(fresh, at)
		return nil
	}
	vouched, err := b.vouchSeals(at, fresh)
	if err != nil {
		return err
	}
	log.add(log.trusted(fresh, vouched), at)
	return nil
}

// parse reads one version of the file and returns the lines that are new in it.
// If a line is malformed, the version as a whole does not count.
func (l *sealLog) parse(raw []byte) []string {
	l.findings = nil
	var fresh []string
	for n, text := range numbered(raw) {
		if _, known := l.lines[text]; known {
			continue
		}
		if last, ok := l.unsigned[text]; ok && last == len(l.read)-1 {
			l.unsigned[text]++
			continue // it is here still, which makes it no better
		}
		switch _, err := content.ParseSeal(text); {
		case errors.Is(err, content.ErrForeignTag): // a kind that this build does not know
		case err != nil:
			l.findings = append(l.findings, sealFinding(n, "seal", err.Error(), "restore the line with git; until then the seals of the versions before stand"))
		default:
			fresh = append(fresh, text)
		}
	}
	if len(l.findings) > 0 {
		return nil
	}
	l.head = raw
	return fresh
}

// trusted keeps the lines that somebody vouches for, and remembers the others:
// they do not count, however often they are passed on.
func (l *sealLog) trusted(fresh []string, vouched map[string]voucher) (kept []string) {
	for _, text := range fresh {
		by, ok := vouched[text]
		if !ok {
			l.unsigned[text] = len(l.read)
			continue
		}
		kept = append(kept, text)
		l.by[text] = by
	}
	return kept
}

// add adds lines that the branch itself has: the first for a tag is in force, until
// more is known.
func (l *sealLog) add(fresh []string, at span) {
	for _, text := range fresh {
		seal, _ := content.ParseSeal(text) // parsed above
		delete(l.beside, text)
		l.lines[text], l.came[text] = false, at
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

// numbered yields the lines of a file with their numbers.
func numbered(raw []byte) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range bytes.Lines(raw) {
			n++
			if !yield(n, string(bytes.TrimSuffix(line, []byte("\n")))) {
				return
			}
		}
	}
}

func sealFinding(line int, rule, message, hint string) content.Finding {
	f := finding(content.SealsFile, rule, message, hint)
	f.Line, f.Column = line, 1
	return f
}

// reviewSeals finds what is wrong with the newest version, and names commits.
func (b *build) reviewSeals(l *sealLog) error {
	changed, err := l.changed(func(line string) (string, error) { return b.sealedBy(l, line) })
	l.review = slices.Concat(l.findings, l.missing(), l.untrusted(), changed)
	l.reviewed = err == nil
	return err
}

// changed finds lines of the newest file that are not the first for their tag:
// two branches sealed one version each in its own way, or somebody changed a
// line. from says where a line is from.
func (l *sealLog) changed(from func(line string) (string, error)) (found []content.Finding, err error) {
	listed := map[string]bool{}
	for _, text := range numbered(l.head) {
		listed[text] = true
	}
	for n, text := range numbered(l.head) {
		if inForce, known := l.lines[text]; !known || inForce {
			continue
		}
		seal, _ := content.ParseSeal(text) // parsed when it was added
		if l.dispute[seal.Tag] != nil {
			continue // the publication is refused for it
		}
		if len(found) == maxSealFindings {
			return append(found, sealFinding(n, "more", "there are more lines that are not the first for their tag from here on", "mend what is above")), nil
		}
		first := l.text[seal.Tag]
		is, err := from(text)
		if err != nil {
			return nil, err
		}
		was, err := from(first)
		if err != nil {
			return nil, err
		}
		f := sealFinding(n, "seal-changed",
			fmt.Sprintf("the line is from %s and differs from the first one for this tag, from %s, which stays in force: %s", is, was, first),
			"restore the first line; publish a new version instead of changing one")
		if listed[first] {
			f = sealFinding(n, "seal-twice",
				fmt.Sprintf("the tag has two seals: this one is from %s, and the first, from %s, stays in force: %s", is, was, first),
				"remove this line, and publish what it sealed as a new version: `rulestore publish`")
		}
		f.Tag = seal.Tag
		found = append(found, f)
	}
	return found, nil
}

// sealedBy names the commit that wrote a line: on the branch itself or, where a
// merge brought it, beside it.
func (b *build) sealedBy(l *sealLog, line string) (string, error) {
	if l.wrote[line] != "" {
		return l.wrote[line], nil
	}
	at := l.came[line]
	wrote := at.until
	for _, c := range b.history.Since(at.until, at.after, content.SealsFile) {
		origin, err := b.originates(c, line)
		if err != nil {
			return "", err
		}
		if origin {
			wrote = c.OID
			break
		}
	}
	l.wrote[line] = "commit " + wrote.String()[:12]
	return l.wrote[line], nil
}

// originates says whether a commit has a line that none of its parents has.
func (b *build) originates(c gitrepo.Commit, line string) (bool, error) {
	raw, err := b.sealsAt(c.OID)
	if err != nil || !hasLine(raw, line) {
		return false, err
	}
	for _, parent := range c.Parents {
		if raw, err = b.sealsAt(parent); err != nil || hasLine(raw, line) {
			return false, err
		}
	}
	return true, nil
}

// sealsAt returns rulestore.sum as it was at a commit, empty if it was no file
// that is read.
func (b *build) sealsAt(commit gitrepo.OID) ([]byte, error) {
	v, ok := b.history.At(commit, content.SealsFile)
	if !ok {
		return nil, nil
	}
	raw, _, err := b.sealsOf(v.File)
	return raw, err
}

// sealsOf reads one state of rulestore.sum, unless it is none that is read.
func (b *build) sealsOf(f gitrepo.File) (raw []byte, read bool, err error) {
	if !f.Mode.IsFile() {
		return nil, false, nil
	}
	raw, err = b.repo.Blob(f.OID, maxSealsFile)
	if errors.Is(err, gitrepo.ErrTooLarge) {
		return nil, false, nil
	}
	return raw, err == nil, err
}

func hasLine(raw []byte, line string) bool { return lineOf(raw, line) > 0 }

// lineOf returns the number of a line, 0 if there is no such line.
func lineOf(raw []byte, line string) int {
	for n, text := range numbered(raw) {
		if text == line {
			return n
		}
	}
	return 0
}

// missing finds seals that are in force though the newest file lacks them.
func (l *sealLog) missing() (found []content.Finding) {
	listed := make(map[string]bool, len(l.seals))
	for _, text := range numbered(l.head) {
		tag, _, _ := strings.Cut(text, " ")
		listed[tag] = true
	}
	for tag, seal := range l.seals {
		if !listed[tag] {
			f := finding(content.SealsFile, "seal-missing", fmt.Sprintf("the line is missing; it stays in force: %s", seal), "restore the line; mark the version in lifecycle.yaml to take it away")
			f.Tag = tag
			found = append(found, f)
		}
	}
	return found
}

// with returns the log with one more version of the file read; the log itself
// stays as it is.
func (l *sealLog) with(raw []byte) *sealLog {
	next := newSealLog()
	maps.Copy(next.seals, l.seals)
	maps.Copy(next.text, l.text)
	maps.Copy(next.rivals, l.rivals)
	maps.Copy(next.peers, l.peers)
	maps.Copy(next.dispute, l.dispute)
	maps.Copy(next.lines, l.lines)
	maps.Copy(next.came, l.came)
	maps.Copy(next.wrote, l.wrote)
	next.head = l.head
	next.add(next.parse(raw), span{})
	return &next
}

// findingsNow returns everything that is wrong with the newest version.
func (l *sealLog) findingsNow() []content.Finding {
	if len(l.findings) > 0 {
		return l.findings
	}
	found, _ := l.changed(func(line string) (string, error) { // which never fails
		switch at := l.came[line].until; {
		case l.wrote[line] != "":
			return l.wrote[line], nil
		case !at.IsZero():
			return "commit " + at.String()[:12], nil
		}
		return fmt.Sprintf("line %d", lineOf(l.head, line)), nil
	})
	return append(found, l.missing()...)
}
