//go:build slow

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

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

// A git that is killed itself leaves a lock; the message says what to do, and
// after that the same command goes on.
func TestPublishGitKilled(t *testing.T) {
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
