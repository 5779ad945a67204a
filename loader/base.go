package loader

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/loader/git"
)

// Base is the branch that a change is to be merged into.
type Base struct {
	Name    string            // its name for messages
	Tip     git.OID           // its newest commit
	Seals   map[string]string // its lines by tag
	Tags    map[string]bool   // its tags
	Reaches func(commit git.OID) bool
	Log     []string // the files of the log that the change touches
	From    git.OID  // the newest commit that both come from
	Signed  bool     // it has a log there
}

// ReadBase reads the first of some branches that there is, nil if there is none, for content that began from
// a commit.
func ReadBase(repo *git.Repo, head git.OID, branches ...string) (*Base, error) {
	for _, name := range branches {
		tip, err := repo.Resolve(name)
		if err != nil {
			continue // there is none; a wanted one is reported by who wants it
		}
		return readBase(repo, head, &Base{
			Name: strings.TrimPrefix(strings.TrimPrefix(name, "refs/remotes/"), "refs/heads/"), Tip: tip,
			Seals: map[string]string{}, Tags: map[string]bool{},
			Reaches: func(commit git.OID) bool {
				common, ok, err := repo.MergeBase(commit, tip)
				return err == nil && ok && common == commit
			},
		})
	}
	return nil, nil
}

// readBase reads the seals of a base, and of where the content began from: of two for a tag the first one
// counts, even if it was removed since.
func readBase(repo *git.Repo, head git.OID, base *Base) (*Base, error) {
	refs, err := repo.Refs("")
	for _, t := range refs.Tags {
		base.Tags[t.Name] = true
	}
	from, ok, e := repo.MergeBase(head, base.Tip)
	err = errors.Join(err, e)
	commits := []git.OID{base.Tip}
	if ok {
		commits = []git.OID{from, base.Tip}
		before, e1 := repo.Commit(from)
		after, e2 := repo.Commit(head)
		touched, e3 := repo.Changes(before.Tree, after.Tree, isOfLog)
		signed, e4 := repo.Files(from, isOfLog)
		err, base.From, base.Signed = errors.Join(err, e1, e2, e3, e4), from, len(signed) > 0
		for _, f := range touched {
			base.Log = append(base.Log, f.Path)
		}
	}
	for _, commit := range slices.Compact(commits) {
		files, e := ReadSeals(repo, commit)
		err = errors.Join(err, e)
		for _, raw := range files {
			for _, line := range content.Lines(raw) {
				if seal, e := content.ParseSeal(line); e == nil && base.Seals[seal.Tag] == "" {
					base.Seals[seal.Tag] = line
				}
			}
		}
	}
	return base, err
}

func isOfLog(path string, _ git.Mode) bool {
	return log.IsFile(path) || path == content.CheckpointFile
}

// Rewritable reports whether only the change has, or had, a line: such a line may be rewritten,
// unless its tag shows that it was published.
func (b *Base) Rewritable(line string) bool {
	tag := content.SealTag(line)
	theirs := b.Seals[tag]
	return theirs != line && (theirs != "" || !b.Tags[tag])
}

// CheckSeals reports seals of a change that must not be merged: they are for other content than
// the tree has, or for a version that the base has sealed. Seals of the base always count. The
// loader has loaded the state from which the tree was made.
func (l *Loader) CheckSeals(t *Tree, s *content.Snapshot, base *Base) {
	touched := say("log", "created", nil)
	if base.Signed {
		touched = say("log", "edited", args{"commit": base.From.String()[:12]})
	}
	for _, path := range base.Log {
		t.Findings = append(t.Findings, finding(path, touched))
	}
	now := t.sealLines()
	said := map[string]bool{}
	for _, f := range t.Findings {
		said[f.Tag] = said[f.Tag] || f.Rule == "seal-behind" || f.Rule == "seal-twice"
	}
	for _, path := range slices.Sorted(maps.Keys(t.seals())) {
		for n, line := range content.Lines(t.Raw[path]) {
			seal, err := content.ParseSeal(line)
			if err != nil || !isSealsFileOf(path, seal.Tag) || base.Seals[seal.Tag] == line || said[seal.Tag] {
				continue
			}
			if f, ok := l.checkSeal(t, s, base, seal, now); ok {
				f.Path, f.Line, f.Column, f.Tag = path, n, 1, seal.Tag
				t.Findings = append(t.Findings, f)
			}
		}
	}
}

