package git

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage"
	"github.com/go-git/go-git/v5/storage/filesystem"
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
	st      storage.Storer // its refs
	objects Objects
	trees   map[OID][]byte   // the trees that the last call of Changes compared
	weights map[folderAt]int // of folders, see [differ.weigh]
	torn    map[OID]bool     // folders that cannot be read
	checked bool             // see [Checked]
	settled bool             // see [Repo.Settle]
	at      OID              // the commit to read, zero for a branch
	branch  string           // the name of at, empty for the id
	folder  string           // to read, see [In]
	files   refFiles         // zero for a repository in memory

	again func() (*Repo, error) // opens the same repository for another goroutine; nil if that is impossible
}

// Close closes the repository's files, and ends the git that reads them.
func (r *Repo) Close() error {
	var err error
	if c, ok := r.st.(io.Closer); ok {
		err = c.Close()
	}
	return errors.Join(err, r.objects.Close())
}

// GitDir returns the git directory of the work tree, "" for a repository in memory.
func (r *Repo) GitDir() string { return r.files.gitDir }

// OnDisk returns the source of the repository that contains a path, or of the folder with
// content in it ([Locate]). The path is resolved at every opening, so a symbolic link in it may
// be changed; the folder is determined once.
func OnDisk(path string) Opener { return onDisk(path, false) }

func onDisk(path string, cut bool) Opener {
	at, err := Locate(path)
	if err != nil || at.Folder == "" {
		return diskSource{path, cut} // Open returns the error
	}
	base := at.WorkTree
	if repo, folder := CutFolder(path); folder == at.Folder && !exists(path) {
		base = repo
	}
	return In(diskSource{base, cut}, at.Folder)
}

// At returns a source of the same repository with a commit as its head.
func At(s Opener, commit OID) Opener { return atCommit{s, commit} }

type atCommit struct {
	Opener
	commit OID
}

func (a atCommit) Open() (*Repo, error) {
	r, err := a.Opener.Open()
	if err == nil {
		r.at = a.commit
	}
	return r, err
}

// Checked returns a source of the same repository for untrusted objects: each object that is
// used is checked against its id. Otherwise the content of large ones is not checked, as in
// git.
func Checked(s Opener) Opener { return checked{s} }

type checked struct{ Opener }

func (c checked) Open() (*Repo, error) {
	r, err := c.Opener.Open()
	if err == nil {
		r.checked = true
	}
	return r, err
}

// reopen returns another handle with the same settings, for another goroutine.
func (r *Repo) reopen() (*Repo, error) {
	other, err := r.again()
	if err == nil {
		other.folder, other.settled, other.checked = r.folder, r.settled, r.checked
	}
	return other, err
}

// CutOnDisk is [OnDisk] for a repository that may be shallow: files and commits can be read,
// history only as far as it was fetched ([Repo.Cut]).
func CutOnDisk(path string) Opener { return onDisk(path, true) }

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
	if err == nil {
		at, err = at.resolved()
	}
	if err != nil {
		return nil, err
	}
	dir := live(at.GitDir)
	if at.CommonDir != at.GitDir {
		dir = dotgit.NewRepositoryFilesystem(dir, live(at.CommonDir))
	}
	st := filesystem.NewStorage(dir, cache.NewObjectLRUDefault())
	if err := readable(dir, st); err != nil && !(s.cut && errors.Is(err, ErrShallow)) {
		return nil, errors.Join(err, st.Close())
	}
	own := filepath.Join(at.CommonDir, "objects")
	borrowed, err := alternates(own, nil)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return &Repo{
		st: st, objects: openObjects(at.CommonDir, append([]string{own}, borrowed...)), again: s.Open,
		files: refFiles{at.GitDir, at.CommonDir},
	}, nil
}

// Limits on the alternates and config files of a repository, in bytes, and on the number of
// alternates.
const (
	maxAlternates = 1 << 20
	maxConfig     = 1 << 20
	maxBorrowed   = 100
)

