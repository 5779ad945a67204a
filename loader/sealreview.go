package loader

import (
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/gitrepo"
)

// maxSealFindings is the maximum number of lines for which the commits that wrote them are
// looked up: more than a person fixes at once.
const maxSealFindings = 100

// sealLine is a line of a file.
type sealLine struct {
	file *sealFile
	line int
}

func (p sealLine) finding(s content.RuleText) content.Finding {
	return sealFinding(p.file.path, p.line, s)
}

func sealFinding(path string, line int, s content.RuleText) content.Finding {
	f := finding(path, s)
	f.Line, f.Column = line, 1
	return f
}

// currentLines yields the lines of the newest valid versions of existing files, by path.
func (l *sealHistory) currentLines() iter.Seq2[sealLine, string] {
	return func(yield func(sealLine, string) bool) {
		for _, f := range l.sorted() {
			if f.gone {
				continue
			}
			for n, text := range numbered(f.text.Bytes()) {
				if !yield(sealLine{f, n}, text) {
					return
				}
			}
		}
	}
}

// sorted lists the files by path.
func (l *sealHistory) sorted() []*sealFile {
	return slices.SortedFunc(maps.Values(l.files), func(a, b *sealFile) int { return strings.Compare(a.path, b.path) })
}

// reviewSeals reports what is wrong with the newest versions, with the commits. void are the tags
// that marks declare void.
func (b *build) reviewSeals(void map[string]bool) error {
	l := b.seals
	if !l.reviewed || !maps.Equal(l.reviewedVoid, void) {
		changed, err := l.changed(func(line string) (content.RuleText, error) { return b.sealedBy(l, line) })
		if err != nil {
			return err
		}
		l.findings = slices.Concat(l.invalid(), l.missing(void), l.untrusted(), changed)
		l.reviewed, l.reviewedVoid = true, void
	}
	b.report.Add(l.findings...)
	return nil
}

// findingsNow returns all findings about the newest versions.
func (l *sealHistory) findingsNow(void map[string]bool) []content.Finding {
	changed, _ := l.changed(func(line string) (content.RuleText, error) { // which never fails
		wrote, known := l.writtenIn[line]
		switch at := l.lines[line].introduced.until; {
		case known:
			return wrote, nil
		case !at.IsZero():
			return say("seal", "commit", args{"commit": at.String()[:12]}), nil
		}
		return l.where(line), nil
	})
	return slices.Concat(l.invalid(), changed, l.missing(void))
}

// where returns the place of an uncommitted line.
func (l *sealHistory) where(line string) content.RuleText {
	for at, text := range l.currentLines() {
		if text == line {
			return say("seal", "line", args{"line": at.line})
		}
	}
	return say("seal", "gone", nil)
}

// invalid reports files, or lines, that do not count at their path.
func (l *sealHistory) invalid() (found []content.Finding) {
	for _, f := range l.sorted() {
		found = append(found, f.findings...)
	}
	for at, text := range l.currentLines() {
		tag := tagOf(text)
		folder, _, _ := strings.Cut(tag, "/")
		if isSealsFileOf(at.file.path, tag) || content.KindOf(folder) == nil {
			continue
		}
		item, _ := content.SealedItem(at.file.path)
		found = append(found, about(tag, at.finding(say(
			"seal-place", "line", args{"tag": tag, "item": item, "file": content.SealsPath(itemName(tag))},
		))))
	}
	return check.Capped(found)
}

