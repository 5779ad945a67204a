package loader

import (
	"rulestore/loader/git"
)

// past is the history of the branch, and the tags, which name commits of it: stage 2.
type past struct {
	*listed
	tags    []*ref       // by name
	history *git.History // and that of sealed tags beside the branch, see [facts.readBeyond]
}

// walk reads the tags, and the history of the branch.
func (ls *listed) walk() (p *past, err error) {
	p = &past{listed: ls}
	if p.tags, err = ls.readTags(); err != nil {
		return nil, err
	}
	p.history, err = ls.cache.walker.History(ls.repo, ls.refs.Commit, nil)
	return p, err
}

// identity returns the commit and the hash of the refs that identify the snapshot: for a folder
// of a larger repository, commits outside the folder change neither.
func (fs *facts) identity() (commit git.OID, refs string) {
	if fs.repo.Folder() == "" {
		return fs.refs.Commit, fs.hash
	}
	tagged := make([]git.OID, 0, len(fs.tags))
	for _, r := range fs.tags {
		tagged = append(tagged, r.tag.Commit)
	}
	own := fs.refs
	own.Commit = fs.history.Newest(tagged)
	return own.Commit, own.Hash()
}

// reaches returns a function that reports whether a commit is reachable from the branch.
func reaches(h *git.History) func(commit string) bool {
	return func(commit string) bool {
		id, err := git.ParseOID(commit)
		return err == nil && h.Contains(id)
	}
}
