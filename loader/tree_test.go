package loader_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/loader"
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
			must(t, err)
			written, want := split(a)
			read := &txtar.Archive{}
			for _, f := range written.Files {
				read.Files = append(read.Files, unquoted(t, f))
			}
			var got strings.Builder
			for _, f := range reviewed(t, read).Findings {
				got.WriteString(f.String() + "\n")
				if problem := untold(f); problem != "" {
					t.Errorf("%s: %s", f, problem)
				}
			}
			if *update {
				rewrite(t, file, written, got.String())
			} else if got.String() != want {
				t.Errorf("found\n%s\nexpected\n%s", got.String(), want)
			}
		})
	}
}

// A tree is checked against what is published: files that are gone, ids that are
// others, marks for what never was. What is archived misses no file.
func TestTreeAgainstPublications(t *testing.T) {
	a := txtar.Parse([]byte(`
-- commit 2026-02-02T10:00:00+03:00 --
Begin
-- rulestore.yaml --
` + settings + `-- instructions/renamed.yaml --
` + instruction("service.renamed.001") + `-- instructions/kept.yaml --
` + instruction("service.kept.001") + `-- scenarios/gone.yaml --
{scenario_id: gone, schema_version: "1.0", title: Исчез, description: Файл исчезнет.}
-- scenarios/archived.yaml --
{scenario_id: archived, schema_version: "1.0", title: В архиве, description: Файл исчезнет.}
-- tag instructions/renamed/v1.0.0 --
-- tag instructions/kept/v1.0.0 --
-- tag scenarios/gone/v1.0.0 --
-- tag scenarios/archived/v1.0.0 --
-- commit 2026-03-02T10:00:00+03:00 --
Change
-- instructions/renamed.yaml --
` + instruction("service.other.001") + `-- remove scenarios/gone.yaml --
-- remove scenarios/archived.yaml --
-- lifecycle.yaml --
schema_version: "1.0"
marks:
  - {item: scenarios/archived, status: archived, reason: Больше не нужен, since: 2026-05-01}
  - {item: instructions/kept, version: 9.0.0, status: archived, reason: Такой не было, since: 2026-05-01}
  - {item: instructions/kept, status: review_required, reason: Так нельзя, since: 2026-05-01}
  - {item: nothing/at-all, status: archived, reason: Такого вида нет, since: 2026-05-01}
`))
	tree := reviewedAgainst(t, a)
	var got []string
	for _, f := range tree.Findings {
		got = append(got, f.String())
	}
	want := []string{
		`instructions/renamed.yaml: error: the instruction_id is "service.other.001" and was "service.renamed.001" ` +
			`in version 1.0.0 [id] (an id never changes: restore it, or publish another item)`,
		`lifecycle.yaml:4:5: warning: the mark archived is for version 9.0.0 of instructions/kept, which is not ` +
			`served [mark] (correct the version)`,
		`lifecycle.yaml:5:5: warning: instructions/kept cannot be review_required: only guidelines and parameters ` +
			`can [mark] (remove the mark)`,
		`lifecycle.yaml:6:12: warning: the mark archived is for nothing/at-all, which is neither in the repository ` +
			`nor published [mark] (correct the item: folder and name, for example guidelines/product.common.001)`,
		`scenarios/gone.yaml: warning: the file is published and missing at the head of the branch; it goes on being ` +
			`served [removed] (restore it, or archive the item with a mark in lifecycle.yaml)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func instruction(id string) string {
	return "{instruction_id: " + id +
		", schema_version: \"1.0\", title: Проверка, summary: Описание проверки., steps: [{step: 1, code: CHECK, " +
		"title: Проверить, instructions: [Сравнить условия.]}], valid_from: 2026-01-01}\n"
}

// reviewedAgainst reviews the newest commit with what is published in view.
func reviewedAgainst(t *testing.T, a *txtar.Archive) *loader.Tree {
	t.Helper()
	tree := headOf(t, memory(t, a))
	tree.Against(loaded(t, a).Snapshot)
	tree.Today = reviewDay.Format(content.Date)
	tree.Review(nil)
	return tree
}
