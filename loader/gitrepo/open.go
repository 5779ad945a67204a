package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// Source opens the same repository as often as it is asked to.
type Source interface {
	// Open returns the repository as it is now. The caller closes it.
	Open() (*Repo, error)
	// WorkTree returns the folder of checked-out files, "" if there is none.
	WorkTree() string
}

// Repo is a repository open for reading, by one goroutine.
type Repo struct {
	st    storage.Storer
	close func() error
}

// Close lets go of the repository's files.
func (r *Repo) Close() error { return r.close() }

// objectCache is how many bytes of objects one pass of reading keeps. A pass
// walks the history newest first, in which order git stores deltas, so what the
// next object is a delta of is still there.
const objectCache = 256 * cache.MiByte

// OnDisk is the source of the repository that a path belongs to. The path is
// followed at every opening, so a symbolic link in it may be pointed elsewhere.
func OnDisk(path string) Source { return diskSource{path} }

type diskSource struct{ path string }

func (s diskSource) WorkTree() string {
	at, err := Locate(s.path)
	if err != nil {
		return "" // Open says what is wrong
	}
	return at.WorkTree
}

func (s diskSource) Open() (*Repo, error) {
	at, err := Locate(s.path)
	if err != nil {
		return nil, err
	}
	var dir billy.Filesystem = osfs.New(at.GitDir)
	if at.CommonDir != at.GitDir {
		dir = dotgit.NewRepositoryFilesystem(dir, osfs.New(at.CommonDir))
	}
	st := filesystem.NewStorageWithOptions(withoutLocks{dir}, cache.NewObjectLRU(objectCache), filesystem.Options{
		KeepDescriptors: true,
		AlternatesFS:    osfs.New("/"),
	})
	r := &Repo{st: st, close: st.Close}
	if err := r.readable(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// withoutLocks hides git's lock files. go-git takes refs/heads/main.lock for a
// ref, and an empty one, as a crash leaves it, would fail every listing.
type withoutLocks struct{ billy.Filesystem }

func (w withoutLocks) ReadDir(path string) ([]os.FileInfo, error) {
	all, err := w.Filesystem.ReadDir(path)
	kept := all[:0]
	for _, info := range all {
		if !strings.HasSuffix(info.Name(), ".lock") {
			kept = append(kept, info)
		}
	}
	return kept, err
}

// readable refuses what could only be read in part.
func (r *Repo) readable() error {
	cfg, err := r.st.Config()
	if err != nil {
		return fmt.Errorf("read the repository's config: %w", err)
	}
	for _, option := range cfg.Raw.Section("extensions").Options {
		key, value := strings.ToLower(option.Key), strings.ToLower(option.Value)
		switch {
		case key == "objectformat" && value == "sha256":
			return errors.New("the repository uses sha256 object ids, which cannot be read yet: convert it to sha1, for example with `git fast-export --all` into a repository made with `git init --object-format=sha1`")
		case key == "refstorage" && value != "files":
			return fmt.Errorf("the repository keeps its refs as %s, which cannot be read yet: run `git refs migrate --ref-format=files`", value)
		case key == "partialclone":
			return partialClone()
		}
	}
	for _, remote := range cfg.Raw.Section("remote").Subsections {
		if remote.Option("promisor") == "true" {
			return partialClone()
		}
	}
	switch shallow, err := r.st.Shallow(); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("read the repository's list of shallow commits: %w", err)
	case len(shallow) > 0:
		return errors.New("the repository is shallow: its history is cut, so dates and ancestry would be wrong; run `git fetch --unshallow --tags`")
	}
	return nil
}

func partialClone() error {
	return errors.New("the repository is a partial clone: some of its files are missing; clone it again without --filter")
}

// IsTransient says whether an error may be the trace of git at work (a repack,
// a ref being written), so that the same reading can succeed a moment later.
func IsTransient(err error) bool {
	return errors.Is(err, plumbing.ErrObjectNotFound) ||
		errors.Is(err, dotgit.ErrPackfileNotFound) ||
		errors.Is(err, dotgit.ErrEmptyRefFile) ||
		errors.Is(err, fs.ErrNotExist)
}
