package gitrepo

import "path/filepath"

// mirrored is read-only access to a mirror, which may be locked by another process that
// fetches.
type mirrored struct{ dir *Mirror }

// Mirrored returns the mirrored content of a remote under a cache folder, even if the mirror is
// locked; false if there is none.
func Mirrored(cache string, a Address) (Opener, bool) {
	m := mirrored{&Mirror{dir: MirrorFolder(cache, a)}}
	return m, m.dir.highest() != 0
}

// MirrorFolder returns the folder of the mirror of a remote under a cache folder.
func MirrorFolder(cache string, a Address) string { return filepath.Join(cache, folderOf(a)) }

// Open opens the newest generation at present. If it is removed meanwhile, there is a newer
// one.
func (m mirrored) Open() (*Repo, error) {
	for {
		n := m.dir.highest()
		if n == 0 {
			return nil, ErrNotFetched
		}
		r, err := OnDisk(string(m.dir.at(n))).Open()
		if err == nil || n == m.dir.highest() {
			return r, err
		}
	}
}

// WorkTree returns "": there are no checked-out files.
func (m mirrored) WorkTree() string { return "" }
