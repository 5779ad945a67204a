package loader_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Each file of testdata/review is what a repository holds, and everything that a
// review finds in it.
func TestReviews(t *testing.T) {
	files, err := filepath.Glob("testdata/review/*.txtar")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			written, want := split(a)
			read := &txtar.Archive{}
			for _, f := range written.Files {
				read.Files = append(read.Files, unquoted(t, f))
			}
			var got strings.Builder
			for _, f := range reviewed(t, read).Findings {
				got.WriteString(f.String() + "\n")
			}
			if *update {
				rewrite(t, file, written, got.String())
			} else if got.String() != want {
				t.Errorf("found\n%s\nexpected\n%s", got.String(), want)
			}
		})
	}
}
