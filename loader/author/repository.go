package author

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// Repository is an author's clone with its work tree. It is not safe for concurrent use.
type Repository struct {
	Dir string // folder of the content in the work tree

	place       git.Location
	bare        bool // the content is not checked out: Dir is the work tree, or the repository itself
	program     string
	environ     git.Environ
	interactive bool // see [Open]
}

// Open finds the work tree that contains a path; git is run in an environment. interactive means
// that a person at a terminal can answer git's password prompts.
func Open(path string, environ git.Environ, interactive bool) (*Repository, error) {
	r, err := Look(path, environ)
	if err != nil {
		return nil, err
	}
	switch {
	case r.bare:
		return nil, i18n.Errorf(
			"%s is a bare repository, without files to work on: clone it, and work in the clone", path,
		)
	}
	r.interactive = interactive
	return r, nil
}

// Look is [Open] for [Repository.Next], which needs no work tree.
func Look(path string, environ git.Environ) (*Repository, error) {
	at, err := git.Locate(path)
	if err != nil {
		return nil, err
	}
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, i18n.Errorf("the git command is needed and not installed")
	}
	return &Repository{
		Dir: cmp.Or(at.WorkTree, at.GitDir), bare: at.WorkTree == "", place: at, program: program, environ: environ,
	}, nil
}

// Source returns the repository for reading.
func (r *Repository) Source() git.Opener {
	return git.OnDisk(r.Dir)
}

// head returns the commit that is checked out.
func (r *Repository) head(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	return strings.TrimSpace(out), err
}

// resolve returns the object that a ref names; not found if there is no such ref.
func (r *Repository) resolve(ctx context.Context, ref string) (oid string, found bool, err error) {
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref)
	if answeredNo(err) {
		return "", false, nil
	}
	return strings.TrimSpace(out), err == nil, err
}

// Ignores reports whether git leaves a new file out of what it commits. There is no commit without a work
// tree.
func (r *Repository) Ignores(ctx context.Context, path string) (bool, error) {
	if r.place.WorkTree == "" {
		return true, nil
	}
	_, err := r.git(ctx, "check-ignore", "--quiet", "--", path)
	if answeredNo(err) {
		return false, nil
	}
	return err == nil, err
}

// Staged returns the tree that git would commit now. In a hook the index that git has told it to use
// may differ from that of the work tree: `git commit FILE` uses a temporary one.
func (r *Repository) Staged(ctx context.Context, index string) (tree string, err error) {
	c := command{args: []string{"write-tree"}}
	if c.env, err = r.index(index); err != nil {
		return "", err
	}
	out, err := r.run(ctx, c)
	return strings.TrimSpace(out), err
}

// index returns the variable with the index that git has told its hooks to use, if it is one of this
// repository.
func (r *Repository) index(file string) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	x, err := os.Stat(filepath.Dir(file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	y, err2 := os.Stat(r.place.GitDir)
	if err := errors.Join(err, err2); err != nil || !os.SameFile(x, y) {
		return nil, err
	}
	return []string{"GIT_INDEX_FILE=" + file}, nil
}

// tree is the work tree as git would store it.
func (r *Repository) tree() worktree.Tree {
	return worktree.Tree{
		WorkTree: git.WorkTree{GitDir: r.place.GitDir, Root: r.place.WorkTree, Filters: true, Environ: r.environ},
	}
}

// Paths returns the paths of an item's files in a work tree: one, unless it is in several
// folders by mistake.
func (r *Repository) Paths(k *content.Kind, name string) ([]string, error) {
	return loader.FindItem(r.Dir, k, name)
}

// read returns a file of the work tree, from the index if a sparse checkout leaves it out; empty
// if it does not exist.
func (r *Repository) read(ctx context.Context, name string) (string, error) {
	raw, err := worktree.Read(r.Dir, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return string(raw), err
	}
	id, found, err := r.resolve(ctx, ":./"+name)
	if !found || err != nil {
		return "", err
	}
	return r.git(ctx, "cat-file", "blob", id)
}
