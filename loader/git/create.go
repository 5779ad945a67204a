package git

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5/memfs"
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	format "github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage"
	"github.com/go-git/go-git/v5/storage/memory"

	"rulestore/content/i18n"
)

// Branch is the branch of every repository that a script makes.
const Branch = "main"

const headOfScripts = plumbing.ReferenceName(branchRefs + Branch)

// Script is a series of commits on one branch. The same script gives the same objects on every
// machine.
type Script []ScriptCommit

// ScriptCommit is one commit of a script, with the tags that point to it.
type ScriptCommit struct {
	Date    time.Time // of author, committer and tagger
	Message string
	Files   map[string][]byte // files that the commit adds or changes; one that begins with #! is executable
	Remove  []string
	Tags    []NewTag
}

// NewTag is a tag of a script; without a message it is lightweight.
type NewTag struct {
	Name    string
	Message string
}

// editor signs every commit and tag of a script.
var editor = object.Signature{Name: "Редакция правил", Email: "editors@rulestore.example"}

// InMemory returns a source of the repository made by the script.
func InMemory(s Script) (Opener, error) {
	st := memory.NewStorage()
	if err := s.write(st); err != nil {
		return nil, err
	}
	return memorySource{st}, nil
}

type memorySource struct{ st storage.Storer }

func (m memorySource) WorkTree() string { return "" }

func (m memorySource) Open() (*Repo, error) {
	r := newRepo(stored{encoded: m.st})
	r.refs = m.st
	return r, nil
}

// Create makes the script's repository in a folder, with its files checked out. The folder must
// be empty or not exist. Objects and refs are packed, as git does from time to time: every command
// reads them, and so many files would take most of its time.
func Create(dir string, s Script) error {
	if entries, err := os.ReadDir(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	} else if len(entries) > 0 {
		return i18n.Errorf("%s is not empty: choose a new folder", strings.TrimSuffix(dir, "/"))
	}
	if err := s.create(dir); err != nil {
		return i18n.Errorf("create repository: %w", err)
	}
	return nil
}

func (s Script) create(dir string) error {
	made := memory.NewStorage()
	if err := s.write(made); err != nil {
		return err
	}
	repo, err := git.PlainInitWithOptions(dir, &git.PlainInitOptions{
		InitOptions: git.InitOptions{DefaultBranch: headOfScripts},
	})
	if err != nil {
		return err
	}
	if err := writeFormat(repo); err != nil || len(s) == 0 {
		return err
	}
	if err := writePacked(repo.Storer, made); err != nil {
		return err
	}
	tree, err := repo.Worktree()
	if err != nil {
		return err
	}
	return tree.Reset(&git.ResetOptions{Mode: git.HardReset})
}

// writePacked writes what was made in memory to a repository, as one pack and a list of refs.
func writePacked(st storage.Storer, made *memory.Storage) error {
	hashes := slices.SortedFunc(maps.Keys(made.Objects), func(a, b plumbing.Hash) int {
		return bytes.Compare(a[:], b[:])
	})
	w, err := st.(storer.PackfileWriter).PackfileWriter()
	if err != nil {
		return err
	}
	const deltas = 0 // looking for them would take a second, to save a megabyte
	_, err = packfile.NewEncoder(w, made, false).Encode(hashes, deltas)
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	for _, ref := range made.ReferenceStorage {
		if err := st.SetReference(ref); err != nil {
			return err
		}
	}
	return st.PackRefs()
}

// writeFormat writes the version of the repository's format. go-git omits it, and git then ignores
// the settings of single work trees, such as a sparse checkout.
func writeFormat(repo *git.Repository) error {
	cfg, err := repo.Config()
	if err != nil {
		return err
	}
	cfg.Core.RepositoryFormatVersion = format.Version_0
	return repo.SetConfig(cfg)
}

// write stores the script's objects and refs.
func (s Script) write(st storage.Storer) error {
	repo, err := git.InitWithOptions(st, memfs.New(), git.InitOptions{DefaultBranch: headOfScripts})
	if err != nil {
		return err
	}
	tree, err := repo.Worktree()
	files := map[string]*index.Entry{} // of the last commit
	for i, step := range s {
		if err == nil {
			err = step.write(repo, tree, files)
		}
		if err != nil {
			return i18n.Errorf("commit %d: %w", i+1, err)
		}
	}
	return err
}

// write stores the commit, with the files of the last one and its own, and its tags.
func (s ScriptCommit) write(repo *git.Repository, tree *git.Worktree, files map[string]*index.Entry) error {
	if s.Date.IsZero() {
		return i18n.Errorf("there is no date")
	}
	for _, path := range s.Remove {
		if files[path] == nil {
			return i18n.Errorf("remove %s: there is no such file", path)
		}
		delete(files, path)
	}
	for path, text := range s.Files {
		blob := newText(text)
		if _, err := repo.Storer.SetEncodedObject(blob); err != nil {
			return err
		}
		files[path] = &index.Entry{Name: path, Mode: modeOf(text), Hash: blob.hash}
	}
	if err := repo.Storer.SetIndex(&index.Index{Entries: slices.Collect(maps.Values(files))}); err != nil {
		return err
	}
	who := editor
	who.When = s.Date
	commit, err := tree.Commit(s.Message, &git.CommitOptions{Author: &who, Committer: &who, AllowEmptyCommits: true})
	if err != nil {
		return err
	}
	for _, t := range s.Tags {
		var annotated *git.CreateTagOptions
		if t.Message != "" {
			annotated = &git.CreateTagOptions{Tagger: &who, Message: t.Message}
		}
		if _, err := repo.CreateTag(t.Name, commit, annotated); err != nil {
			return i18n.Errorf("tag %s: %w", t.Name, err)
		}
	}
	return nil
}

func modeOf(data []byte) filemode.FileMode {
	if bytes.HasPrefix(data, []byte("#!")) {
		return filemode.Executable
	}
	return filemode.Regular
}
