package git

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"rulestore/content/i18n"
)

// Skipped lists the files of the index, filtered by keep, that git was told not to check out (a
// sparse checkout): they are missing in the work tree, and are still part of the next commit.
// Folders that are single entries of the index are listed like in [Repo.Changes]. The index is
// parsed here, since go-git does not support such folders.
func (r *Repo) Skipped(keep func(path string, m Mode) bool) ([]File, error) {
	if r.files.gitDir == "" {
		return nil, nil
	}
	raw, err := readWithin(filepath.Join(r.files.gitDir, "index"), maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // there is no index
	} else if err != nil {
		return nil, i18n.Errorf("read the index: %w", err)
	}
	skipped, err := skippedEntries(raw)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, f := range skipped {
		f, ok, err := r.ownSkipped(f)
		switch {
		case err != nil:
			return nil, err
		case !ok:
		case f.Mode == Folder:
			inside, err := r.skippedFolder(f, keep)
			if err != nil {
				return nil, err
			}
			files = append(files, inside...)
		case keep(f.Path, f.Mode):
			files = append(files, f)
		}
	}
	return files, nil
}

// ownSkipped returns an entry that is not checked out as it is in the folder that is read; not ok
// if it is elsewhere. If the entry is a folder that contains the one that is read, it is the
// latter.
func (r *Repo) ownSkipped(f File) (File, bool, error) {
	name, inside := strings.CutPrefix(f.Path, r.prefix())
	above, around := strings.CutPrefix(r.prefix(), f.Path+"/")
	switch {
	case inside:
		f.Path = name
		return f, true, nil
	case !around || f.Mode != Folder:
		return f, false, nil
	}
	d := &differ{repo: r, read: map[OID][]byte{}}
	tree, err := d.inTree(f.OID, strings.TrimSuffix(above, "/"))
	return File{Mode: Folder, OID: tree}, !tree.IsZero(), err
}

// maxIndex is the maximum size of the index in bytes: millions of files.
const maxIndex = 256 << 20

// skippedFolder lists the files of a folder that is not checked out.
func (r *Repo) skippedFolder(f File, keep func(path string, m Mode) bool) ([]File, error) {
	if f.Path != "" && !keep(f.Path, Folder) {
		return nil, nil
	}
	d := &differ{
		repo: r, read: map[OID][]byte{}, keep: func(at string, m Mode) bool { return keep(path.Join(f.Path, at), m) },
	}
	err := d.states("", entry{}, root(f.OID), 0)
	inside := d.changes
	for i := range inside {
		inside[i].Path = path.Join(f.Path, inside[i].Path)
	}
	return inside, err
}

// Offsets in an entry of the index, and its flags (gitformat-index).
const (
	indexHeader   = 12
	indexMode     = 24
	indexID       = 40
	indexFlags    = indexID + len(OID{})
	indexExtended = 0x4000 // more flags follow
	indexSkip     = 0x4000 // of these: not checked out
)

var errIndex = i18n.Errorf(
	"the index of the work tree cannot be read: `git status` says whether it is damaged, and removing the file makes " +
		"`git reset` write a new one",
)

// skippedEntries parses the entries that are not checked out.
func skippedEntries(raw []byte) (skipped []File, err error) {
	if len(raw) < indexHeader || string(raw[:4]) != "DIRC" {
		return nil, errIndex
	}
	version, count := binary.BigEndian.Uint32(raw[4:]), binary.BigEndian.Uint32(raw[8:])
	if version < 2 || version > 4 {
		return nil, i18n.Errorf(
			"the index of the work tree has version %d, of which nothing is known here: `git update-index "+
				"--index-version 2` writes one that is",
			version,
		)
	}
	name := ""
	for raw = raw[indexHeader:]; count > 0; count-- {
		var f File
		var skip bool
		if f, skip, raw, err = indexEntry(raw, version, name); err != nil {
			return nil, err
		}
		if name = f.Path; skip && name != "" {
			f.Path = strings.TrimSuffix(name, "/") // of a folder
			skipped = append(skipped, f)
		}
	}
	return skipped, nil
}

// indexEntry parses the first entry of the rest of an index; previous is the name of the entry
// before.
func indexEntry(raw []byte, version uint32, previous string) (f File, skip bool, rest []byte, err error) {
	at := indexFlags + 2
	if len(raw) < at+2 {
		return File{}, false, nil, errIndex
	}
	f.Mode = Mode(binary.BigEndian.Uint32(raw[indexMode:]))
	copy(f.OID[:], raw[indexID:])
	if version > 2 && binary.BigEndian.Uint16(raw[indexFlags:])&indexExtended != 0 {
		skip = binary.BigEndian.Uint16(raw[at:])&indexSkip != 0
		at += 2
	}
	keeps := 0
	if version == 4 {
		drops, n := indexOffset(raw[at:])
		if n == 0 || drops > len(previous) {
			return File{}, false, nil, errIndex
		}
		keeps, at = len(previous)-drops, at+n
	}
	nul := bytes.IndexByte(raw[at:], 0)
	if nul < 0 {
		return File{}, false, nil, errIndex
	}
	f.Path = previous[:keeps] + string(raw[at:at+nul])
	end := at + nul + 1
	if version < 4 {
		end = (end + 7) &^ 7 // entries are padded
	}
	return f, skip, raw[min(end, len(raw)):], nil
}

// indexOffset parses a number of variable length; n is its length, 0 if it is invalid.
func indexOffset(raw []byte) (value, n int) {
	for n < len(raw) && n < 4 {
		c := raw[n]
		n++
		if value |= int(c & 0x7f); c&0x80 == 0 {
			return value, n
		}
		value = (value + 1) << 7
	}
	return 0, 0
}
