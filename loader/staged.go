package loader

import (
	"bytes"
	"regexp"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
)

// Staged is a tree to be committed, limited to what is affected by its differences from the
// commit before. Nothing else is checked, so the cost depends on the differences.
type Staged struct {
	*Tree
	Whole bool // everything was checked, since the differences may affect anything

	related map[string]bool // files that differ, and files that may refer to them
}

// maxStaged is the maximum number of names that are searched for in all files. Beyond it,
// checking all of them is faster.
const maxStaged = 50

// ReadStaged reads a tree that is to follow a commit; a zero id means no commit.
func ReadStaged(c Config, repo *git.Repo, before, tree git.OID) (*Staged, error) {
	if !before.IsZero() {
		commit, err := repo.Commit(before)
		if err != nil {
			return nil, err
		}
		before = commit.Tree
	}
	entries, err := repo.Changes(git.OID{}, tree, wanted)
	if err != nil {
		return nil, err
	}
	files, err := committedFiles(repo, entries, new(totalSize))
	if err != nil {
		return nil, err
	}
	s := &Staged{related: map[string]bool{}}
	names, err := s.compare(repo, before, tree, files)
	if err != nil {
		return nil, err
	}
	s.relate(files, names)
	s.Tree = (&workTree{files: files}).tree(c, s.opening(c))
	if !s.Whole {
		err = s.tagged(repo)
	}
	return s, err
}

// Concerns reports whether a finding about a file is about staged content.
func (s *Staged) Concerns(f content.Finding) bool {
	return s.related[f.Path]
}

// compare computes the differences of two trees, and the names by which other files may refer
// to them: of items, and of records removed from registries.
func (s *Staged) compare(repo *git.Repo, before, after git.OID, files []treeFile) (names []string, err error) {
	changes, err := repo.Changes(after, before, wanted) // the other way round: what was there before
	if err != nil {
		return nil, err
	}
	raws := make(map[string][]byte, len(files))
	for _, f := range files {
		raws[content.PlainPath(f.path)] = f.raw
	}
	for _, old := range changes {
		if s.related[old.Path] = true; content.HoldsCases(old.Path) {
			continue // nothing else refers to it
		}
		tag, ok := itemAt(old.Path)
		now, exists := raws[content.PlainPath(old.Path)]
		s.Whole = s.Whole || !ok || !exists
		if names = append(names, tag.Name); tag.Kind != content.Registries || !old.Mode.IsFile() {
			continue
		}
		was, _, err := readItemRaw(repo, old, old.Path, check.MaxSize)
		if err != nil {
			return nil, err
		}
		names = append(names, removedCodes(was, now)...)
	}
	s.Whole = s.Whole || len(names) > maxStaged
	return names, nil
}

// code matches possible codes of records.
var code = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_.-]+`)

// removedCodes lists possible codes that occur less often in a text than in its previous version:
// one may have been removed from one list, and be in another to which nothing refers.
func removedCodes(was, now []byte) (codes []string) {
	left := map[string]int{}
	for _, c := range code.FindAll(was, -1) {
		left[string(c)]++
	}
	for _, c := range code.FindAll(now, -1) {
		left[string(c)]--
	}
	for c, n := range left {
		if n > 0 {
			codes = append(codes, c)
		}
	}
	return codes
}

// relate finds the files that contain one of the names.
func (s *Staged) relate(files []treeFile, names []string) {
	for _, f := range files {
		for _, name := range names {
			if s.related[f.path] || len(names) > maxStaged {
				s.related[f.path] = true
				break
			}
			s.related[f.path] = name != "" && bytes.Contains(f.raw, []byte(name))
		}
	}
}

// opening checks related files, and those that the texts of all items are checked against:
// registries and parameters. Of others only the existence matters.
func (s *Staged) opening(c Config) func(content.Tag, []byte) check.File {
	related := map[string]bool{}
	for path := range s.related {
		related[content.PlainPath(path)] = true
	}
	return func(t content.Tag, raw []byte) check.File {
		if s.Whole || related[t.Kind.File(t.Name)] || t.Kind == content.Registries || t.Kind == content.Parameters {
			return c.open(t, raw)
		}
		return check.File{Kind: t.Kind, Name: t.Name, Raw: raw}
	}
}

// tagged treats items as published if they have a tag or a seal: anything better requires
// reading the history.
func (s *Staged) tagged(repo *git.Repo) error {
	refs, err := repo.Refs("")
	if err != nil {
		return err
	}
	published := map[string]bool{}
	add := func(tag string) {
		if t, err := content.ParseTag(tag); err == nil && t.Kind != nil {
			published[t.Item()] = true
		}
	}
	for _, ref := range refs.Tags {
		add(ref.Name)
	}
	for tag := range s.sealLines() {
		add(tag)
	}
	s.Published = func(item string) bool { return published[item] }
	return nil
}
