package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// Of is the work tree of an author's repository, whose git runs the filters that it is configured with.
func Of(at git.Location, environ git.Environ) Tree {
	return Tree{git.WorkTree{GitDir: at.GitDir, Root: at.WorkTree, Filters: true, Environ: environ}}
}

// Staged returns the tree that git would commit now. In a hook the index that git has told it to use
// may differ from that of the work tree: `git commit FILE` uses a temporary one. It counts if it is one of
// this repository; "" is the index of the work tree.
func (t Tree) Staged(index string) (id git.OID, err error) {
	var env []string
	if index != "" {
		own, err := t.isOwn(index)
		if err != nil {
			return id, err
		}
		if own {
			env = []string{"GIT_INDEX_FILE=" + index}
		}
	}
	out, err := t.Ask("", env, "write-tree")
	if err != nil && strings.Contains(err.Error(), "unmerged") {
		return id, i18n.Errorf("finish the merge first: mend what `git status` lists, and `git add` it")
	} else if err != nil {
		return id, err
	}
	return git.ParseOID(strings.TrimSpace(out))
}

// isOwn reports whether a file lies in the folder of the repository.
func (t Tree) isOwn(file string) (bool, error) {
	there, err := os.Stat(filepath.Dir(file))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	here, err2 := os.Stat(t.GitDir)
	return err == nil && err2 == nil && os.SameFile(there, here), errors.Join(err, err2)
}

// Ignores reports whether git leaves a new file out of what it commits. There is no commit without a work
// tree.
func (t Tree) Ignores(path string) (bool, error) {
	if t.Root == "" {
		return true, nil
	}
	_, err := t.Ask("", nil, "check-ignore", "--quiet", "--", path)
	if git.AnsweredNo(err) {
		return false, nil
	}
	return err == nil, err
}
