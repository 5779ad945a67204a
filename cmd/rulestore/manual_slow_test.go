//go:build slow

package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// chapters are the parts of the manual: a heading, and the commands as they are written.
var chapters = regexp.MustCompile("(?ms)^## ([^\n]+)\n.*?^```sh\n(.*?)^```$")

// What comes of the commands of a chapter, besides that each of them succeeds.
var outcomes = map[string]struct{ command, want string }{
	"Добавить": {"git tag -l guidelines/product.cards.001/*", `^guidelines/product.cards.001/v1.0.0\n$`},
	"Изменить": {"git tag -l guidelines/product.cards.001/*", `v1.0.1\n$`},
	"Переименовать": {"git show HEAD:lifecycle.yaml HEAD:sealed/guidelines/product.bankcards.001.sum",
		`product.cards.001, status: archived, replaced_by: ` +
			`guidelines/product.bankcards.001(?s:.*)guidelines/product.bankcards.001/v1.0.0 `},
	"Удалить":           {"git ls-files guidelines/product.cards.001.yaml", `^$`},
	"В архив":           {"git show HEAD:lifecycle.yaml", `product.bankcards.001, version: "1.0.0", status: archived`},
	"Изъять":            {"git show HEAD:lifecycle.yaml", `product.bankcards.001, version: "1.0.0", status: redacted`},
	"Вернуть":           {"git grep -c 'bankcards.001, version' HEAD -- lifecycle.yaml || true", `^$`},
	"Проба и её выпуск": {"git tag -l guidelines/product.bankcards.001/v1.1.0*", `v1.1.0\n(?s:.*)v1.1.0-rc.1`},
	"Исправить в прежней линии":      {"git tag -l guidelines/product.bankcards.001/*", `v1.1.1\n`},
	"Исправить ошибочную публикацию": {"git tag -l guidelines/product.bankcards.001/*", `v1.1.2\n`},
	"Опубликовать заранее":           {"grep 2099-01-01T00:00:00Z -r sealed", `product.bankcards.001/v1.\d.\d `},
	"От ветки до тега": {"git tag -l registries/taxonomy/* --sort=-creatordate --merged main",
		`registries/taxonomy/v`},
	"Журнал прозрачности": {"git log -1 --format=%s --name-only",
		`^Подписан журнал, листьев: \d+\n\n(log/entries/\d+\n)+rulestore.checkpoint\n$`},
	"Только подписанное": {"rulestore status --trusted-signers ../signers",
		`: 1 publications? of 1 items?\n`},
	"Конфликты": {"git show HEAD:lifecycle.yaml",
		`scenarios/two(?s:.*)product.bankcards.001|product.bankcards.001(?s:.*)scenarios/two`},
}

// The manual that init writes is what it says: its commands, one chapter after the other,
// do what each chapter is about.
func TestManual(t *testing.T) {
	t.Parallel()
	a := newWorkplace(t)
	dir := a.dir
	// of the starter content, which is what the manual comes with
	manual := strings.NewReplacer("registries/glossary", "registries/taxonomy", "calendars/ru-2024", "scenarios/two").Replace(
		a.read("MANUAL.md"))
	found := chapters.FindAllStringSubmatch(manual, -1)
	if len(found) != len(outcomes) || len(found) != strings.Count(manual, "\n## ") {
		t.Errorf("%d chapters with commands, expected %d", len(found), len(outcomes))
	}
	for _, c := range found {
		t.Run(c[1], func(t *testing.T) {
			if _, err := exec.LookPath("ssh-keygen"); err != nil && strings.Contains(c[2], "ssh-keygen") {
				t.Skip("ssh-keygen is not installed")
			}
			if out, err := asAuthor(dir, c[2]); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want := outcomes[c[1]]
			out, err := asAuthor(dir, want.command)
			if err != nil || want.want == "" || !regexp.MustCompile(want.want).MatchString(out) {
				t.Errorf("%s: %v\n%s\nexpected %s", want.command, err, out, want.want)
			}
		})
	}
	if out, err := rulestoreIn(dir, nil, "validate"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// asAuthor runs commands as an author does, up to the first that fails.
func asAuthor(dir, commands string) (string, error) {
	cmd := exec.Command("sh", "-e", "-f", "-c", commands)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "LC_ALL=C.UTF-8",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
