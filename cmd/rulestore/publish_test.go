package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// smallRepository is a copy of the six items whose author has a change to two of them.
func smallRepository(t *testing.T) (bare string, a *clone) {
	t.Helper()
	bare, a = newYoung(t)
	for _, change := range [][2]string{{"one", "Один, иначе"}, {"two", "Два, иначе"}} {
		a.sub("scenarios/"+change[0]+".yaml", `(?m)^title: .*$`, "title: "+change[1])
		a.git("commit", "-q", "-a", "-m", change[1])
	}
	return bare, a
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

// rulestoreIn runs the command in a folder and with variables besides those of the tests, as somebody
// whom git knows, and returns what it prints.
func rulestoreIn(dir string, more []string, args ...string) (string, error) {
	all := append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
	all = append(all, more...)
	getenv := func(name string) (value string) {
		for _, v := range all {
			if rest, ok := strings.CutPrefix(v, name+"="); ok {
				value = rest
			}
		}
		return value
	}
	var out lockedBuffer
	err := runIn(context.Background(), args, env{
		dir: dir, getenv: getenv, environ: all, stdin: strings.NewReader(""), stdout: &out, stderr: &out,
	})
	return out.String(), err
}

// Whoever does not read the plan to its end stops the publication before it has begun.
func TestPublishClosedPipe(t *testing.T) {
	t.Parallel()
	_, a := smallRepository(t)
	err := runIn(t.Context(), []string{"publish"}, env{
		dir: a.dir, getenv: os.Getenv, stdin: strings.NewReader(""), stdout: closed{}, stderr: io.Discard,
	})
	if out := a.git("tag", "-l", "scenarios/one/v1.0.1"); !errors.Is(err, io.ErrClosedPipe) || out != "" {
		t.Errorf("%v, published: %s", err, out)
	}
}

// closed is a pipe that nobody reads.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
