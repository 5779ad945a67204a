package check_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

var update = flag.Bool("update", false, "write the expectations anew")

// Each file of testdata/items holds the file of an item and what is found in
// it, and its body if it may be served. A file whose name ends in .quoted is
// written as Go strings, one for each line, so that any byte can be seen.
func TestItems(t *testing.T) {
	eachArchive(t, "testdata/items", func(t *testing.T, path string, raw []byte) []txtar.File {
		folder, rest, _ := strings.Cut(path, "/")
		k := content.KindOf(folder)
		if k == nil {
			t.Fatalf("%s is of no kind", path)
		}
		r := check.Item(schemas.Embedded(), k, strings.TrimSuffix(rest, ".yaml"), raw)
		found := []txtar.File{listing(r.Findings)}
		if r.OK() {
			found = append(found, txtar.File{Name: "body", Data: append(r.Body.AppendJSON(nil), '\n')})
		}
		return append(found, references(r)...)
	})
}

// The files of testdata/root are those of the root of a repository.
func TestRootFiles(t *testing.T) {
	eachArchive(t, "testdata/root", func(t *testing.T, path string, raw []byte) []txtar.File {
		if path == content.SettingsFile {
			settings, findings := check.Settings(schemas.Embedded(), raw)
			if (settings == nil) != (len(findings) > 0) {
				t.Errorf("settings %v with %d findings", settings, len(findings))
			}
			return []txtar.File{listing(findings)}
		}
		marks, findings := check.Lifecycle(schemas.Embedded(), raw)
		if len(marks) > 0 && len(findings) > 0 {
			t.Errorf("%d marks with %d findings", len(marks), len(findings))
		}
		return []txtar.File{listing(findings)}
	})
}

// eachArchive hands the first file of every archive to do and compares what
// comes back with the other files.
func eachArchive(t *testing.T, folder string, do func(t *testing.T, path string, raw []byte) []txtar.File) {
	files, err := filepath.Glob(folder + "/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil || len(a.Files) == 0 {
				t.Fatalf("expected a file and what is found in it: %v", err)
			}
			path, raw := unquoted(t, a.Files[0])
			want := string(txtar.Format(a))
			a.Files = append(a.Files[:1:1], do(t, path, raw)...)
			got := string(txtar.Format(a))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func unquoted(t testing.TB, f txtar.File) (path string, raw []byte) {
	t.Helper()
	path, ok := strings.CutSuffix(f.Name, ".quoted")
	if !ok {
		return path, f.Data
	}
	for line := range strings.Lines(string(f.Data)) {
		text, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		raw = append(raw, text...)
	}
	return path, raw
}

func listing(findings []content.Finding) txtar.File {
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(f.String() + "\n")
		if problem := untold(f); problem != "" {
			b.WriteString("untold: " + problem + "\n")
		}
	}
	return txtar.File{Name: "findings", Data: []byte(b.String())}
}

func references(r check.Checked) []txtar.File {
	if len(r.References) == 0 {
		return nil
	}
	var b strings.Builder
	for _, ref := range r.References {
		b.WriteString(strconv.Itoa(ref.Line) + ":" + strconv.Itoa(ref.Column) + " " + ref.Item + "\n")
	}
	return []txtar.File{{Name: "references", Data: []byte(b.String())}}
}
