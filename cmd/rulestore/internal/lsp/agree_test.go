package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader"
	"rulestore/schemas"
)

// An editor that has all files open is told what validate finds in them, by the example
// of every rule that needs no history.
func TestFindingsAreThoseOfValidate(t *testing.T) {
	n := 0
	for _, r := range check.Rules() {
		files := badExample(r)
		if len(files) == 0 {
			continue
		}
		n++
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for path, text := range files {
				save(t, dir, path, text)
			}
			if files["rulestore.yaml"] == "" {
				runGit(t, dir, "init", "-q")
			}
			want := validated(t, dir)
			e := start(t, dir, "")
			for path, text := range files {
				e.open(path, text)
			}
			e.await(fmt.Sprintf("it tells %q", want), func() bool { return slices.Equal(e.allTold(files), want) })
		})
	}
	if n < 20 {
		t.Errorf("only %d examples", n)
	}
}

// badExample returns the files that break a rule, none if they are a history.
func badExample(r check.Rule) map[string]string {
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(r.Example)).Files {
		path, bad := strings.CutPrefix(f.Name, "bad/")
		switch {
		case strings.HasPrefix(path, "commit "), strings.HasPrefix(path, "tag "):
			return nil
		case bad:
			files[path] = string(f.Data)
		}
	}
	return files
}

// validated lists what validate finds in a folder whose history is not seen.
func validated(t *testing.T, dir string) (all []string) {
	t.Helper()
	tree, err := loader.NewTreeReader(loader.Config{Schemas: schemas.Embedded()}, dir).Read(nil)
	if err != nil {
		t.Fatal(err)
	}
	tree.Today = config(nil).Now().Format(content.Date)
	tree.Review(nil)
	for _, f := range tree.Findings {
		if _, read := tree.Raw[f.Path]; read {
			all = append(all, fmt.Sprintf("%s:%d %s", f.Path, max(f.Line, 1), f.Rule))
		}
	}
	slices.Sort(all)
	return all
}

// allTold lists what the server has told of files; nil as long as it has not told of all.
func (e *editor) allTold(files map[string]string) (all []string) {
	for path := range files {
		p, told := e.told[fileURI(filepath.Join(e.dir, path))]
		if !told {
			return nil
		}
		for _, d := range p.Diagnostics {
			all = append(all, fmt.Sprintf("%s:%d %v", path, d.Range.Start.Line+1, d.Code))
		}
	}
	slices.Sort(all)
	return all
}
