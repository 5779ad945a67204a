package loader

import (
	"errors"
	"maps"
	"path"
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
)

func sealFinding(path string, line int, s content.RuleText) content.Finding {
	f := finding(path, s)
	f.Line, f.Column = line, 1
	return f
}

// wrong returns all findings about the seals at the head. void are the tags that marks declare void: their lines
// may be missing.
func (l *sealHistory) wrong(void map[string]bool) (found []content.Finding) {
	for _, plain := range slices.Sorted(maps.Keys(l.files)) {
		f := l.files[plain]
		found = append(found, f.wrong...)
		if len(f.lost) > 0 && !l.unopened(plain) {
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

// unopened reports whether a file was in a folder that can no longer be read.
func (l *sealHistory) unopened(file string) bool {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if f := l.files[dir]; f != nil && f.head.Mode == git.Folder {
			return true
		}
	}
	return false
}

// review reports what is wrong with a file at the head.
func (f *sealFile) review(h *git.History, ignored func(line string) bool) {
	if f.lost = nil; f.wrong == nil && f.item != "" { // else that hides what else may be
		f.wrong, f.lost = f.reviewed(h, f.head.Path, f.text, ignored)
	}
}

// reviewed returns what is wrong with the lines of a state of the file, and which tags with a seal in force it
// lacks. Lines that no commit has come after those of the history, but for those that are ignored.
func (f *sealFile) reviewed(
	h *git.History, path string, raw []byte, ignored func(line string) bool,
) (found []content.Finding, lost []string) {
	sealed, fresh := map[string]bool{}, map[string]string{}
	conflict, unfit := false, false
	for n, text := range numbered(raw) {
		l, known := f.lines[text]
		if !known && ignored != nil && ignored(text) {
			sealed[tagOf(text)] = true
			continue
		}
		if !known {
			wrong, ok := f.malformed(path, raw, n, text, &conflict)
			if found = append(found, wrong...); !ok {
				unfit = unfit || len(wrong) > 0
				continue
			}
		}
		tag := tagOf(text)
		sealed[tag] = true
		first, t := fresh[tag], f.tags[tag]
		switch {
		case known && len(l.added) == 0:
			found = append(found, unsignedLine(path, n, tag))
			continue
		case t != nil && t.inForce != nil:
			first = t.inForce.text
		case t != nil && (known || t.disputed):
			continue // the publication is refused for it
		}
		switch {
		case first == "":
			fresh[tag] = text
		case first != text:
			found = append(found, f.second(h, path, n, text, first, raw))
		}
	}
	for tag, t := range f.tags { // but not what a malformed line may have been
		if t.inForce != nil && !sealed[tag] && !unfit {
			lost = append(lost, tag)
		}
	}
	slices.Sort(lost)
	return check.Capped(found), lost
}

// second is the finding about a line that is not the one in force for its tag, in a state of the file.
func (f *sealFile) second(
	h *git.History, path string, n int, text, first string, raw []byte,
) content.Finding {
	from := func(text string) content.RuleText {
		if l := f.lines[text]; l != nil && len(l.added) > 0 {
			return say("seal", "commit", args{"commit": l.by(h).String()[:12]})
		}
		for n, line := range numbered(raw) {
			if line == text {
				return say("seal", "line", args{"line": n})
			}
		}
		return say("seal", "gone", nil)
	}
	s := say("seal-changed", "line", args{"from": from(text), "first": from(first), "line": first})
	if hasLine(raw, first) {
		s = say("seal-twice", "second", args{"from": from(text), "first": from(first), "line": first})
	}
	return about(tagOf(text), sealFinding(path, n, s))
}

// unsignedLine is the finding about a line that no trusted signer added.
func unsignedLine(path string, line int, tag string) content.Finding {
	f := sealFinding(path, line, say("unsigned", "line", nil))
	f.Severity, f.Tag = content.Warning, tag
	return f
}

// malformed reports a line that is no seal of the file's item; not ok if it is to be left out. Of the lines
// of a merge conflict the first one is reported.
func (f *sealFile) malformed(
	path string, raw []byte, n int, text string, conflict *bool,
) (found []content.Finding, ok bool) {
	seal, err := content.ParseSeal(text)
	switch {
	case errors.Is(err, content.ErrForeignTag): // a kind that this build does not know
	case err != nil && check.IsConflict([]byte(text)), *conflict && text == betweenSides:
		if !*conflict {
			found = append(found, sealFinding(path, n, bothSides(raw)))
		}
		*conflict = true
	case err != nil:
		found = append(found, sealFinding(path, n, malformedSeal(err)))
	case !isSealsFileOf(path, seal.Tag):
		item, _ := content.SealedItem(path)
		found = append(found, about(seal.Tag, sealFinding(path, n, say("seal-place", "line", args{
			"tag": seal.Tag, "item": item, "file": content.SealsPath(itemName(seal.Tag)),
		}))))
	default:
		return nil, true
	}
	return found, false
}

// reviewSeals reports what is wrong with the seals of a tree, beside those of a history, which may have none.
func (t *Tree) reviewSeals(l *sealHistory, h *git.History) (found []content.Finding) {
	void, here := voided(t.Marks, endOfTime), map[string]bool{}
	files := t.seals()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		plain := content.PlainPath(path)
		switch wrong := misplacedSeals(path); {
		case here[plain]:
			found = append(found, refusedSeals(git.File{Path: path, Mode: git.Several})...)
			continue
		case !countsAt(path):
			found = append(found, wrong...)
			continue
		}
		here[plain] = true
		f := l.files[plain]
		if f == nil {
			f = newSealHistory().file(path)
		}
		wrong, lost := f.reviewed(h, path, files[path], nil)
		found = append(append(found, wrong...), missing(f, path, false, lost, void)...)
	}
	for _, plain := range slices.Sorted(maps.Keys(l.files)) {
		if f := l.files[plain]; !here[plain] && len(f.tags) > 0 && !l.unopened(plain) {
			_, lost := f.reviewed(h, plain, nil, nil)
			found = append(found, missing(f, f.head.Path, true, lost, void)...)
		}
	}
	return found
}
