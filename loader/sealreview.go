package loader

import (
	"errors"
	"maps"
	"slices"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

func sealFinding(path string, line int, s content.RuleText) content.Finding {
	f := finding(path, s)
	f.Line, f.Column = line, 1
	return f
}

// wrong returns all findings about the seals at the head. void are the tags that marks declare void: their lines
// may be missing.
func (l *sealHistory) wrong(void map[string]bool) (found []content.Finding) {
	var with []string
	for plain, f := range l.files {
		if len(f.wrong)+len(f.lost) > 0 {
			with = append(with, plain)
		}
	}
	slices.Sort(with)
	for _, plain := range with {
		f := l.files[plain]
		found = append(found, f.wrong...)
		if len(f.lost) > 0 {
			found = append(found, missing(f, f.head.Path, f.head.Mode == git.Absent, f.lost, void)...)
		}
	}
	return check.Capped(found)
}

// missing reports seals in force that a file lacks, but for void ones. Those of a file that is gone are one
// finding.
func missing(f *sealFile, path string, gone bool, lost []string, void map[string]bool) (found []content.Finding) {
	for _, tag := range lost {
		if void[tag] {
			continue
		}
		if gone {
			return []content.Finding{finding(path, say("missing-file", "seals", nil))}
		}
		s := say("seal-missing", "line", args{"line": f.tags[tag].inForce.Seal})
		found = append(found, about(tag, finding(path, s)))
	}
	return found
}

// review reports what is wrong with a file at the head.
func (f *sealFile) review(h *git.History, ignored func(line string) bool) {
	if f.lost = nil; f.wrong == nil && f.item != "" { // else that hides what else may be
		f.wrong, f.lost = (&sealState{sealFile: f, history: h, path: f.head.Path, raw: f.text}).review(ignored)
	}
}

// sealState is a state of a file of seals, of its history or of a tree, as it is reviewed.
type sealState struct {
	*sealFile
	history  *git.History
	path     string
	raw      []byte
	conflict bool // there is one
}

// review returns what is wrong with the lines, and which tags with a seal in force have none. Lines that no commit
// has come after those of the history, but for those that are ignored.
func (s *sealState) review(ignored func(line string) bool) (found []content.Finding, lost []string) {
	sealed, fresh, unfit := map[string]bool{}, map[string]string{}, false
	for n, text := range content.Lines(s.raw) {
		l, tag := s.lines[text], content.SealTag(text)
		if l == nil && ignored != nil && ignored(text) {
			sealed[tag] = true
			continue
		}
		if l == nil {
			wrong, ok := s.malformed(n, text)
			if found = append(found, wrong...); !ok {
				unfit = unfit || len(wrong) > 0
				continue
			}
		}
		sealed[tag] = true
		first, t := fresh[tag], s.tags[tag]
		if t != nil && t.inForce != nil {
			first = t.inForce.text
		}
		switch {
		case l != nil && len(l.added) == 0:
			found = append(found, unsignedLine(s.path, n, tag))
		case t != nil && t.inForce == nil && (l != nil || t.disputed): // the publication is refused for it
		case first == "":
			fresh[tag] = text
		case first != text:
			found = append(found, s.second(n, text, first))
		}
	}
	for tag, t := range s.tags { // but not what a malformed line may have been
		if t.inForce != nil && !sealed[tag] && !unfit {
			lost = append(lost, tag)
		}
	}
	slices.Sort(lost)
	return check.Capped(found), lost
}

// second is the finding about a line that is not the one in force for its tag.
func (s *sealState) second(n int, text, first string) content.Finding {
	from := func(text string) content.RuleText {
		if l := s.lines[text]; l != nil && len(l.added) > 0 {
			return say("seal", "commit", args{"commit": l.by(s.history).String()[:12]})
		}
		for n, line := range content.Lines(s.raw) {
			if line == text {
				return say("seal", "line", args{"line": n})
			}
		}
		return say("seal", "gone", nil)
	}
	why := say("seal-changed", "line", args{"from": from(text), "first": from(first), "line": first})
	if content.HasLine(s.raw, first) {
		why = say("seal-twice", "second", args{"from": from(text), "first": from(first), "line": first})
	}
	return about(content.SealTag(text), sealFinding(s.path, n, why))
}

// unsignedLine is the finding about a line that no trusted signer added.
func unsignedLine(path string, line int, tag string) content.Finding {
	f := sealFinding(path, line, say("unsigned", "line", nil))
	f.Severity, f.Tag = content.Warning, tag
	return f
}

// malformed reports a line that is no seal of the file's item; not ok if it is to be left out. Of the lines
// of a merge conflict the first one is reported.
func (s *sealState) malformed(n int, text string) (found []content.Finding, ok bool) {
	seal, err := content.ParseSeal(text)
	switch {
	case errors.Is(err, content.ErrForeignTag): // a kind that this build does not know
	case err != nil && check.IsConflict([]byte(text)), s.conflict && text == betweenSides:
		if !s.conflict {
			found = append(found, sealFinding(s.path, n, bothSides(s.raw)))
		}
		s.conflict = true
	case err != nil:
		found = append(found, sealFinding(s.path, n, malformedSeal(err)))
	case !isSealsFileOf(s.path, seal.Tag):
		item, _ := content.SealedItem(s.path)
		found = append(found, about(seal.Tag, sealFinding(s.path, n, say("seal-place", "line", args{
			"tag": seal.Tag, "item": item, "file": content.SealsPath(itemName(seal.Tag)),
		}))))
	default:
		return nil, true
	}
	return found, false
}

// reviewSeals reports what is wrong with the seals of a tree, beside those of a history, which may have none.
func (t *Tree) reviewSeals(l *sealHistory, h *git.History) (found []content.Finding) {
	void, here := content.Voided(t.Marks, ""), map[string]bool{}
	review := func(path string, raw []byte) {
		f, gone := l.files[content.PlainPath(path)], !here[content.PlainPath(path)]
		if f == nil {
			f = newSealHistory().file(path)
		}
		wrong, lost := (&sealState{sealFile: f, history: h, path: path, raw: raw}).review(nil)
		if gone {
			path = f.head.Path
		}
		found = append(append(found, wrong...), missing(f, path, gone, lost, void)...)
	}
	files := t.seals()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		plain := content.PlainPath(path)
		switch {
		case here[plain]:
			found = append(found, worktree.RefusedSeals(git.File{Path: path, Mode: git.Several})...)
		case !worktree.HoldsItem(path):
			found = append(found, worktree.MisplacedSeals(path)...)
		default:
			here[plain] = true
			review(path, files[path])
		}
	}
	for _, plain := range slices.Sorted(maps.Keys(l.files)) {
		if !here[plain] && len(l.files[plain].tags) > 0 {
			review(plain, nil)
		}
	}
	return found
}

// isSealsFileOf reports whether a path is valid for the seal of a tag.
func isSealsFileOf(path, tag string) bool {
	item, _ := content.SealedItem(path)
	return item != "" && item == itemName(tag)
}

// betweenSides is git's separator in a merge conflict.
const betweenSides = "======="

// bothSides is the remedy for a seal file with conflict markers: the base's seal counts, and
// the new publication gets the next number.
func bothSides(raw []byte) content.RuleText {
	var highest *semver.Version
	for _, text := range content.Lines(raw) {
		t, err := content.ParseTag(content.SealTag(text))
		if err == nil && t.Kind != nil && (highest == nil || highest.LessThan(t.Version)) {
			highest = t.Version
		}
	}
	if highest == nil {
		return say("conflict", "sides", nil)
	}
	return say("conflict", "seals", args{"next": highest.IncPatch().String()})
}
