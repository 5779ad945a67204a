package loader

import (
	"bytes"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/i18n"
	"rulestore/loader/gitrepo"
)

// maxItemSeals is the maximum size of a seal file, in bytes: more than five thousand lines.
const maxItemSeals = 1 << 20

// singleFile is where early repositories had the seals of all items. It is not read.
const singleFile = "rulestore.sum"

// sealFile is the state of a seal file after the commits that were read.
type sealFile struct {
	path     string
	at       span              // the part of the history that introduced the newest valid version
	text     *gitrepo.Text     // that version
	gone     bool              // it was removed since
	unopened bool              // a folder that is not read is in its place
	findings []content.Finding // why the newest version is not valid
}

// after returns the state of a file before a commit of the branch.
func (f *sealFile) after(on gitrepo.OID) gitrepo.OID {
	if f.at.branchCommit == on {
		return f.at.after
	}
	return f.at.until
}

// takeState records the entry at the path of a file, and reports whether it is to be read. An
// unreadable folder makes the order of later lines uncertain.
func (b *build) takeState(f *sealFile, state gitrepo.Version) (read bool, err error) {
	f.path = state.Path
	f.gone, f.unopened, f.findings = state.Mode == gitrepo.Absent, state.Mode == gitrepo.Folder, nil
	switch {
	case f.gone:
		return false, nil
	case state.Mode == gitrepo.Unreadable:
		return false, i18n.Errorf(
			"read the seals in %s: folder %s: %w", content.Printable(state.Path), state.OID, gitrepo.ErrDamaged,
		)
	}
	f.findings = refusedSeals(state.File)
	return f.findings == nil && countsAt(state.Path), nil
}

// refusedSeals returns the reason why nothing at a path is a seal.
func refusedSeals(f gitrepo.File) []content.Finding {
	switch {
	case f.Mode == gitrepo.Folder:
		return []content.Finding{unreadFolder(f.Path)}
	case f.Mode == gitrepo.Several:
		return []content.Finding{finding(f.Path, say("two-places", "seals", nil))}
	case misplacedSeals(f.Path) != nil:
		return misplacedSeals(f.Path)
	case !f.Mode.IsFile():
		return []content.Finding{finding(f.Path, say("symlink", "seals", nil))}
	}
	return nil
}

// countsAt reports whether lines in a file at a path count.
func countsAt(path string) bool {
	_, ok := content.SealedItem(path)
	return ok
}

// misplacedSeals returns the reason why no line at a path counts. Folders of kinds unknown to
// this build are ignored.
func misplacedSeals(path string) []content.Finding {
	if countsAt(path) {
		return nil
	}
	folder, _, nested := strings.Cut(strings.TrimPrefix(path, content.SealsFolder+"/"), "/")
	known := slices.ContainsFunc(
		content.Kinds, func(k *content.Kind) bool { return strings.EqualFold(k.Folder, folder) },
	)
	switch {
	case path == content.SealsFolder, !nested && known:
		return []content.Finding{finding(path, say("folder", "file", nil))}
	case !known:
		return nil
	}
	return []content.Finding{finding(
		path, say("seal-place", "path", args{"file": content.SealsPath("<folder>/<name>")}),
	)}
}

// isSealsFileOf reports whether a path is valid for the seal of a tag.
func isSealsFileOf(path, tag string) bool {
	item, _ := content.SealedItem(path)
	return item != "" && item == itemName(tag)
}

// tagOf returns the tag in a line.
func tagOf(line string) string {
	tag, _, _ := strings.Cut(line, " ")
	return tag
}

// places lists the files in which lines are valid, by their names in the history.
func places(lines ...string) []string {
	paths := map[string]bool{}
	for _, line := range lines {
		paths[content.SealsPath(itemName(tagOf(line)))] = true
	}
	return slices.Sorted(maps.Keys(paths))
}

// parse adopts a version of a file, and returns the lines that are new in it and not known. If
// a line is malformed, the version as a whole does not count; a line for another item than the
// file's does not count.
func (l *sealHistory) parse(f *sealFile, now *gitrepo.Text) (fresh []string) {
	f.findings = nil
	conflict := false
	start, end := now.Differing(f.text)
	for n, text := range numbered(now.Slice(start, end)) {
		if l.ignored != nil && l.ignored(text) {
			continue
		}
		seal, err := content.ParseSeal(text)
		switch {
		case errors.Is(err, content.ErrForeignTag): // a kind that this build does not know
		case err != nil && check.IsConflict([]byte(text)):
			if !conflict {
				f.findings = append(
					f.findings, sealFinding(f.path, now.Count('\n', start)+n, bothSides(now.Bytes())),
				)
			}
			conflict = true
		case conflict && text == betweenSides:
		case err != nil && len(f.findings) < maxSealFindings:
			f.findings = append(f.findings, sealFinding(f.path, now.Count('\n', start)+n, malformedSeal(err)))
		case err != nil, !isSealsFileOf(f.path, seal.Tag):
		case l.counts(text):
			known := l.lines[text]
			known.lastPath = f.path
			l.lines[text] = known
		default:
			fresh = append(fresh, text)
		}
	}
	if len(f.findings) > 0 {
		return nil
	}
	f.text = now
	return fresh
}

// betweenSides is git's separator in a merge conflict.
const betweenSides = "======="

// bothSides is the remedy for a seal file with conflict markers: the base's seal counts, and
// the new publication gets the next number.
func bothSides(raw []byte) content.RuleText {
	var highest *semver.Version
	for _, text := range numbered(raw) {
		t, err := content.ParseTag(tagOf(text))
		if err == nil && t.Kind != nil && (highest == nil || highest.LessThan(t.Version)) {
			highest = t.Version
		}
	}
	if highest == nil {
		return say("conflict", "sides", nil)
	}
	return say("conflict", "seals", args{"next": highest.IncPatch().String()})
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

// validSeals reports whether all lines are well-formed, of any kind.
func validSeals(raw []byte) bool {
	for _, text := range numbered(raw) {
		if _, err := content.ParseSeal(text); err != nil && !errors.Is(err, content.ErrForeignTag) {
			return false
		}
	}
	return true
}

// sealsAt returns a seal file at a commit, if there is one that can be read.
func (b *build) sealsAt(commit gitrepo.OID, path string) (raw []byte, read bool, err error) {
	v, exists := b.history.At(commit, path)
	if !exists {
		return nil, false, nil
	}
	text, read, err := b.sealsOf(v.File)
	return text.Bytes(), read, err
}

// sealsText reads one state of a seal file.
func (b *build) sealsText(f gitrepo.File) (*gitrepo.Text, error) {
	raw, err := b.repo.Blob(f.OID, sizeLimit(f.Path))
	if err != nil {
		return nil, err
	}
	return gitrepo.TextOf(raw), nil
}

// sealsOf reads one state of a seal file, if it can be read.
func (b *build) sealsOf(f gitrepo.File) (text *gitrepo.Text, read bool, err error) {
	if !f.Mode.IsFile() {
		return nil, false, nil
	}
	text, err = b.sealsText(f)
	if errors.Is(err, gitrepo.ErrTooLarge) {
		return nil, false, nil
	}
	return text, err == nil, err
}

func hasLine(raw []byte, line string) bool {
	for _, text := range numbered(raw) {
		if text == line {
			return true
		}
	}
	return false
}
