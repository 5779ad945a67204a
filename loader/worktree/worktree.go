// Package worktree knows which files of a repository are content, why one does not count, and what lies in a
// work tree.
//
// It asks git what it would store of a work tree: which files differ from the
// commit that is checked out, and what their content is after the conversion of line ends,
// encodings, keywords and filters. What git ignores, what lies in a nested repository and what
// git was told to leave alone (a sparse checkout) is no difference.
package worktree

import (
	"os"
	"strconv"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// Tree is a work tree.
type Tree struct {
	git.WorkTree
}

// Changed is a file that differs from that of the commit, with mode Absent if it was removed.
type Changed struct {
	git.File
	Staged   bool // the index differs from the commit
	Unstaged bool // its content is that of the file in the work tree, as git would store it; there is no OID
	Unknown  bool // the index does not have it, nor its mode
	Unmerged bool // it is in conflict
}

// Changes returns the commit that is checked out, zero before the first, and the files in some
// files and folders of the content that differ from it.
func (t Tree) Changes(tops []string) (head git.OID, changes []Changed, err error) {
	args := []string{
		"status", "--porcelain=v2", "-z", "--branch", "--no-ahead-behind", "--no-renames", "--untracked-files=all",
		"--ignored=no", "--ignore-submodules=dirty", "--",
	}
	for _, top := range tops {
		args = append(args, ":(top,literal)"+top)
	}
	out, err := t.Ask("", nil, args...)
	if err != nil {
		return head, nil, err
	}
	for line := range strings.SplitSeq(out, "\x00") {
		if id, ok := strings.CutPrefix(line, "# branch.oid "); ok && id != "(initial)" {
			if head, err = git.ParseOID(id); err != nil {
				return head, nil, err
			}
			continue
		}
		c, ok, err := parseChange(line)
		if err != nil {
			return head, nil, err
		}
		if ok {
			changes = append(changes, c)
		}
	}
	return head, changes, nil
}

// Dirty lists the files of the content that differ from the commit: tracked ones, and new ones that are wanted.
// merging is whether one is in conflict.
func (t Tree) Dirty(wanted func(path string) bool) (paths []string, merging bool, err error) {
	_, changes, err := t.Changes([]string{""})
	if err != nil || len(changes) == 0 {
		return nil, false, err
	}
	// Of a file of another size git status does not ask whether git would store something else.
	out, err := t.Ask("", nil, "diff", "--name-only", "-z", "--ignore-submodules=dirty")
	differ := map[string]bool{}
	for path := range strings.SplitSeq(out, "\x00") {
		differ[path] = true
	}
	for _, c := range changes {
		merging = merging || c.Unmerged
		if c.Unknown && wanted(c.Path) || !c.Unknown && (c.Staged || differ[c.Path]) {
			paths = append(paths, c.Path)
		}
	}
	return paths, merging, err
}

// parseChange parses an entry of git status (--porcelain=v2); not ok if it is about no file that
// git would store.
func parseChange(line string) (c Changed, ok bool, err error) {
	kind, rest, _ := strings.Cut(line, " ")
	switch kind {
	case "?": // a folder is a repository of its own
		return Changed{File: git.File{Path: rest}, Unstaged: true, Unknown: true}, !strings.HasSuffix(rest, "/"), nil
	case "1", "u":
	default:
		return c, false, nil
	}
	// 1 XY sub mH mI mW hH hI path, or u XY sub m1 m2 m3 mW h1 h2 h3 path
	fields, staged, inTree, id := 8, 3, 4, 6
	if kind == "u" {
		fields, staged, inTree, id = 10, 3, 5, 6
	}
	f := strings.SplitN(rest, " ", fields)
	if len(f) < fields || len(f[0]) != 2 {
		return c, false, i18n.Errorf("git status: %q is no entry", line)
	}
	mode := staged
	c.Path, c.Staged, c.Unstaged, c.Unmerged = f[fields-1], f[0][0] != '.', f[0][1] != '.', kind == "u"
	if c.Unstaged {
		mode = inTree
	}
	bits, err := strconv.ParseUint(f[mode], 8, 32)
	if c.Mode = git.Mode(bits); err == nil && !c.Unstaged && c.Mode != git.Absent {
		c.OID, err = git.ParseOID(f[id])
	}
	if c.Mode == git.Absent {
		c.Unstaged = false
	}
	return c, true, err
}

// store replaces the content of files that were read by what git would store.
func (t Tree) store(files []File) error {
	read := make([]*File, 0, len(files))
	for i := range files {
		f := &files[i]
		if f.mode.IsFile() && f.size == 0 && !strings.ContainsAny(f.Path, "\"\n") { // no other counts
			read = append(read, f)
		}
	}
	ids, err := t.hash(read, nil)
	if err != nil {
		return err
	}
	converted := read[:0]
	for i, f := range read {
		if ids[i] != git.BlobOID(f.Raw).String() {
			converted = append(converted, f)
		}
	}
	if len(converted) == 0 {
		return nil
	}
	objects, err := os.MkdirTemp("", "rulestore-objects-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(objects)
	env := []string{"GIT_OBJECT_DIRECTORY=" + objects}
	if ids, err = t.hash(converted, env, "-w"); err != nil {
		return err
	}
	out, err := t.Ask(strings.Join(ids, "\n")+"\n", env, "cat-file", "--batch")
	if err != nil {
		return err
	}
	for _, f := range converted {
		header, rest, _ := strings.Cut(out, "\n")
		size, wrong := strconv.Atoi(header[strings.LastIndexByte(header, ' ')+1:])
		if wrong != nil || size >= len(rest) {
			return i18n.Errorf("git cat-file: %q is no object", header)
		}
		f.Raw, out = []byte(rest[:size]), rest[size+1:]
	}
	return nil
}

// hash returns the ids of what git would store of files.
func (t Tree) hash(files []*File, env []string, options ...string) ([]string, error) {
	if len(files) == 0 {
		return nil, nil
	}
	var input strings.Builder
	for _, f := range files {
		input.WriteString(f.Path + "\n")
	}
	out, err := t.Ask(input.String(), env, append([]string{"hash-object", "--stdin-paths"}, options...)...)
	ids := strings.Fields(out)
	if err == nil && len(ids) != len(files) {
		err = i18n.Errorf("git hash-object: %d ids of %d files", len(ids), len(files))
	}
	return ids, err
}
