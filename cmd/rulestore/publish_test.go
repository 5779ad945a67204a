package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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

// killer stands in for git: it runs the real one, and kills whoever called it
// before or after the nth run that changes something.
const killer = `#!/bin/sh
case "$5" in
add|commit|tag|push) ;;
*) exec "$REAL_GIT" "$@" ;;
esac
n=$(($(cat "$COUNT") + 1))
echo $n > "$COUNT"
[ "$n $WHEN" = "$KILL before" ] && kill -9 $PPID && exit 1
[ "$n $WHEN" = "$KILL instead" ] && kill -INT $PPID && exec sleep 30
"$REAL_GIT" "$@"
rc=$?
[ "$n $WHEN" = "$KILL after" ] && kill -9 $PPID
exit $rc
`

// Killed before and after every git command that changes something, or interrupted
// in its place, the same command run again comes to what it would have come to at
// once. What was interrupted before the push is undone.
func TestPublishKilled(t *testing.T) {
	takesLong(t)
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(killer), 0o755); err != nil {
		t.Fatal(err)
	}
	command := []string{"publish", "--push", "--release", "1.0.0"}
	const steps = 6 // add, commit, three tags, push
	for _, when := range []string{"before", "instead", "after"} {
		for n := 1; n <= steps+1; n++ {
			t.Run(fmt.Sprintf("%s %d", when, n), func(t *testing.T) {
				t.Parallel()
				bare, a := smallRepository(t)
				count := filepath.Join(t.TempDir(), "count")
				if err := os.WriteFile(count, []byte("0"), 0o644); err != nil {
					t.Fatal(err)
				}
				out, err := rulestoreIn(a.dir, []string{
					"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
					"REAL_GIT=" + git, "COUNT=" + count, "WHEN=" + when, "KILL=" + strconv.Itoa(n),
				}, command...)
				if killed := err != nil; killed != (n <= steps) {
					t.Fatalf("killed: %v, expected %d steps; %s", err, steps, out)
				}
				if when == "instead" && n < steps { // it had the time to clean up
					a.untouched()
				}
				if out, err := rulestoreIn(a.dir, nil, command...); err != nil {
					t.Fatalf("the second run: %v\n%s", err, out)
				}
				a.published(bare)
			})
		}
	}
}

// interrupter is a hook that, once, interrupts the command that runs git and goes on
// for longer than anybody waits. git has done its work by then, or most of it.
const interrupter = `#!/bin/sh
[ -n "$WHEN" ] && { [ "$1" = committed ] && grep -q "$WHEN" || exit 0; }
mkdir "$ONCE" 2>/dev/null || exit 0
kill -INT "$PUBLISHER"
exec sleep 30 >/dev/null 2>&1
`

// Interrupted while a hook runs after git made the commit or a tag, everything is
// undone, and the same command again publishes.
func TestPublishInterruptedInHook(t *testing.T) {
	manyProcesses(t)
	t.Parallel()
	for _, tt := range []struct{ hook, when string }{
		{"post-commit", ""},
		{"reference-transaction", " refs/heads/main$"},
		{"reference-transaction", " refs/tags/scenarios/two/"},
	} {
		t.Run(tt.hook+tt.when, func(t *testing.T) {
			t.Parallel()
			bare, a := smallRepository(t)
			a.write(".git/hooks/"+tt.hook, interrupter)
			if err := os.Chmod(filepath.Join(a.dir, ".git/hooks", tt.hook), 0o755); err != nil {
				t.Fatal(err)
			}
			once := filepath.Join(t.TempDir(), "once")
			cmd := exec.Command("sh", "-c", `PUBLISHER=$$ exec rulestore publish --push --release 1.0.0`)
			cmd.Dir = a.dir
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
				"WHEN="+tt.when, "ONCE="+once,
				"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A",
				"GIT_COMMITTER_EMAIL=a@example.org")
			if out, err := cmd.CombinedOutput(); err == nil ||
				!strings.Contains(string(out), "what was done before is undone") {
				t.Errorf("%v\n%s", err, out)
			}
			if _, err := os.Stat(once); err != nil {
				t.Fatal("the hook did not run: ", err)
			}
			a.untouched()
			if out, err := rulestoreIn(a.dir, []string{"WHEN=" + tt.when, "ONCE=" + once}, "publish", "--push",
				"--release", "1.0.0"); err != nil {
				t.Fatalf("the second run: %v\n%s", err, out)
			}
			a.published(bare)
		})
	}
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

// A git that is killed itself leaves a lock; the message says what to do, and
// after that the same command goes on.
func TestPublishGitKilled(t *testing.T) {
	manyProcesses(t)
	bare, a := smallRepository(t)
	hook := filepath.Join(a.dir, ".git", "hooks", "pre-commit")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, []byte("#!/bin/sh\nkill -9 $PPID\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := rulestoreIn(a.dir, nil, "publish"); err == nil ||
		!strings.Contains(out, "git commit: signal: killed") {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	out, err := rulestoreIn(a.dir, nil, "publish")
	if err == nil || !strings.Contains(out, "one that was killed left the file: delete it and run the command again") {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Remove(filepath.Join(a.dir, ".git", "index.lock")); err != nil {
		t.Fatal(err)
	}
	if out, err := rulestoreIn(a.dir, nil, "publish", "--push", "--release", "1.0.0"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	a.published(bare)
}

// Without leave to write nothing changes, and the message says what to do.
func TestPublishWithoutLeave(t *testing.T) {
	manyProcesses(t)
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Getuid() != 0 {
		t.Skip("needs root and setpriv, to run as somebody else")
	}
	_, a := smallRepository(t)
	for dir := a.dir; dir != os.TempDir() && len(dir) > 1; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := exec.LookPath("rulestore")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(filepath.Dir(filepath.Dir(a.dir)), "rulestore")
	raw, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, raw, 0o755); err != nil {
		t.Fatal(err)
	}
	before := a.git("for-each-ref")
	var out bytes.Buffer
	cmd := exec.Command(setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", program, "publish")
	cmd.Dir, cmd.Stdout, cmd.Stderr = a.dir, &out, &out
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.org")
	if err := cmd.Run(); err == nil || !strings.Contains(out.String(), "permission denied") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if after := a.git("for-each-ref"); after != before || a.git("status", "--porcelain") != "" {
		t.Errorf("something changed: %s\n%s", after, a.git("status", "--porcelain"))
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
