package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"rulestore/content/i18n"
)

// ErrNotRepository is the error of [Locate] for a folder outside any repository.
var ErrNotRepository = i18n.Errorf("no git repository")

// Location is the location of a repository on disk.
type Location struct {
	GitDir    string // with HEAD and the index of this work tree
	CommonDir string // objects and refs, shared by all work trees
	WorkTree  string // with the checked-out files; "" for a bare repository
}

// Locate finds the repository of a path: a bare repository, a work tree (ordinary or linked),
// or any folder in one.
func Locate(path string) (Location, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Location{}, err
	}
	info, err := os.Stat(abs)
	switch {
	case err != nil && strings.Contains(path, "://"):
		return Location{}, i18n.Because(i18n.New(
			"%s is no folder: `git clone %[1]s`, and work in the clone", path,
		), err)
	case errors.Is(err, os.ErrNotExist):
		return Location{}, i18n.Because(i18n.New(
			"there is no folder %s: name the one of a repository, or create it with `rulestore init %[1]s`", path,
		), err)
	case err != nil:
		return Location{}, i18n.Errorf("open repository: %w", err)
	case !info.IsDir():
		return Location{}, i18n.Errorf("open repository: %s is a file, not a folder", path)
	}
	for dir := abs; ; dir = filepath.Dir(dir) {
		loc, found, err := locateAt(dir)
		if err != nil || found {
			return loc, err
		}
		if dir == filepath.Dir(dir) {
			return Location{}, i18n.Errorf(
				"%w in %s or above it: create one with `git init`, or with `rulestore init DIR`", ErrNotRepository, path,
			)
		}
	}
}

func locateAt(dir string) (l Location, found bool, err error) {
	dotGit := filepath.Join(dir, ".git")
	l = Location{GitDir: dotGit, WorkTree: dir}
	info, err := os.Stat(dotGit)
	switch {
	case err == nil && !info.IsDir():
		if l.GitDir, err = readPointer(dotGit, "gitdir: "); err != nil {
			return l, false, err
		}
		if _, err := os.Stat(l.GitDir); err != nil {
			return l, false, i18n.Errorf(
				"open repository: %s points to nothing: %w; run `git worktree repair` in the repository that it "+
					"belongs to",
				dotGit, err,
			)
		}
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return l, false, i18n.Errorf("open repository: %w", err)
	case looksBare(dotGit):
	case !looksBare(dir):
		return l, false, nil
	case filepath.Base(dir) == ".git":
		l = Location{GitDir: dir, WorkTree: filepath.Dir(dir)}
	default:
		l = Location{GitDir: dir}
	}
	l.CommonDir, err = readPointer(filepath.Join(l.GitDir, "commondir"), "")
	if errors.Is(err, os.ErrNotExist) {
		l.CommonDir, err = l.GitDir, nil
	}
	return l, err == nil, err
}

func looksBare(dir string) bool {
	head, err := os.Stat(filepath.Join(dir, "HEAD"))
	if err != nil || !head.Mode().IsRegular() {
		return false
	}
	for _, sub := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, sub)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// maxPointer is the maximum size of a file with a path, in bytes.
const maxPointer = 64 << 10

// readPointer reads a file that contains only a path.
func readPointer(file, prefix string) (string, error) {
	raw, err := readWithin(file, maxPointer)
	if err != nil {
		return "", i18n.Errorf("open repository: %w", err)
	}
	path, ok := strings.CutPrefix(strings.TrimSpace(string(raw)), prefix)
	if !ok || path == "" {
		return "", i18n.Errorf("open repository: %s does not say where the repository is", file)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	return filepath.Clean(path), nil
}
