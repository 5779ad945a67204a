package loader

import (
	"errors"

	"rulestore/content"
	"rulestore/loader/git"
)

// Staged is a tree to be committed.
type Staged struct {
	*Tree
	Whole bool // the differences from the commit before may affect what is published

	differs map[string]bool          // files that differ from the commit before
	fresh   map[content.Finding]bool // that the commit before has not
}

// ReadStaged reads a tree that is to follow a commit; a zero id means no commit.
func ReadStaged(c Config, repo *git.Repo, before, tree git.OID) (*Staged, error) {
	if !before.IsZero() {
		commit, err := repo.Commit(before)
		if err != nil {
			return nil, err
		}
		before = commit.Tree
	}
	changes, err := repo.Changes(before, tree, wanted)
	if err != nil {
		return nil, err
	}
	opened := &openedFiles{Config: c} // what both have is checked once
	old, err := opened.review(repo, before)
	if err != nil {
		return nil, err
	}
	s := &Staged{differs: map[string]bool{}, fresh: map[content.Finding]bool{}}
	if s.Tree, err = opened.review(repo, tree); err != nil {
		return nil, err
	}
	for _, f := range s.Findings {
		s.fresh[f] = true
	}
	for _, f := range old.Findings {
		delete(s.fresh, f)
	}
	for _, f := range changes {
		s.differs[f.Path] = true
		if _, isItem := itemAt(f.Path); !content.HoldsCases(f.Path) {
			s.Whole = s.Whole || !isItem || !s.placed[content.PlainPath(f.Path)]
		}
	}
	return s, nil
}

// review reads and reviews a tree of the repository. Items count as published if they have a tag or a seal:
// anything better requires reading the history.
func (o *openedFiles) review(repo *git.Repo, tree git.OID) (*Tree, error) {
	var w workTree
	var err error
	if w.same, err = repo.Changes(git.OID{}, tree, wanted); err == nil {
		err = w.read(repo)
	}
	if err != nil {
		return nil, err
	}
	t := w.tree(o.Config, o.open)
	refs, err := repo.Refs("")
	if err != nil && !errors.Is(err, git.ErrEmpty) {
		return nil, err
	}
	published := map[string]bool{}
	for _, ref := range refs.Tags {
		published[itemName(ref.Name)] = true
	}
	for tag := range t.sealLines() {
		published[itemName(tag)] = true
	}
	t.Published = func(item string) bool { return published[item] }
	t.Today = o.Now().UTC().Format(content.Date)
	t.Review(o.Schemas)
	return t, nil
}

// Concerns reports whether a finding is about a file that differs, or is not one of the commit before.
func (s *Staged) Concerns(f content.Finding) bool { return s.differs[f.Path] || s.fresh[f] }
