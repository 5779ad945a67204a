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

// The maximum sizes of seal files, in bytes.
const (
	maxSealsFile = 32 << 20 // rulestore.sum: a hundred thousand lines and more
	maxItemSeals = 1 << 20  // those of one item: five thousand lines and more
)

// sealFile is a file of seals as it stands after what was read.
type sealFile struct {
	path     string
	at       span              // the piece of history that the newest valid version brought
	text     *gitrepo.Text     // that version
	gone     bool              // it was taken away since
	unopened bool              // there is a folder in its place that is not read
	findings []content.Finding // why the newest version is not valid
}

// after returns what was read of a file before a commit of the branch.
func (f *sealFile) after(on gitrepo.OID) gitrepo.OID {
	if f.at.on == on {
		return f.at.after
	}
	return f.at.until
}

// detach lets go of what the newest version was packed with.
func (f *sealFile) detach() {
	if f != nil && f.text != nil {
		f.text = f.text.Whole()
	}
}

// takeState notes what stands in the place of a file, and reports whether that is to be
// read. Whoever cannot read a folder knows less than others of what came first.
func (b *build) takeState(f *sealFile, state gitrepo.Version) (read bool, err error) {
	f.path = state.Path
	f.gone, f.unopened, f.findings = state.Mode == gitrepo.Absent, state.Mode == gitrepo.Folder, nil
	switch {
	case f.gone:
		return false, nil
	case state.Mode == gitrepo.Unreadable:
		return false, i18n.Errorf("read the seals in %s: folder %s: %w", content.Printable(state.Path), state.OID, gitrepo.ErrDamaged)
	}
	f.findings = refusedSeals(state.File)
	return f.findings == nil && countsAt(state.Path), nil
}

// refusedSeals says why nothing that stands at a path is a seal.
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

// countsAt reports whether lines count that stand in a file at a path.
func countsAt(path string) bool {
	_, ok := content.SealedItem(path)
	return ok || path == content.SealsFile
}

// misplacedSeals says why no line counts that stands at a path. What is in the folder of
// a kind that this build does not know is left alone.
func misplacedSeals(path string) []content.Finding {
	if countsAt(path) {
		return nil
	}
	folder, _, nested := strings.Cut(strings.TrimPrefix(path, content.SealsFolder+"/"), "/")
	known := slices.ContainsFunc(content.Kinds, func(k *content.Kind) bool { return strings.EqualFold(k.Folder, folder) })
	switch {
	case path == content.SealsFolder, !nested && known:
		return []content.Finding{finding(path, say("folder", "file", nil))}
	case !known:
		return nil
	}
	return []content.Finding{finding(path, say("seal-place", "path", args{"file": content.SealsPath("<folder>/<name>")}))}
}

// holds reports whether the seal of a tag may stand at a path.
func holds(path, tag string) bool {
	item, _ := content.SealedItem(path)
	return path == content.SealsFile || item != "" && item == itemName(tag)
}

// tagOf returns what a line seals.
func tagOf(line string) string {
	tag, _, _ := strings.Cut(line, " ")
	return tag
}

// places lists the files that lines may stand in, by the names that a history knows them
// under.
func places(lines ...string) []string {
	paths := map[string]bool{content.SealsFile: true}
	for _, line := range lines {
		paths[content.SealsPath(itemName(tagOf(line)))] = true
	}
	return slices.Sorted(maps.Keys(paths))
}

// parse takes a version of a file over, and returns the lines that are new in it and
// not known. If a line is malformed, the version as a whole does not count; a line for
// another item than the file's does not.
func (l *sealLog) parse(f *sealFile, now *gitrepo.Text) (fresh []string) {
	f.findings = nil
	conflict := false
	start, end := now.Differing(f.text)
	for n, text := range numbered(now.Slice(start, end)) {
		seal, err := content.ParseSeal(text)
		if l.ledger.note(text, seal, err); l.ignored != nil && l.ignored(text) {
			continue
		}
		_, known := l.lines[text]
		switch {
		case errors.Is(err, content.ErrForeignTag): // a kind that this build does not know
		case err != nil && check.IsConflict([]byte(text)):
			if !conflict {
				f.findings = append(f.findings, sealFinding(f.path, now.Count('\n', start)+n, bothSides(f.path, now.Bytes())))
			}
			conflict = true
		case conflict && text == betweenSides:
		case err != nil && len(f.findings) < maxSealFindings:
			f.findings = append(f.findings, sealFinding(f.path, now.Count('\n', start)+n, malformedSeal(err)))
		case err != nil, !holds(f.path, seal.Tag):
		case known:
			l.home[text] = f.path
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

// betweenSides is what git leaves between the sides of a merge that it could not make.
const betweenSides = "======="

// bothSides says what to do about a file of seals in which git left both sides of a merge:
// what the base has counts, and what was to be published gets the number after it.
func bothSides(path string, raw []byte) content.Said {
	var highest *semver.Version
	for _, text := range numbered(raw) {
		t, err := content.ParseTag(tagOf(text))
		if err == nil && t.Kind != nil && (highest == nil || highest.LessThan(t.Version)) {
			highest = t.Version
		}
	}
	if _, ok := content.SealedItem(path); !ok || highest == nil {
		return say("conflict", "sums", nil)
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

// validSeals reports whether all lines are well-formed, of a kind that this build knows
// or of another one.
func validSeals(raw []byte) bool {
	for _, text := range numbered(raw) {
		if _, err := content.ParseSeal(text); err != nil && !errors.Is(err, content.ErrForeignTag) {
			return false
		}
	}
	return true
}

// sealsAt returns a file of seals as it was at a commit, unless there was none that is
// read.
func (b *build) sealsAt(commit gitrepo.OID, path string) (raw []byte, read bool, err error) {
	v, exists := b.history.At(commit, path)
	if !exists {
		return nil, false, nil
	}
	text, read, err := b.sealsOf(v.File)
	return text.Bytes(), read, err
}

// sealsText reads one state of a file of seals that is one. The list of all seals has as many
// versions as there are seals, so of each only what differs is looked at; those of one item
// are not worth the memory of what they are packed with.
func (b *build) sealsText(f gitrepo.File) (*gitrepo.Text, error) {
	if f.Path == content.SealsFile {
		return b.repo.Text(f.OID, sizeLimit(f.Path))
	}
	raw, err := b.repo.Blob(f.OID, sizeLimit(f.Path))
	if err != nil {
		return nil, err
	}
	return gitrepo.TextOf(raw), nil
}

// sealsOf reads one state of a file of seals, unless it is none that is read.
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
