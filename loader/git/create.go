package git

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	format "github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage"
	"github.com/go-git/go-git/v5/storage/memory"

	"rulestore/content/i18n"
)

// Branch is the branch of every repository that a script makes.
const Branch = "main"

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
	r := newRepo(stored{stores: []encoded{m.st}})
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
		InitOptions: git.InitOptions{DefaultBranch: plumbing.NewBranchReferenceName(Branch)},
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
	head := plumbing.NewBranchReferenceName(Branch)
	if err := st.SetReference(plumbing.NewSymbolicReference(plumbing.HEAD, head)); err != nil {
		return err
	}
	files := map[string]object.TreeEntry{}
	var parent plumbing.Hash
	for i, step := range s {
		commit, err := step.write(st, files, parent)
		if err != nil {
			return i18n.Errorf("commit %d: %w", i+1, err)
		}
		parent = commit
	}
	if parent.IsZero() {
		return nil // no commit, no branch
	}
	return st.SetReference(plumbing.NewHashReference(head, parent))
}

func (s ScriptCommit) write(
	st storage.Storer, files map[string]object.TreeEntry, parent plumbing.Hash,
) (plumbing.Hash, error) {
	if s.Date.IsZero() {
		return plumbing.ZeroHash, i18n.Errorf("there is no date")
	}
	for _, path := range s.Remove {
		if _, ok := files[path]; !ok {
			return plumbing.ZeroHash, i18n.Errorf("remove %s: there is no such file", path)
		}
		delete(files, path)
	}
	for _, path := range slices.Sorted(maps.Keys(s.Files)) {
		raw := &plumbing.MemoryObject{}
		raw.SetType(plumbing.BlobObject)
		_, _ = raw.Write(s.Files[path]) // never fails
		blob, err := st.SetEncodedObject(raw)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		files[path] = object.TreeEntry{Mode: modeOf(s.Files[path]), Hash: blob}
	}
	tree, err := storeTree(st, files)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	who := editor
	who.When = s.Date
	c := &object.Commit{Author: who, Committer: who, Message: s.Message, TreeHash: tree}
	if !parent.IsZero() {
		c.ParentHashes = []plumbing.Hash{parent}
	}
	commit, err := store(st, c)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	for _, t := range s.Tags {
		if err := t.write(st, commit, who); err != nil {
			return plumbing.ZeroHash, i18n.Errorf("tag %s: %w", t.Name, err)
		}
	}
	return commit, nil
}

func (t NewTag) write(st storage.Storer, commit plumbing.Hash, who object.Signature) error {
	name := plumbing.NewTagReferenceName(t.Name)
	if err := name.Validate(); err != nil {
		return err
	}
	target := commit
	if t.Message != "" {
		var err error
		target, err = store(st, &object.Tag{
			Name: t.Name, Tagger: who, Message: t.Message,
			TargetType: plumbing.CommitObject, Target: commit,
		})
		if err != nil {
			return err
		}
	}
	return st.SetReference(plumbing.NewHashReference(name, target))
}

func store(st storage.Storer, o interface {
	Encode(plumbing.EncodedObject) error
}) (plumbing.Hash, error) {
	e := st.NewEncodedObject()
	if err := o.Encode(e); err != nil {
		return plumbing.ZeroHash, err
	}
	return st.SetEncodedObject(e)
}

func modeOf(data []byte) filemode.FileMode {
	if bytes.HasPrefix(data, []byte("#!")) {
		return filemode.Executable
	}
	return filemode.Regular
}

// storeTree stores the tree of a folder with files, and those of the folders in it.
func storeTree(st storage.Storer, files map[string]object.TreeEntry) (plumbing.Hash, error) {
	tree := &object.Tree{}
	inside := map[string]map[string]object.TreeEntry{}
	for path, file := range files {
		folder, rest, nested := strings.Cut(path, "/")
		if !nested {
			file.Name = path
			tree.Entries = append(tree.Entries, file)
			continue
		}
		if inside[folder] == nil {
			inside[folder] = map[string]object.TreeEntry{}
		}
		inside[folder][rest] = file
	}
	for folder, within := range inside {
		if _, ok := files[folder]; ok {
			return plumbing.ZeroHash, i18n.Errorf("%s is both a file and a folder", folder)
		}
		hash, err := storeTree(st, within)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		tree.Entries = append(tree.Entries, object.TreeEntry{Name: folder, Mode: filemode.Dir, Hash: hash})
	}
	sort.Sort(object.TreeEntrySorter(tree.Entries))
	return store(st, tree)
}
