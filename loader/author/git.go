package author

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// command is one run of git. Arguments never pass through a shell.
type command struct {
	args  []string
	stdin string
}

// local are the variables with which git tells its children about the repository
// they are in; a hook that runs rulestore would pass them on.
var local = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE",
	"GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE",
	"GIT_WORK_TREE",
}

// environment is the author's own, with messages in English, because they are
// read by this program, and without an editor or a pager. Nobody can answer a
// question for a password if there is no terminal.
func environment(interactive bool) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(local, name)
	})
	env = append(env, "LC_ALL=C", "LANGUAGE=", "GIT_EDITOR=false", "GIT_PAGER=cat")
	if !interactive {
		env = append(env, "GIT_TERMINAL_PROMPT=0")
	}
	return env
}

// patience is how long git may take to clean up after it was told to stop.
const patience = 10 * time.Second

// git runs the command in the work tree and returns what it wrote to stdout.
func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	return r.run(ctx, command{args: args})
}

func (r *Repository) run(ctx context.Context, c command) (string, error) {
	cmd := exec.CommandContext(ctx, r.program, c.args...)
	cmd.Dir, cmd.Env = r.Dir, r.env
	cmd.Stdin = strings.NewReader(c.stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // git takes its locks away
	cmd.WaitDelay = patience
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		err = &gitError{command: c.args[0], says: strings.TrimSpace(stderr.String()), err: err}
	}
	return stdout.String(), err
}

// gitError is a run of git that failed.
type gitError struct {
	command string
	says    string
	err     error
}

func (e *gitError) Unwrap() error { return e.err }

func (e *gitError) Error() string {
	says := e.says
	if says == "" {
		says = e.err.Error()
	}
	for _, line := range strings.Split(says, "\n") {
		for part, hint := range hints {
			if strings.Contains(line, part) {
				return fmt.Sprintf("git %s: %s (%s)", e.command, line, hint)
			}
		}
	}
	return fmt.Sprintf("git %s: %s", e.command, strings.ReplaceAll(says, "\n", "\n\t"))
}

// hints say what to do about errors that git explains for git's users only.
var hints = map[string]string{
	".lock': File exists":   "if no git is running, one that was killed left the file: delete it and run the command again",
	"Permission denied":     "make the folder and its .git writable for your user",
	"Read-only file system": "make the folder and its .git writable for your user",
	"failed to sign":        "mend your signing key, or switch signing off with `git config commit.gpgSign false` and `git config tag.gpgSign false`",
	"ident name":            "tell git who you are: `git config --global user.name` and `git config --global user.email`",
	"tell me who you are":   "tell git who you are: `git config --global user.name` and `git config --global user.email`",
}

// answeredNo says whether git ran and answered a question with no.
func answeredNo(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	return ok && exit.ExitCode() == 1
}
