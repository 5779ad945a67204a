package author

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"io/fs"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// Repository is an author's clone with its work tree. It is not safe for concurrent use.
type Repository struct {
	Dir string // folder of the content in the work tree; of a bare repository the repository itself

	place       git.Location
	environ     git.Environ
	program     string // "" is git
	interactive bool   // see [Open]
}

// Open finds the work tree that contains a path; git is run in an environment. interactive means
// that a person at a terminal can answer git's password prompts.
func Open(path string, environ git.Environ, interactive bool) (*Repository, error) {
	r, err := Look(path, environ)
	if err != nil {
		return nil, err
	}
	if r.interactive = interactive; r.place.WorkTree == "" {
		return nil, i18n.Errorf(
			"%s is a bare repository, without files to work on: clone it, and work in the clone", path,
		)
	}
	return r, nil
}

// Look is [Open] for [Repository.Next], which needs no work tree.
func Look(path string, environ git.Environ) (*Repository, error) {
	at, err := git.Locate(path)
	if err == nil {
		err = git.Installed()
	}
	if err != nil {
		return nil, err
	}
	return &Repository{Dir: cmp.Or(at.WorkTree, at.GitDir), place: at, environ: environ}, nil
}

// Source returns the repository for reading.
func (r *Repository) Source() git.Opener { return git.OnDisk(r.Dir) }

// Tree is the work tree as git would store it.
func (r *Repository) Tree() worktree.Tree { return worktree.Of(r.place, r.environ) }

// Paths returns the paths of an item's files in a work tree: one, unless it is in several
// folders by mistake.
func (r *Repository) Paths(k *content.Kind, name string) ([]string, error) {
	return worktree.FindItem(r.Dir, k, name)
}

// head returns the commit that is checked out.
func (r *Repository) head(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	return strings.TrimSpace(out), err
}

// read returns a file of the work tree, from the index if a sparse checkout leaves it out; empty
// if it does not exist.
func (r *Repository) read(ctx context.Context, name string) (string, error) {
	raw, err := worktree.Read(r.Dir, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return string(raw), err
	}
	id, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ":./"+name)
	if git.AnsweredNo(err) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return r.git(ctx, "cat-file", "blob", strings.TrimSpace(id))
}

//go:embed russian.yaml
var russian []byte

// Russian is the Russian catalogue of this package.
func Russian() i18n.Catalogue { return i18n.Read(russian) }
