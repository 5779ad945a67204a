package loader_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
)

// reviewDay is the day on which examples are looked at.
var reviewDay = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// Rules that no example can show, and why.
var withoutExample = map[string]string{
	"size":         "the file would be too large to read",
	"more":         "it takes a hundred other findings",
	"checksum":     "the other rules keep it from happening",
	"seal-unfit":   "it stands beside what is wrong with the file",
	"symlink":      "a text holds no link; a script of the command makes one",
	"submodule":    "a text holds no submodule",
	"not-merged":   "a script has one branch",
	"unsigned":     "a script signs nothing",
	"damaged":      "git writes no such object",
	"case":         "it takes all of the service; a script of the command makes one fail",
	"crash":        "no content is known that makes a check crash",
	"held-back":    "only a server that follows a repository sees it",
	"pinned":       "only a server can be pinned",
	"first-day":    "only a check of files beside what is published sees it",
	"brought-back": "it takes two states of a file: what was redacted before, and what is now",
}

// Every rule explains itself with an example that breaks it, and no other rule,
// and one that breaks none.
func TestRuleExamples(t *testing.T) {
	for _, r := range check.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			if r.Summary == "" || r.Text == "" || !slices.Contains([]content.Severity{content.Error, content.Warning,
				content.Note}, r.Severity) {
				t.Errorf("the rule is not explained: %+v", r)
			}
			if reason := withoutExample[r.ID]; reason != "" {
				if r.Example != "" {
					t.Errorf("there is an example, though %s", reason)
				}
				return
			}
			bad, good := examples(t, r)
			found := findingsOf(t, r, bad)
			if len(found) != 1 || found[0].Rule != r.ID || found[0].Severity != r.Severity {
				t.Fatalf("the bad example has %d findings: %v", len(found), found)
			}
			if problem := untold(found[0]); problem != "" {
				t.Errorf("%s: %s", found[0], problem)
			}
			if found := findingsOf(t, r, good); len(found) > 0 {
				t.Errorf("the good example has findings: %v", found)
			}
		})
	}
}

// examples splits the files of a rule into those that break it and those that
// keep it.
func examples(t *testing.T, r check.Rule) (bad, good *txtar.Archive) {
	t.Helper()
	bad, good = &txtar.Archive{}, &txtar.Archive{}
	for _, f := range txtar.Parse([]byte(r.Example)).Files {
		side, name, _ := strings.Cut(f.Name, "/")
		to := map[string]*txtar.Archive{"bad": bad, "good": good}[side]
		if to == nil {
			t.Fatalf("%s is neither good nor bad", f.Name)
		}
		to.Files = append(to.Files, unquoted(t, txtar.File{Name: name, Data: f.Data}))
	}
	return bad, good
}

// unquoted reads a file that is written as Go strings.
func unquoted(t *testing.T, f txtar.File) txtar.File {
	t.Helper()
	name, ok := strings.CutSuffix(f.Name, ".quoted")
	if !ok {
		return f
	}
	var raw []byte
	for line := range strings.Lines(string(f.Data)) {
		text, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %s: %v", f.Name, line, err)
		}
		raw = append(raw, text...)
	}
	return txtar.File{Name: name, Data: raw}
}

const begin = "commit 2026-02-02T10:00:00+03:00"

// findingsOf returns what is found in an example: in its files by a review, in
// its history by a load. That a publication has no seal is left out but for the
// rule about it.
func findingsOf(t *testing.T, r check.Rule, a *txtar.Archive) []content.Finding {
	t.Helper()
	if len(a.Files) > 0 && strings.HasPrefix(a.Files[0].Name, "commit ") {
		found := loaded(t, a).Report.Findings
		return slices.DeleteFunc(found, func(f content.Finding) bool {
			return f.Rule == "unsealed" && r.ID != "unsealed"
		})
	}
	return reviewed(t, a).Findings
}

// reviewed returns the review of files, with settings if they have none.
func reviewed(t *testing.T, a *txtar.Archive) *loader.Tree {
	t.Helper()
	files := []txtar.File{{Name: begin}, {Name: content.SettingsFile, Data: []byte(settings)}}
	tree := headOf(t, memory(t, &txtar.Archive{Files: append(files, a.Files...)}))
	tree.Today = reviewDay.Format(content.Date)
	tree.Review(nil)
	return tree
}

// headOf reads the newest commit of a repository.
func headOf(t *testing.T, source git.Opener) *loader.Tree {
	t.Helper()
	repo, err := source.Open()
	must(t, err)
	defer repo.Close()
	head, err := repo.Head()
	must(t, err)
	tree, err := loader.ReadCommit(loader.Config{Schemas: schemas.Embedded()}, repo, head)
	must(t, err)
	return tree
}

func loaded(t *testing.T, a *txtar.Archive) loader.Loaded {
	t.Helper()
	r, err := loader.New(loader.Config{Source: memory(t, a), Schemas: schemas.Embedded(),
		Now: func() time.Time { return reviewDay }}).Load(t.Context())
	must(t, err)
	return r
}

func memory(t *testing.T, a *txtar.Archive) git.Opener {
	t.Helper()
	script, err := gittest.ParseTxtar(a)
	must(t, err)
	source, err := git.InMemory(script)
	must(t, err)
	return source
}
