package git

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"rulestore/content/i18n"
)

// In returns a source of a folder of the repository, as if it were a repository of its own:
// paths are relative to it; its tags are those whose names begin with the folder and a slash,
// like tags of Go modules, without this prefix. "" is the whole repository.
func In(s Opener, folder string) Opener {
	if folder == "" {
		return s
	}
	return inFolder{with{s, func(r *Repo) { r.folder = folder }}, folder}
}

type inFolder struct {
	with
	folder string
}

// WorkTree returns the folder in the work tree.
func (s inFolder) WorkTree() string {
	if dir := s.Opener.WorkTree(); dir != "" {
		return filepath.Join(dir, filepath.FromSlash(s.folder))
	}
	return ""
}

// Folder returns the folder, "" for the whole repository.
func (r *Repo) Folder() string { return r.folder }

// FullTag returns the name of a tag in the whole repository.
func (r *Repo) FullTag(name string) string { return r.prefix() + name }

func (r *Repo) prefix() string {
	if r.folder == "" {
		return ""
	}
	return r.folder + "/"
}

// below returns the tree of the folder in a commit's tree, zero if there is none: files,
// links and submodules have no content.
func (r *Repo) below(tree OID) (OID, error) {
	e := root(tree)
	for name := range strings.SplitSeq(r.folder, "/") {
		if r.folder == "" || e.mode != Folder {
			break
		}
		raw, err := r.tree(e.oid)
		e = entry{}
		for within := e; err == nil && len(raw) > 0 && e.mode == Absent; {
			if within, raw, err = nextEntry(raw); string(within.name) == name {
				e = within
			}
		}
		if err != nil {
			return OID{}, unreadable("tree", tree, err)
		}
	}
	if e.mode != Folder {
		return OID{}, nil
	}
	return e.oid, nil
}

// FolderAt returns an error if the folder does not exist at a commit.
func (r *Repo) FolderAt(commit OID) error {
	c, err := r.Commit(commit)
	if err != nil || r.folder == "" {
		return err
	}
	tree, err := r.below(c.Tree)
	if err == nil && tree.IsZero() {
		err = i18n.Errorf(
			"there is no folder %s: links, files and submodules are none, and capital and small letters are told apart",
			r.folder,
		)
	}
	return err
}

// noRef matches what git does not allow in the name of a ref.
var noRef = regexp.MustCompile(`[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|(^|/)\.|\.(/|$)|\.lock(/|$)`)

// CheckFolder validates the name of a folder with content, which is the prefix of its tags: a
// relative path with slashes that is valid in the name of a ref.
func CheckFolder(folder string) error {
	switch parts := strings.Split(folder, "/"); {
	case folder == "":
		return nil
	case !fs.ValidPath(folder) || folder == "." ||
		slices.ContainsFunc(parts, func(p string) bool { return !isName(p) }):
		return i18n.Errorf(
			"%q is no folder in a repository: give its path from the root, such as rules or finance/rules", folder,
		)
	case noRef.MatchString(folder) || strings.HasPrefix(folder, "-"):
		return i18n.Errorf(
			"the folder %q cannot begin the name of a tag, so nothing in it could be published: rename it", folder,
		)
	}
	return nil
}

// CutFolder splits an address or path of the form REPOSITORY//FOLDER, as in
// https://example.org/mono.git//rules; the folder is "" if there is none.
func CutFolder(repo string) (repository, folder string) {
	start := 0
	if _, rest, ok := strings.Cut(repo, "://"); ok {
		host, path, _ := strings.Cut(rest, "/")
		start = len(repo) - len(rest) + len(host)
		start += len(repo[start:]) - len(strings.TrimLeft(path, "/"))
	}
	i := strings.LastIndex(repo[start:], "//")
	if i <= 0 {
		return repo, ""
	}
	return repo[:start+i], strings.TrimRight(repo[start+i+2:], "/")
}

// Newest returns the newest commit of the branch that introduced followed content, or that
// introduced one of the given commits, to which tags point. Later ones concern other folders.
func (h *History) Newest(tagged []OID) OID {
	pos := 0
	for _, n := range h.commits {
		if len(n.changes) > 0 {
			pos = max(pos, n.entered)
		}
	}
	for _, id := range tagged {
		if n := h.index[id]; n != nil {
			pos = max(pos, n.entered)
		}
	}
	return h.main[pos].OID
}
