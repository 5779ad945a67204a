package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"rulestore/content"
)

const smallSettings = `schema_version: "1.0"
service: test
title: Проверка
description: Репозиторий для проверки.
audience: ИИ-ассистенты
default_language: ru
disclaimer: Это проверка, не консультация.
demo: true
`

// smallRepository is a bare repository of two published scenarios, and a clone of
// it with a change to each.
func smallRepository(t *testing.T) (bare string, a *clone) {
	t.Helper()
	made := filepath.Join(shared, "small")
	makeSmall.Do(func() { makeSmallRepository(t, made) })
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
		t.Fatal(err)
	}
	bare, a = filepath.Join(dir, "rules.git"), &clone{t, filepath.Join(dir, "author")}
	a.git("remote", "set-url", "origin", bare)
	return bare, a
}

var makeSmall sync.Once

// makeSmallRepository makes what each caller of smallRepository gets a copy of.
func makeSmallRepository(t *testing.T, dir string) {
	t.Helper()
	bare, a := filepath.Join(dir, "rules.git"), &clone{t, filepath.Join(dir, "author")}
	gitIn(t, shared, "init", "-q", "--bare", "-b", "main", bare)
	gitIn(t, dir, "clone", "-q", bare, "author")
	a.git("switch", "-q", "-c", "main")
	a.write(content.SettingsFile, smallSettings)
	a.scenario("one", "Один")
	a.scenario("two", "Два")
	a.git("push", "-q", "-u", "origin", "main")
	if out, err := rulestoreIn(a.dir, nil, "publish", "--push"); err != nil {
		t.Fatalf("publish: %v\n%s", err, out)
	}
	a.scenario("one", "Один, иначе")
	a.scenario("two", "Два, иначе")
}

// scenario writes a scenario and commits it.
func (a *clone) scenario(name, title string) {
	a.Helper()
	a.write("scenarios/"+name+".yaml",
		fmt.Sprintf("scenario_id: %s\nschema_version: \"1.0\"\ntitle: %s\ndescription: Сценарий для испытаний.\n", name,
			title))
	a.git("add", "-A")
	a.git("commit", "-q", "-m", title)
}

// rulestoreIn runs the command in a folder, as a process of its own.
func rulestoreIn(dir string, env []string, args ...string) (string, error) {
	cmd := exec.Command("rulestore", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.org")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// untouched makes sure that nothing of a publication is left.
func (a *clone) untouched() {
	a.Helper()
	if out := a.git("status", "--porcelain", "--untracked-files=all"); out != "" {
		a.Errorf("not clean: %s", out)
	}
	if out := a.git("log", "--format=%s", "-1"); out != "Два, иначе" {
		a.Errorf("the last commit is %q", out)
	}
	if out := a.git("tag", "-l", "v1.0.0", "scenarios/*/v1.0.1"); out != "" {
		a.Errorf("left are %s", out)
	}
}

// published makes sure that everything is published, once, here and there.
func (a *clone) published(bare string) {
	a.Helper()
	if out := a.git("status", "--porcelain", "--untracked-files=all"); out != "" {
		a.Errorf("not clean: %s", out)
	}
	if here, there := a.git("rev-parse", "main"), gitIn(a.T, bare, "rev-parse", "main"); here != there {
		a.Errorf("main is %s here and %s there", here, there)
	}
	if out := a.git("log", "--format=%s", "-2"); out != "Публикация, версий: 2\nДва, иначе" {
		a.Errorf("the last commits are %q", out)
	}
	want := "scenarios/one/v1.0.0 scenarios/one/v1.0.1 scenarios/two/v1.0.0 scenarios/two/v1.0.1"
	var sealed []string
	for line := range strings.Lines(
		a.read(content.SealsPath("scenarios/one")) + a.read(content.SealsPath("scenarios/two")),
	) {
		sealed = append(sealed, strings.Fields(line)[0])
	}
	if got := strings.Join(sealed, " "); got != want {
		a.Errorf("sealed are %s", got)
	}
	head := a.git("rev-parse", "main")
	for _, tag := range []string{"scenarios/one/v1.0.1", "scenarios/two/v1.0.1", "v1.0.0"} {
		if got := gitIn(a.T, bare, "rev-parse", tag+"^{commit}"); got != head {
			a.Errorf("%s is on %s, expected %s", tag, got, head)
		}
		if kind := gitIn(a.T, bare, "cat-file", "-t", tag); kind != "tag" {
			a.Errorf("%s is a %s", tag, kind)
		}
	}
	if out, err := rulestoreIn(a.dir, nil, "publish", "--push"); err != nil ||
		!strings.Contains(out, "there is nothing to publish") {
		a.Errorf("after all: %v\n%s", err, out)
	}
}

// Whoever does not read the plan to its end stops the publication before it has
// begun.
func TestPublishClosedPipe(t *testing.T) {
	_, a := smallRepository(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	cmd := exec.Command("rulestore", "publish")
	cmd.Dir, cmd.Stdout = a.dir, write
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
	if err := cmd.Run(); err == nil {
		t.Error("a closed pipe is no failure")
	}
	write.Close()
	if out := a.git("tag", "-l", "scenarios/one/v1.0.1"); out != "" {
		t.Errorf("published: %s", out)
	}
}