// changed reports lines of the newest files that are not the first for their tag: two branches
// sealed one version in different ways, or somebody changed a line. from returns the origin of
// a line.
func (l *sealHistory) changed(from func(line string) (content.RuleText, error)) (found []content.Finding, err error) {
	listed := map[string]bool{}
	for _, text := range l.currentLines() {
		listed[text] = true
	}
	for at, text := range l.currentLines() {
		tag := tagOf(text)
		if first := l.inForce[tag].line; !l.counts(text) || first == text || !isSealsFileOf(at.file.path, tag) {
			continue
		}
		if l.rivals[tag].disputed {
			continue // the publication is refused for it
		}
		if len(found) == maxSealFindings {
			return append(found, at.finding(say("more", "seals", nil))), nil
		}
		f, err := l.second(at, text, listed[l.inForce[tag].line], from)
		if err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	return found, nil
}

// second is the finding about a line that is not the first for its tag; both means that the
// first one still exists.
func (l *sealHistory) second(
	at sealLine, text string, both bool, from func(line string) (content.RuleText, error),
) (content.Finding, error) {
	first := l.inForce[tagOf(text)].line
	is, err := from(text)
	if err != nil {
		return content.Finding{}, err
	}
	was, err := from(first)
	f := at.finding(say("seal-changed", "line", args{"from": is, "first": was, "line": first}))
	if both {
		f = at.finding(say("seal-twice", "second", args{"from": is, "first": was, "line": first}))
	}
	return about(tagOf(text), f), err
}

// sealedBy returns the commit that wrote a line: on the branch itself or, if a merge introduced
// it, on the merged side.
func (b *build) sealedBy(l *sealHistory, line string) (content.RuleText, error) {
	if wrote, known := l.writtenIn[line]; known {
		return wrote, nil
	}
	at := l.lines[line].introduced
	wrote := at.until
	for _, c := range b.history.Since(at.until, at.after, at.path) {
		origin, err := b.originates(c, line)
		if err != nil {
			return content.RuleText{}, err
		}
		if origin {
			wrote = c.OID
			break
		}
	}
	l.writtenIn[line] = say("seal", "commit", args{"commit": wrote.String()[:12]})
	return l.writtenIn[line], nil
}

// originates reports whether a commit has a line that none of its parents has.
func (b *build) originates(c gitrepo.Commit, line string) (bool, error) {
	if has, err := b.hasLine(c.OID, line); !has || err != nil {
		return false, err
	}
	for _, parent := range c.Parents {
		if has, err := b.hasLine(parent, line); has || err != nil {
			return false, err
		}
	}
	return true, nil
}

// hasLine reports whether a commit has a line in any valid file.
func (b *build) hasLine(commit gitrepo.OID, line string) (bool, error) {
	for _, path := range places(line) {
		raw, _, err := b.sealsAt(commit, path)
		if err != nil || hasLine(raw, line) {
			return err == nil, err
		}
	}
	return false, nil
}

// missing reports seals in force that the newest files lack, except void ones. Those of a
// removed file are one finding.
func (l *sealHistory) missing(void map[string]bool) (found []content.Finding) {
	listed := make(map[string]bool, len(l.inForce))
	for at, text := range l.currentLines() {
		listed[tagOf(text)] = listed[tagOf(text)] || isSealsFileOf(at.file.path, tagOf(text))
	}
	gone := map[string]bool{}
	for _, tag := range slices.Sorted(maps.Keys(l.inForce)) {
		home := l.lineInForce(tag).lastPath
		switch f := l.files[home]; {
		case listed[tag] || void[tag] || gone[home] || l.unopened(home):
		case f != nil && f.gone:
			gone[home] = true
			found = append(found, finding(home, say("missing-file", "seals", nil)))
		default:
			f := finding(home, say("seal-missing", "line", args{"line": l.inForce[tag].Seal}))
			found = append(found, about(tag, f))
		}
	}
	return check.Capped(found)
}

// unopened reports whether a file was in a folder that can no longer be read.
func (l *sealHistory) unopened(file string) bool {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if f := l.files[dir]; f != nil && f.unopened {
			return true
		}
	}
	return false
}

// untrusted reports lines of the newest files that no trusted signer added.
func (l *sealHistory) untrusted() (found []content.Finding) {
	for at, text := range l.currentLines() {
		if l.lines[text].standing != unsigned || !isSealsFileOf(at.file.path, tagOf(text)) {
			continue
		}
		if len(found) == maxSealFindings {
			return append(found, at.finding(say("more", "unsigned", nil)))
		}
		f := at.finding(say("unsigned", "line", nil))
		f.Severity, f.Tag = content.Warning, tagOf(text)
		found = append(found, f)
	}
	return found
}
