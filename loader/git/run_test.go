package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fake returns a program that is run in place of git.
func fake(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "git")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// What would lead git into another repository, have it ask somebody, or reach another host is not
// passed on; an author's git has the author's settings.
func TestEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"GIT_DIR": "/elsewhere", "GIT_INDEX_FILE": "/elsewhere/index", "GIT_OBJECT_DIRECTORY": "/elsewhere/objects",
		"GIT_CONFIG_PARAMETERS": "'core.pager=evil'", "GIT_ASKPASS": "/elsewhere/ask", "GIT_AUTHOR_NAME": "Автор",
		"GIT_QUARANTINE_PATH": "/elsewhere/objects/incoming",
	} {
		t.Setenv(name, value)
	}
	inherited := []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_CONFIG_PARAMETERS", "GIT_QUARANTINE_PATH"}
	for _, test := range []struct {
		what    string
		command Command
		has     []string
		not     []string
	}{
		{
			"received", Command{},
			[]string{"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"},
			append(inherited, "GIT_ASKPASS"),
		},
		{"fetching", Command{Protocols: "https:ssh"}, []string{"GIT_ALLOW_PROTOCOL=https:ssh"}, inherited},
		{
			"an author's", Command{Own: true},
			[]string{"GIT_AUTHOR_NAME=Автор", "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=/elsewhere/ask"},
			append(inherited, "GIT_ALLOW_PROTOCOL"),
		},
		{"a person's", Command{Own: true, Person: true}, nil, append(inherited, "GIT_TERMINAL_PROMPT")},
	} {
		cmd := Environ(nil).command(t.Context(), test.command)
		env := "\n" + strings.Join(cmd.Env, "\n") + "\n"
		for _, v := range test.has {
			if !strings.Contains(env, "\n"+v+"\n") {
				t.Errorf("%s: %s is missing", test.what, v)
			}
		}
		for _, v := range test.not {
			if strings.Contains(env, "\n"+v+"=") {
				t.Errorf("%s: %s is passed on", test.what, v)
			}
		}
		settings := strings.Join(cmd.Args, " ")
		if looks := strings.Contains(settings, "core.hooksPath="+os.DevNull); looks == test.command.Own {
			t.Errorf("%s: %s", test.what, settings)
		}
	}
}

// A git that hangs is ended with all that it started, when its time is over or nobody waits any more.
func TestHangs(t *testing.T) {
	for _, own := range []bool{false, true} {
		left := filepath.Join(t.TempDir(), "left")
		hanging := fake(t, "sleep 1000 & echo $! >"+left+"\nwait\n")
		c := Command{Program: hanging, Own: own, Patience: 200 * time.Millisecond}
		_, err := Environ(nil).Run(t.Context(), c)
		if !errors.Is(err, errPatience) {
			t.Errorf("own %t: %v", own, err)
		}
		pid, err := os.ReadFile(left)
		if err != nil {
			t.Fatal(err)
		}
		for range 6000 { // whoever is killed is gone a little later
			state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
			if err != nil || strings.Contains(string(state), ") Z ") {
				pid = nil
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if pid != nil {
			t.Errorf("own %t: what git started is left", own)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	if _, err := Environ(nil).Run(ctx, Command{Program: fake(t, "sleep 1000\n")}); !errors.Is(err, stopped) {
		t.Error(err)
	}
}

// What git writes is bounded, and so is what it says when it fails.
func TestBounded(t *testing.T) {
	endless := fake(t, "exec cat /dev/zero\n")
	out, err := Environ(nil).Run(t.Context(), Command{Program: endless, MaxOut: 1 << 20})
	if err == nil || !strings.Contains(err.Error(), "more than 1 MiB") || len(out) > 1<<20 {
		t.Errorf("%d bytes, %v", len(out), err)
	}
	wordy := fake(t, "echo 'fatal: no such thing' >&2\nhead -c 3000000 /dev/zero | tr '\\0' x >&2\nexit 128\n")
	_, err = Environ(nil).Run(t.Context(), Command{Program: wordy})
	if e, ok := errors.AsType[*Error](err); !ok || !strings.HasPrefix(e.Says, "fatal: no such thing\nxxx") ||
		len(e.Says) > maxSaid {
		t.Errorf("%.200v", err)
	}
	if _, err := Environ(nil).Run(t.Context(), Command{Program: "/nowhere/git"}); err == nil {
		t.Error("no program, and no error")
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Environ(nil).Run(t.Context(), Command{}); !errors.Is(err, ErrNoGit) {
		t.Error(err)
	}
}

// A hook sees what is pushed in its own repository, and in no other.
func TestQuarantine(t *testing.T) {
	objects := t.TempDir()
	env := Environ{
		"GIT_OBJECT_DIRECTORY=" + objects + "/incoming", "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + objects,
		"GIT_QUARANTINE_PATH=" + objects + "/incoming", "HOME=/",
	}
	if got := env.quarantine(objects); len(got) != 3 {
		t.Errorf("its own repository: %q", got)
	}
	for what, got := range map[string][]string{
		"another repository":   env.quarantine(t.TempDir()),
		"no hook":              env[:2].quarantine(objects),
		"nothing is there any": Environ{"GIT_QUARANTINE_PATH=/nowhere/x"}.quarantine("/nowhere"),
	} {
		if got != nil {
			t.Errorf("%s: %q", what, got)
		}
	}
}
