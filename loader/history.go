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

// reaches returns a function that reports whether a commit is reachable from the branch.
func reaches(h *git.History) func(commit string) bool {
	return func(commit string) bool {
		id, err := git.ParseOID(commit)
		return err == nil && h.Contains(id)
	}
}
