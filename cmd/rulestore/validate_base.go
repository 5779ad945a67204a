package main

import (
	"rulestore/loader"
	"rulestore/loader/git"
)

// mergeTarget finds the base that the content is to be merged into: the requested one, else the served
// branch in this clone. On the served branch itself there is none.
func (v *validation) mergeTarget() (*loader.Base, error) {
	if v.base != "" {
		return loader.ReadBase(v.repo, v.head, v.base) // without one compare reports it
	}
	if v.ref == git.Branch {
		return nil, nil
	}
	return servedBase(v.repo, v.head, v.ref == "")
}

// servedBase is the served branch, as far as a clone knows it, for content that began from
// a commit; nil if that is the served branch, checked out.
func servedBase(repo *git.Repo, head git.OID, checkedOut bool) (*loader.Base, error) {
	if refs, err := repo.Refs(""); err == nil && checkedOut && refs.Branch == git.Branch {
		return nil, nil
	}
	return loader.ReadBase(
		repo, head, "refs/remotes/origin/HEAD", "refs/remotes/origin/"+git.Branch, "refs/heads/"+git.Branch,
	)
}
