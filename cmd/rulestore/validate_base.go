package main

import (
	"errors"
	"strings"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/loader"
	"rulestore/loader/git"
)

// mergeTarget finds the base that the content is to be merged into: the requested one, else the served
// branch in this clone. On the served branch itself there is none.
func (v *validation) mergeTarget() (*loader.Base, error) {
	if v.base != "" {
		return baseOf(v.repo, v.head, v.base)
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
	return baseOf(
		repo, head, "refs/remotes/origin/HEAD", "refs/remotes/origin/"+git.Branch, "refs/heads/"+git.Branch,
	)
}

// baseOf is the first of some branches that there is, nil if there is none.
func baseOf(repo *git.Repo, head git.OID, names ...string) (*loader.Base, error) {
	for _, name := range names {
		if tip, err := repo.Resolve(name); err == nil { // otherwise --base reports the error
			name = strings.TrimPrefix(strings.TrimPrefix(name, "refs/remotes/"), "refs/heads/")
			return baseAt(repo, head, name, tip)
		}
	}
	return nil, nil
}

// baseAt reads the seals of a base, and of where the content began from.
func baseAt(repo *git.Repo, head git.OID, name string, tip git.OID) (*loader.Base, error) {
	base := &loader.Base{Name: name, Seals: map[string]string{}, Tags: map[string]bool{},
		Reaches: func(commit git.OID) bool {
			common, ok, err := repo.MergeBase(commit, tip)
			return err == nil && ok && common == commit
		}}
	refs, err := repo.Refs("")
	for _, t := range refs.Tags {
		base.Tags[t.Name] = true
	}
	from, ok, e := repo.MergeBase(head, tip)
	err = errors.Join(err, e)
	commits := []git.OID{tip}
	if ok {
		commits = []git.OID{from, tip}
		before, e1 := repo.Commit(from)
		after, e2 := repo.Commit(head)
		touched, e3 := repo.Changes(before.Tree, after.Tree, isOfLog)
		signed, e4 := repo.Files(from, isOfLog)
		err, base.From, base.Signed = errors.Join(err, e1, e2, e3, e4), from, len(signed) > 0
		for _, f := range touched {
			base.Log = append(base.Log, f.Path)
		}
	}
	for _, commit := range commits {
		files, e := loader.ReadSeals(repo, commit)
		err = errors.Join(err, e)
		for _, raw := range files {
			for line := range strings.Lines(string(raw)) {
				line = strings.TrimSuffix(line, "\n")
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
