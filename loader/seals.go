package loader

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"strings"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// maxSealsFile is how large rulestore.sum may be, in bytes: a hundred thousand
// lines and more.
const maxSealsFile = 32 << 20

// sealLog is rulestore.sum read along the branch: the first line for a tag, in
// any valid version of the file, counts for good.
type sealLog struct {
	read  []gitrepo.OID // the versions read so far, oldest first
	seals map[string]content.Seal
	lines map[string]bool // well-formed lines; true: the line is the one in force

	head     []byte            // the newest version read
	findings []content.Finding // about it
}

// readSeals goes on where the last load stopped, if the branch only grew.
func (b *build) readSeals() error {
	states := b.history.Mainline(content.SealsFile)
	log := b.seals
	if !log.startOf(states) {
		log = sealLog{seals: map[string]content.Seal{}, lines: map[string]bool{}}
	}
	for _, s := range states[len(log.read):] {
		if err := b.readSealsFile(&log, s.File); err != nil {
			return err
		}
		log.read = append(log.read, s.OID)
	}
	b.Loader.seals = log
	b.sealed = log.seals
	b.report.Add(log.findings...)
	b.report.Add(log.changed()...)
	b.report.Add(log.missing()...)
	return nil
}

func (l *sealLog) startOf(states []gitrepo.Version) bool {
	if len(l.read) == 0 || len(l.read) > len(states) {
		return false
	}
	for i, id := range l.read {
		if states[i].OID != id {
			return false
		}
	}
	return true
}

func (b *build) readSealsFile(log *sealLog, f gitrepo.File) error {
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
	if err == nil {
		log.add(raw)
	}
	return err
}

// add reads one version of the file. If a line is malformed, the version as a
// whole does not count.
func (l *sealLog) add(raw []byte) {
	l.findings = nil
	var fresh []string
	for n, text := range numbered(raw) {
		if _, known := l.lines[text]; known {
			continue
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
		return
	}
	l.head = raw
	for _, text := range fresh {
		seal, _ := content.ParseSeal(text) // parsed above
		_, sealed := l.seals[seal.Tag]
		l.lines[text] = !sealed
		if !sealed {
			l.seals[seal.Tag] = seal
		}
	}
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

// changed finds lines of the newest file that are not the first for their tag.
func (l *sealLog) changed() (found []content.Finding) {
	for n, text := range numbered(l.head) {
		if inForce, known := l.lines[text]; known && !inForce {
			seal, _ := content.ParseSeal(text) // parsed when it was added
			found = append(found, sealFinding(n, "seal-changed",
				fmt.Sprintf("the line differs from the first one for this tag, which stays in force: %s", l.seals[seal.Tag]),
				"restore the first line; publish a new version instead of changing one"))
		}
	}
	return found
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
