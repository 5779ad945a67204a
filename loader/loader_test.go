package loader_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
)

var update = flag.Bool("update", false, "rewrite what the testdata files expect")

// Each file of testdata is a repository (see gittest.ParseTxtar) and what
// loading it comes to. The comment may hold options: "today: 2026-05-01",
// "drafts". A file of an item may be written short (see guideline).
func TestRepositories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			must(t, err)
			repo, want := split(a)
			got := describe(load(t, repo, string(a.Comment)))
			if *update {
				rewrite(t, file, repo, got)
				return
			}
			if got != want {
				t.Errorf("loading came to\n%s\nexpected\n%s", got, want)
			}
		})
	}
}

const expectation = "want"

func split(a *txtar.Archive) (repo *txtar.Archive, want string) {
	repo = &txtar.Archive{Comment: a.Comment}
	for _, f := range a.Files {
		if f.Name == expectation {
			want = string(f.Data)
			continue
		}
		repo.Files = append(repo.Files, f)
	}
	return repo, want
}

func rewrite(t *testing.T, file string, repo *txtar.Archive, got string) {
	t.Helper()
	repo.Files = append(repo.Files, txtar.File{Name: expectation, Data: []byte(got)})
	must(t, os.WriteFile(file, txtar.Format(repo), 0o644))
}

func load(t *testing.T, a *txtar.Archive, options string) (loader.Loaded, error) {
	t.Helper()
	expanded := &txtar.Archive{}
	for _, f := range a.Files {
		expanded.Files = append(expanded.Files, txtar.File{Name: f.Name, Data: expand(f.Name, f.Data)})
	}
	script, err := gittest.ParseTxtar(expanded)
	must(t, err)
	source, err := git.InMemory(script)
	must(t, err)
	today := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for line := range strings.Lines(options) {
		if day, ok := strings.CutPrefix(strings.TrimSpace(line), "today: "); ok {
			if today, err = time.Parse(content.Date, day); err != nil {
				t.Fatal(err)
			}
		}
	}
	return loader.New(loader.Config{
		Source: source, Schemas: schemas.Embedded(),
		Drafts: strings.Contains(options, "\ndrafts\n"),
		Now:    func() time.Time { return today },
	}).Load(t.Context())
}

// expand writes out the files that tests keep short: a guideline whose first
// line is "= <title>", with "see: <id>" lines for what it refers to and
// "recheck_after: <date>"; and rulestore.yaml with nothing but "=".
func expand(name string, data []byte) []byte {
	if !bytes.HasPrefix(data, []byte("=")) {
		return data
	}
	if name == content.SettingsFile {
		return []byte(settings)
	}
	return []byte(guideline(strings.TrimSuffix(strings.TrimPrefix(name, "guidelines/"), ".yaml"), string(data)))
}

const settings = `schema_version: "1.0"
service: test
title: Тестовый сервис
description: Правила для испытаний.
audience: Испытатели
default_language: ru
disclaimer: Только для испытаний.
demo: true
`

func guideline(id, short string) string {
	title, rest, _ := strings.Cut(strings.TrimPrefix(short, "= "), "\n")
	var see, extra string
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if to, ok := strings.CutPrefix(line, "see: "); ok {
			see += "      - " + to + "\n"
		} else {
			extra += line + "\n"
		}
	}
	if see != "" {
		see = "    related_guidelines:\n" + see
	}
	return `guideline_id: ` + id + `
schema_version: "1.0"
scenario: product_analysis
title: ` + title + `
summary: Правило для испытаний.
owner: Испытатели
applicability:
  triggers: [Идёт испытание]
  exclusions: []
required_inputs: []
rules:
  - rule_id: first
    title: Первое
    condition: Всегда
    action: Проверить
    explanation: Так надо
    severity: info
` + see + `guardrails:
  - guardrail_id: careful
    type: must
    text: Не спешить
    reason: Можно ошибиться
sources:
  - title: Испытания
    url: https://example.org/
    checked_on: 2026-01-01
valid_from: 2026-01-01
` + strings.TrimSpace(extra) + "\n"
}

// describe tells what a load came to, in full.
func describe(r loader.Loaded, err error) string {
	var b strings.Builder
	if err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
		return b.String()
	}
	for _, item := range r.Snapshot.Items {
		fmt.Fprintf(&b, "%s\n", item.ID())
		for _, e := range item.Entries {
			describeEntry(&b, e)
		}
	}
	for _, c := range r.Snapshot.Changes {
		if c.Version != "" {
			fmt.Fprintf(&b, "release %s product=%s module=%s %s scenario=%s %q\n", c.Version, c.Product,
				c.ModuleVersion, c.Type, c.Scenario, c.Changes)
		} else {
			fmt.Fprintf(&b, "change %s %q -> %q %s %q\n", c.Guideline, c.Old, c.New, c.Criticality, c.Summary)
		}
	}
	for _, tag := range r.Report.Refused {
		fmt.Fprintf(&b, "refused %s\n", tag)
	}
	for _, tag := range r.Report.Held {
		fmt.Fprintf(&b, "held %s\n", tag)
	}
	for _, f := range r.Report.Findings {
		if f.Rule != "unsealed" {
			fmt.Fprintf(&b, "finding %s\n", f)
		}
		if problem := untold(f); problem != "" {
			fmt.Fprintf(&b, "untold %s\n", problem)
		}
	}
	return b.String()
}

func describeEntry(b *strings.Builder, e *content.Entry) {
	fmt.Fprintf(b, "  %s %s %q", e.Version, e.Status, e.Body().Text("title"))
	if e.Sealed {
		b.WriteString(" sealed")
	}
	if !e.PublishedAt.IsZero() {
		fmt.Fprintf(b, " published %s", e.PublishedAt.Format(time.RFC3339))
	}
	fmt.Fprintf(b, " updated %s", e.UpdatedAt.Format(time.RFC3339))
	if e.Reason != "" {
		fmt.Fprintf(b, " because %q", e.Reason)
	}
	if e.ChangeNote != "" {
		fmt.Fprintf(b, " note %q", e.ChangeNote)
	}
	b.WriteString("\n")
}