// sealLines returns the lines of seals where they count, by tag.
func (t *Tree) sealLines() map[string]string {
	lines := map[string]string{}
	for path, raw := range t.seals() {
		for _, line := range content.Lines(raw) {
			if tag := content.SealTag(line); isSealsFileOf(path, tag) {
				lines[tag] = line
			}
		}
	}
	return lines
}

func (l *Loader) checkSeal(
	t *Tree, s *content.Snapshot, base *Base, seal content.Seal, now map[string]string,
) (content.Finding, bool) {
	tag, _ := content.ParseTag(seal.Tag) // parsed with the seal
	free := base.highest(tag.Version, tag, func(string) bool { return true }).IncPatch()
	next := free.String()
	if theirs := base.Seals[seal.Tag]; theirs != "" {
		return finding("", say("seal-twice", "base", args{"base": base.Name, "line": theirs, "next": next})), true
	}
	newer := base.highest(nil, tag, func(name string) bool { return now[name] == "" }) // on the base alone
	if newer != nil {
		return finding("", say("seal-behind", "base",
			args{"base": base.Name, "newer": newer.String(), "next": next})), true
	}
	if t.hasContent(tag, seal.Checksum) || l.publishedBefore(s, base, seal, tag) {
		return content.Finding{}, false
	}
	return finding("", say("seal-behind", "change", args{"version": tag.Version, "next": next})), true
}

// publishedBefore reports whether a seal is for content that a tag published earlier: one
// reachable from the base, or one after which the change has already published a higher
// version.
func (l *Loader) publishedBefore(s *content.Snapshot, base *Base, seal content.Seal, tag content.Tag) bool {
	if loaded := l.cache.seals.inForce(seal.Tag); loaded != nil && loaded.text == seal.String() &&
		slices.ContainsFunc(loaded.added, base.Reaches) {
		return true // its line was taken out since, and is written again
	}
	it, r := s.Item(tag.Kind, tag.Name), refNamed(l.cache.tags, seal.Tag)
	if it == nil || r == nil {
		return false
	}
	for _, e := range it.Entries {
		if e.Tag() == seal.Tag {
			superseded := it.Entries[0].Version.GreaterThan(tag.Version)
			return e.Checksum == seal.Checksum && e.Commit == r.tag.Commit.String() &&
				(superseded || base.Reaches(r.tag.Commit))
		}
	}
	return false
}

// highest returns the highest of a version, which may be nil, and of those of an item that are sealed
// on the base.
func (b *Base) highest(v *semver.Version, item content.Tag, counts func(name string) bool) *semver.Version {
	for name := range b.Seals {
		if itemName(name) != item.Item() || !counts(name) {
			continue
		}
		if t, err := content.ParseTag(name); err == nil && (v == nil || v.LessThan(t.Version)) {
			v = t.Version
		}
	}
	return v
}

// AddLoadFindings adds a server's findings about the publications of a load that no single file
// shows: refused and held publications, seals that are lost, outdated or inconsistent, and
// broken references. On a branch that is to be merged into a base, the tags of others are not
// merged yet, and the commits of seals are not final: such findings are left out, and so are
// publications in advance, which are held on purpose, and versions that the tree's marks
// declare void.
func (t *Tree) AddLoadFindings(r content.Report, base *Base) {
	void := content.Voided(t.Marks, "") // also by a mark that is not committed
	for _, f := range r.Findings {
		kept := slices.Contains(r.Refused, f.Tag) || slices.Contains(r.Held, f.Tag)
		switch {
		case f.Rule == "tag", f.Rule == "log" && base == nil:
			t.Findings = append(t.Findings, f)
		case f.Rule == "seal-lost" && void[f.Tag]:
		case f.Tag == "" || f.Rule == "future" || content.HoldsSeals(f.Path):
		case base != nil && (f.Rule == "not-merged" || f.Rule == "seal-behind" && base.Seals[f.Tag] != ""):
		case f.Severity == content.Error || kept || f.Rule == "reference":
			t.Findings = append(t.Findings, f)
		}
	}
}
