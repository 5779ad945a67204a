package log

import (
	"bytes"
	"strings"
)

// MaxFile is the maximum size of a file of leaves in bytes.
const MaxFile = full * (MaxLeaf + 1)

// folder has the files of leaves in a repository.
const folder = "log/"

// IsFile reports whether a path is that of a file of leaves, or of a folder of them.
func IsFile(path string) bool {
	return strings.HasPrefix(folder+entries, path+"/") || strings.HasPrefix(path, folder+entries)
}

// FilePath returns the path of the file with 256 leaves from 256 times n on.
func FilePath(n int64) string {
	return folder + strings.TrimPrefix(Bundle(n*full, (n+1)*full).Path(), prefix)
}

// Files returns the files, by path, that have leaves from an index on.
func (l *Log) Files(from int64) map[string]string {
	files := map[string]string{}
	for n := from / full; n*full < l.Size(); n++ {
		var b strings.Builder
		for _, leaf := range l.leaves[n*full : min((n+1)*full, l.Size())] {
			b.WriteString(string(leaf) + "\n")
		}
		files[FilePath(n)] = b.String()
	}
	return files
}

// ReadFile parses a file of leaves. wrong is the number of the first line that is no leaf, or is one
// too many; 0 if there is none.
func ReadFile(raw []byte) (leaves []Leaf, wrong int) {
	for line := range bytes.Lines(raw) {
		text, ended := bytes.CutSuffix(line, []byte("\n"))
		leaf := Leaf(text)
		if !ended || !leaf.valid() || len(leaves) == full {
			return nil, len(leaves) + 1
		}
		leaves = append(leaves, leaf)
	}
	return leaves, 0
}

// valid reports whether a leaf is well-formed.
func (l Leaf) valid() bool {
	_, seal := l.Seal()
	_, mark := l.Mark()
	_, end := l.Begin()
	return seal || mark || end
}
