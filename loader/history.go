package loader

import (
	"slices"

	"rulestore/loader/git"
)

// readBeyond returns the history with that of tagged commits that are not reachable from the
// branch and are sealed, except those with damaged objects: sealed content may be found elsewhere.
func (b *build) readBeyond(claims []*claim) (*git.History, error) {
	var commits []git.OID
	for _, c := range claims {
		if c.seal != nil && c.tagged() && !b.history.Contains(c.tag.Commit) {
			commits = append(commits, c.tag.Commit)
		}
	}
	if len(commits) == 0 {
		return b.history, nil
	}
	history, err := b.cache.walker.History(b.repo, b.refs.Commit, commits)
	if git.IsDamaged(err) {
		commits = slices.DeleteFunc(commits, func(id git.OID) bool {
			_, err := b.cache.walker.History(b.repo, b.refs.Commit, []git.OID{id})
			return git.IsDamaged(err)
		})
		history, err = b.cache.walker.History(b.repo, b.refs.Commit, commits)
	}
	return history, err
}

// identity returns the commit and the hash of the refs that identify the snapshot: for a folder
// of a larger repository, commits outside the folder change neither.
func (b *build) identity() (commit git.OID, refs string) {
	if b.repo.Folder() == "" {
		return b.refs.Commit, b.hash
	}
	tagged := make([]git.OID, 0, len(b.tags))
	for _, r := range b.tags {
		tagged = append(tagged, r.tag.Commit)
	}
	own := b.refs
	own.Commit = b.history.Newest(tagged)
	return own.Commit, own.Hash()
}

// reaches returns a function that reports whether a commit is reachable from the branch.
func reaches(h *git.History) func(commit string) bool {
	return func(commit string) bool {
		id, err := git.ParseOID(commit)
		return err == nil && h.Contains(id)
	}
}