// alternates lists the object folders that a repository borrows from, and those that these borrow
// from in turn.
func alternates(objects string, known []string) ([]string, error) {
	raw, err := readWithin(filepath.Join(objects, "info", "alternates"), maxAlternates)
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	for line := range strings.Lines(string(raw)) {
		path := strings.TrimRight(line, "\r\n")
		if path == "" || path[0] == '#' {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(objects, path)
		}
		if slices.Contains(known, path) {
			continue
		}
		if len(known) == maxBorrowed {
			return nil, i18n.Errorf("the repository borrows objects from more than %d others: "+
				"run `git repack -ad` and remove its objects/info/alternates", maxBorrowed)
		}
		if _, err := os.Stat(path); err != nil {
			return nil, i18n.Errorf(
				"the repository borrows objects from another, which cannot be read: %w; to make it stand alone, run "+
					"`git repack -ad` where both can be read, and remove its objects/info/alternates",
				err,
			)
		}
		if known, err = alternates(path, append(known, path)); err != nil {
			return nil, err
		}
	}
	return known, err
}

// ErrShallow is the error for opening a shallow repository.
var ErrShallow = i18n.Errorf(
	"the repository is shallow: its history is cut, so dates and ancestry would be wrong; run `git fetch --unshallow " +
		"--tags`",
)

// Cut reports whether the repository is shallow.
func (r *Repo) Cut() bool {
	shallow, err := r.st.Shallow()
	return err == nil && len(shallow) > 0
}

// Shell commands for converting repositories of other formats. By default fast-export would
// stop at the first signed tag and at a tag of a tag (which drop converts to one of the
// commit), and fast-import would accept the output up to there as complete.
const (
	toSHA1 = "git init --quiet --bare --object-format=sha1 ../converted.git && " +
		"git fast-export --all --signed-tags=strip --tag-of-filtered-object=drop --reencode=no --use-done-feature | " +
		"git -C ../converted.git fast-import --quiet && " +
		"git -C ../converted.git symbolic-ref HEAD $(git symbolic-ref HEAD)"
	toFiles     = "git clone --mirror --ref-format=files . ../converted.git"
	migrateRefs = "git refs migrate --ref-format=files"
)

// sha256Ids is the error for a repository with sha256 ids.
func sha256Ids() error {
	return i18n.Errorf("the repository uses sha256 object ids, which cannot be read yet: convert a copy to sha1, in "+
		"the repository, with `%s`; "+
		"files, dates, seals and checksums stay as they are, commits get other ids, and signatures have to be made "+
		"again", toSHA1)
}

// readable refuses repositories that can be read only in part.
func readable(dir billy.Filesystem, st storer.ShallowStorer) error {
	cfg, err := readConfig(dir)
	if err != nil {
		return i18n.Errorf("read the repository's config: %w", err)
	}
	for _, option := range cfg.Section("extensions").Options {
		key, value := strings.ToLower(option.Key), strings.ToLower(option.Value)
		switch {
		case key == "objectformat" && value == "sha256":
			return sha256Ids()
		case key == "refstorage" && value != "files":
			return i18n.Errorf("the repository keeps its refs as %.50q, which cannot be read yet: make a copy with "+
				"`%s` in it, or convert it in place with `%s` (git 2.48 or later)",
				value, toFiles, migrateRefs)
		case key == "partialclone":
			return partialClone()
		}
	}
	for _, remote := range cfg.Section("remote").Subsections {
		if remote.HasOption("promisor") &&
			!slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(remote.Option("promisor"))) {
			return partialClone()
		}
	}
	switch shallow, err := st.Shallow(); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return i18n.Errorf("read the repository's list of shallow commits: %w", err)
	case len(shallow) > 0:
		return ErrShallow
	}
	return nil
}

// readConfig reads the config file, as go-git's own reading fails on newer options of git, such as
// negative refspecs.
func readConfig(dir billy.Filesystem) (*config.Config, error) {
	cfg := config.New()
	f, err := dir.Open("config")
	if errors.Is(err, fs.ErrNotExist) {
		return cfg, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	return cfg, config.NewDecoder(io.LimitReader(f, maxConfig)).Decode(cfg)
}

func partialClone() error {
	return i18n.Errorf(
		"the repository is a partial clone: some of its files are missing; clone it again without --filter",
	)
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

// openWithin opens a file of at most so many bytes.
func openWithin(path string, most int64) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > most {
		return nil, i18n.Errorf("%s has %d bytes, at most %d are read", filepath.Base(path), info.Size(), most)
	}
	return openFile(path)
}

// errNoFile is the error for what is neither a file nor a folder.
var errNoFile = i18n.Errorf("this is no regular file")

// openFile opens a regular file: to open a pipe would wait until somebody writes to it.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		err = syscall.EISDIR
	case !info.Mode().IsRegular():
		err = errNoFile
	default:
		return os.Open(path)
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: err}
}
