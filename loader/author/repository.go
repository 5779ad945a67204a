package author

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git"
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
	case r.bare && r.place.WorkTree == "":
		return nil, i18n.Errorf(
			"%s is a bare repository, without files to work on: clone it, and work in the clone", path,
		)
	case r.bare:
		return nil, i18n.Errorf(
			"the folder %s with the content is not checked out: `git sparse-checkout add %[1]s` does that",
			r.place.Folder,
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
	r := &Repository{Dir: at.Content(), place: at, program: program, environ: environ}
	if _, err := os.Stat(r.Dir); err != nil {
		r.Dir, r.bare = r.root(), true
	}
	return r, nil
}

// root is the work tree, or the repository itself if there is none.
func (r *Repository) root() string { return cmp.Or(r.place.WorkTree, r.place.GitDir) }

// Source returns the repository for reading.
func (r *Repository) Source() git.Opener {
	return git.In(git.OnDisk(r.root()), r.place.Folder)
}

// prefix is the prefix of the paths and tags of the content in the repository.
func (r *Repository) prefix() string {
	if r.place.Folder == "" {
		return ""
	}
	return r.place.Folder + "/"
}

// fromRoot is the prefix of a path in a command for the author that makes it independent of the
// current folder.
func (r *Repository) fromRoot() string {
	if r.prefix() == "" {
		return ""
	}
	return ":/" + r.prefix()
}

// tagRef is the ref of a tag of the content.
func (r *Repository) tagRef(tag string) string { return "refs/tags/" + r.prefix() + tag }

// at names a file of the content at a commit, for git.
func (r *Repository) at(commit, path string) string { return commit + ":" + r.prefix() + path }

// head returns the commit that is checked out.
func (r *Repository) head(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	return strings.TrimSpace(out), err
}

// branch returns the branch that is checked out.
func (r *Repository) branch(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "symbolic-ref", "--quiet", "HEAD")
	if answeredNo(err) {
		return "", i18n.Errorf(
			"no branch is checked out (detached HEAD): `git switch BRANCH` first, and finish a rebase if one " +
				"is under way",
		)
	}
	return strings.TrimPrefix(strings.TrimSpace(out), "refs/heads/"), err
}

// remote returns the remote repository that the branch is pushed to, "" if there is none.
func (r *Repository) remote(ctx context.Context, branch string) (string, error) {
	out, err := r.git(ctx, "config", "--get", "branch."+branch+".remote")
	if err == nil && strings.TrimSpace(out) != "." {
		return strings.TrimSpace(out), nil
	}
	if err != nil && !answeredNo(err) {
		return "", err
	}
	out, err = r.git(ctx, "remote")
	names := strings.Fields(out)
	switch {
	case len(names) == 1:
		return names[0], err
	case slices.Contains(names, "origin"):
		return "origin", nil
	}
	return "", err
}

// resolve returns the object that a ref names; not found if there is no such ref.
func (r *Repository) resolve(ctx context.Context, ref string) (oid string, found bool, err error) {
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref)
	if answeredNo(err) {
		return "", false, nil
	}
	return strings.TrimSpace(out), err == nil, err
}

// reaches reports whether a commit is reachable from another. One that this clone does not have is
// not.
func (r *Repository) reaches(ctx context.Context, from, commit string) (bool, error) {
	_, err := r.git(ctx, "merge-base", "--is-ancestor", "--end-of-options", commit, from)
	if err == nil {
		return true, nil
	}
	if answeredNo(err) {
		return false, nil
	}
	if _, found, e := r.resolve(ctx, commit+"^{commit}"); e == nil && !found {
		return false, nil
	}
	return false, err
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
	if c.env, err = r.index(ctx, index); err != nil {
		return "", err
	}
	out, err := r.run(ctx, c)
	return strings.TrimSpace(out), err
}

// index returns the variable with the index that git has told its hooks to use, if it is one of this
// repository.
func (r *Repository) index(ctx context.Context, file string) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	dir, err := r.git(ctx, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return nil, err
	}
	if same, err := sameFolder(filepath.Dir(file), strings.TrimSpace(dir)); !same {
		return nil, err
	}
	return []string{"GIT_INDEX_FILE=" + file}, nil
}

func sameFolder(a, b string) (bool, error) {
	x, err := os.Stat(a)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y), errors.Join(err, err2)
}

// now returns the time that git would give a commit now, in the author's zone
// and to the second. It fails if git does not know who the author is.
func (r *Repository) now(ctx context.Context) (time.Time, error) {
	out, err := r.git(ctx, "var", "GIT_COMMITTER_IDENT")
	if err != nil {
		return time.Time{}, err
	}
	f := strings.Fields(out)
	if len(f) < 2 {
		return time.Time{}, i18n.Errorf("git var: no time in %q", out)
	}
	seconds, err := strconv.ParseInt(f[len(f)-2], 10, 64)
	if err != nil {
		return time.Time{}, i18n.Errorf("git var: %w", err)
	}
	zone, err := time.Parse("-0700", f[len(f)-1])
	if err != nil {
		return time.Time{}, i18n.Errorf("git var: %w", err)
	}
	return time.Unix(seconds, 0).In(zone.Location()), nil
}

// dirty lists the files in the folder of the content that differ from the commit: tracked ones,
// and new ones of the content that git does not ignore. merging is whether one is in conflict.
func (r *Repository) dirty(ctx context.Context) (paths []string, merging bool, err error) {
	if r.bare {
		return nil, false, nil
	}
	out, err := r.git(
		ctx, "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=none",
		"--", ".",
	)
	if err != nil {
		return nil, false, err
	}
	// Of a file of another size git status does not ask whether git would store something else.
	differing, err := r.git(ctx, "diff", "--name-only", "-z", "--relative", "--ignore-submodules=none", "--", ".")
	if err != nil {
		return nil, false, err
	}
	differ := strings.Split(differing, "\x00")
	for entry := range strings.SplitSeq(out, "\x00") {
		if len(entry) < 4 {
			continue
		}
		state, path := entry[:2], strings.TrimPrefix(entry[3:], r.prefix())
		merging = merging || strings.Contains(state, "U") || state == "AA" || state == "DD"
		switch nested := strings.HasSuffix(path, "/"); {
		case state == "??" && (nested || !loader.IsContent(path)), state == " M" && !slices.Contains(differ, path):
		default:
			paths = append(paths, path)
		}
	}
	return paths, merging, nil
}
