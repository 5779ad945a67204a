package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"rulestore/content/i18n"
)

// Opener opens the same repository any number of times.
type Opener interface {
	// Open returns the repository in its current state. The caller closes it.
	Open() (*Repo, error)
	// WorkTree returns the folder of checked-out files, "" if there is none.
	WorkTree() string
}

// Repo is a repository open for reading, by one goroutine.
type Repo struct {
	refs    storer.ReferenceStorer // of a repository in memory
	objects Objects
	env     []string       // in which git finds the objects of a push, see [Environ.quarantine]
	trees   map[OID][]byte // the trees that were compared last
	held    int            // their size in bytes
	checked bool           // see [Checked]
	settled bool           // see [Repo.Settle]
	at      OID            // the commit to read, zero for a branch
	files   refFiles       // zero for a repository in memory
}

func newRepo(objects Objects) *Repo {
	return &Repo{objects: objects, trees: map[OID][]byte{}}
}

// Close closes the repository's files, and ends the git that reads them.
func (r *Repo) Close() error { return r.objects.Close() }

// ask runs git in the repository.
func (r *Repo) ask(input string, args ...string) (string, error) {
	return Environ(nil).Run(context.Background(), Command{
		GitDir: r.files.gitDir, Args: args, Env: r.env, Stdin: strings.NewReader(input),
	})
}

// GitDir returns the git directory of the work tree, "" for a repository in memory.
func (r *Repo) GitDir() string { return r.files.gitDir }

// OnDisk returns the source of the repository that contains a path ([Locate]), which is resolved at every opening,
// so a symbolic link in it may be changed.
func OnDisk(path string) Opener { return diskSource{path, false} }

// At returns a source of the same repository with a commit as its head.
func At(s Opener, commit OID) Opener { return with{s, func(r *Repo) { r.at = commit }} }

// Checked returns a source of the same repository for untrusted objects: each object that is
// used is checked against its id. Otherwise the content of large ones is not checked, as in
// git.
func Checked(s Opener) Opener { return with{s, func(r *Repo) { r.checked = true }} }

// Listed returns a source of the same repository with the refs of a file in place of its own, in the form of
// packed-refs. One of them is HEAD: "ref:refs/heads/main HEAD".
func Listed(s Opener, file string) Opener { return with{s, func(r *Repo) { r.files.listed = file }} }

// with is a source of the same repository with another setting.
type with struct {
	Opener
	set func(*Repo)
}

func (w with) Open() (*Repo, error) {
	r, err := w.Opener.Open()
	if err == nil {
		w.set(r)
	}
	return r, err
}

// CutOnDisk is [OnDisk] for a repository that may be shallow: files and commits can be read,
// history only as far as it was fetched ([Repo.Cut]).
func CutOnDisk(path string) Opener { return diskSource{path, true} }

type diskSource struct {
	path string
	cut  bool // a shallow repository is accepted
}

func (s diskSource) WorkTree() string {
	at, err := Locate(s.path)
	if err != nil {
		return "" // Open returns the error
	}
	return at.WorkTree
}

func (s diskSource) Open() (*Repo, error) {
	at, err := Locate(s.path)
	if err != nil {
		return nil, err
	}
	r := newRepo(nil)
	var wrong error // without links: changing one does not affect an open repository
	r.files.gitDir, err = filepath.EvalSymlinks(at.GitDir)
	r.files.commonDir, wrong = filepath.EvalSymlinks(at.CommonDir)
	if err := errors.Join(err, wrong); err != nil {
		return nil, err
	}
	if err := readable(r.files.commonDir); err != nil {
		return nil, err
	}
	if r.Cut() && !s.cut {
		return nil, ErrShallow
	}
	objects := filepath.Join(r.files.commonDir, "objects")
	if err := Installed(); err != nil {
		if _, none := os.Stat(filepath.Join(objects, "info", "alternates")); none == nil {
			return nil, i18n.Errorf("the repository borrows objects from another one, which git alone reads: %w", err)
		}
		r.objects = newStored(r.files.commonDir)
		return r, nil
	}
	r.env = Environ(nil).quarantine(objects)
	r.objects = &catFile{repo: r}
	return r, nil
}

// maxConfig is how much of a config file is read, in bytes.
const maxConfig = 1 << 20

// ErrShallow is the error for opening a shallow repository.
var ErrShallow = i18n.Errorf(
	"the repository is shallow: its history is cut, so dates and ancestry would be wrong; run `git fetch --unshallow " +
		"--tags`",
)

// Cut reports whether the repository is shallow.
func (r *Repo) Cut() bool {
	info, err := os.Stat(filepath.Join(r.files.commonDir, "shallow"))
	return err == nil && info.Size() > 0 && r.files.commonDir != ""
}

// readable refuses repositories that can be read only in part.
func readable(dir string) error {
	cfg, err := readConfig(filepath.Join(dir, "config"))
	if err != nil {
		return i18n.Errorf("read the repository's config: %w", err)
	}
	set := cfg.Section("extensions")
	promises := func(remote *config.Subsection) bool {
		no := []string{"false", "no", "off", "0"}
		return remote.HasOption("promisor") && !slices.Contains(no, strings.ToLower(remote.Option("promisor")))
	}
	switch refs := cmp.Or(set.Option("refStorage"), "files"); {
	case strings.EqualFold(set.Option("objectFormat"), "sha256"):
		return i18n.Errorf("the repository uses sha256 object ids, which cannot be read: make one with sha1 ids; seals " +
			"and checksums stay as they are")
	case !strings.EqualFold(refs, "files"):
		return i18n.Errorf("the repository keeps its refs as %.50q, which cannot be read: convert it with "+
			"`git refs migrate --ref-format=files` (git 2.48 or later)", refs)
	case set.HasOption("partialClone"), slices.ContainsFunc(cfg.Section("remote").Subsections, promises):
		return i18n.Errorf(
			"the repository is a partial clone: some of its files are missing; clone it again without --filter",
		)
	}
	return nil
}

// readConfig reads the config file, as go-git's own reading fails on newer options of git, such as
// negative refspecs.
func readConfig(file string) (*config.Config, error) {
	cfg := config.New()
	raw, err := readWithin(file, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return cfg, nil
	} else if err != nil {
		return nil, err
	}
	return cfg, config.NewDecoder(bytes.NewReader(raw)).Decode(cfg)
}

// IsTransient reports whether an error may be caused by a concurrent git process (a repack, a
// ref being written), so that a retry may succeed.
func IsTransient(err error) bool {
	return errors.Is(err, plumbing.ErrObjectNotFound) ||
		errors.Is(err, dotgit.ErrPackfileNotFound) ||
		errors.Is(err, errBrokenRef) ||
		errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR) || // a ref v1/a where v1 was
		errors.Is(err, fs.ErrNotExist)
}

// readWithin reads a file of at most so many bytes.
func readWithin(path string, most int64) ([]byte, error) {
	f, err := openWithin(path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// errNoFile is the error for what is neither a file nor a folder.
var errNoFile = i18n.Errorf("this is no regular file")

// openWithin opens a regular file of at most so many bytes: to open a pipe would wait until somebody writes to it.
func openWithin(path string, most int64) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		err = syscall.EISDIR
	case !info.Mode().IsRegular():
		err = errNoFile
	case info.Size() > most:
		return nil, i18n.Errorf("%s has %d bytes, at most %d are read", filepath.Base(path), info.Size(), most)
	default:
		return os.Open(path)
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: err}
}
