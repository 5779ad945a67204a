package lsp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
)

const (
	scenarioFile = "scenario_id: NAME\nschema_version: \"1.0\"\ntitle: Сценарий\ndescription: Описание сценария.\n"
	taxonomyFile = "registry_id: service.taxonomy.001\nschema_version: \"1.0\"\ntitle: Таксономия\n" +
		"description: Коды видов продуктов.\nscenarios: [{code: one, title: Один}]\n" +
		"product_types:\n  - {code: deposit, title: Вклад}\n  - {code: loan, title: Заём}\n"
	settingsFile = "schema_version: \"1.0\"\nservice: test\ntitle: Проверка\ndescription: Репозиторий для проверки.\n" +
		"audience: ИИ-ассистенты\ndefault_language: ru\ndisclaimer: Это проверка.\ndemo: true\nscenarios: [one]\n"
	workFile = "instruction_id: service.work.001\nschema_version: \"1.0\"\ntitle: Работа\n" +
		"summary: Описание работы.\nscenarios: [one]\nsteps: [{step: 1, code: CHECK, title: Проверить, instructions: " +
		"[Сравнить условия.]}]\nvalid_from: 2026-01-01\n"
)

// small is a session in a small repository that the test may write to: two scenarios,
// the codes that they use, and an instruction, published at different times.
func small(t testing.TB) *editor {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "rules")
	script, err := gittest.ParseTxtar(txtar.Parse([]byte(`
-- commit 2026-02-02T10:00:00+03:00 --
Begin
-- rulestore.yaml --
` + settingsFile + `-- registries/taxonomy.yaml --
` + taxonomyFile + `-- scenarios/one.yaml --
` + strings.ReplaceAll(scenarioFile, "NAME", "one") + `product_types: [deposit, loan]
-- scenarios/two.yaml --
` + strings.ReplaceAll(scenarioFile, "NAME", "two") + `product_types: [loan]
-- instructions/work.yaml --
` + workFile + `-- lifecycle.yaml --
schema_version: "1.0"
marks:
  - {item: scenarios/one, version: 0.9.0, status: archived, reason: Проверка, since: 2026-01-01}
-- tag registries/taxonomy/v1.2.0 --
Taxonomy
-- tag scenarios/one/v1.0.0 --
One
-- tag instructions/work/v1.2.1 --
Work
`)))
	if err != nil {
		t.Fatal(err)
	}
	if err := git.Create(dir, script); err != nil {
		t.Fatal(err)
	}
	return start(t, dir)
}

// write saves a file.
func (e *editor) write(path, text string) {
	e.Helper()
	e.must(os.MkdirAll(filepath.Dir(filepath.Join(e.dir, path)), 0o755))
	e.must(os.WriteFile(filepath.Join(e.dir, path), []byte(text), 0o644))
}

func runGit(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "maintenance.auto=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
