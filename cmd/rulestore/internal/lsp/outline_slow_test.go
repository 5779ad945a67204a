//go:build slow

package lsp

import (
	"io/fs"
	"strings"
	"testing"

	"rulestore/content/starter"
)

// What an outline says of a file that can be read is what the parser says: each
// field and each element is where the parser finds it, and so is each value.
func TestOutlineAgreesWithParser(t *testing.T) {
	files := 0
	err := fs.WalkDir(starter.Files, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		raw, err := fs.ReadFile(starter.Files, path)
		files++
		t.Run(path, func(t *testing.T) { agree(t, raw) })
		return err
	})
	if err != nil || files < 50 {
		t.Fatal(files, err)
	}
}
