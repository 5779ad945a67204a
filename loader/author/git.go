package author

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"rulestore/content/i18n"
	"rulestore/loader/gitcmd"
)

// command is one run of git. Arguments never pass through a shell.
type command struct {
	args  []string
	stdin string
	env   []string // besides that of the repository
}

// environment is the author's, with messages in English, as this program reads them, and without
// an editor or a pager. Without a terminal git does not ask for passwords.
func environment(base gitcmd.Environ, interactive bool) []string {
	env := append(base.Without(), "LC_ALL=C", "LANGUAGE=", "GIT_EDITOR=false", "GIT_PAGER=cat")
	if !interactive {
		env = append(env, "GIT_TERMINAL_PROMPT=0")
	}
	return env
}

// utf8Texts makes git write and print texts of commits in UTF-8, whatever the author's settings.
var utf8Texts = []string{"-c", "i18n.commitEncoding=UTF-8", "-c", "i18n.logOutputEncoding=UTF-8"}

// patience is the time that git has to clean up after it was told to stop.
const patience = 10 * time.Second

// git runs the command in the work tree and returns what it wrote to stdout.
func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	return r.run(ctx, command{args: args})
}

func (r *Repository) run(ctx context.Context, c command) (string, error) {
	cmd := exec.CommandContext(ctx, r.program, append(utf8Texts[:len(utf8Texts):len(utf8Texts)], c.args...)...)
	cmd.Dir, cmd.Env = r.Dir, slices.Concat(r.env, c.env)
	cmd.Stdin = strings.NewReader(c.stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // git removes its locks
	cmd.WaitDelay = patience
	err := cmd.Run()
	switch {
	case cmd.ProcessState != nil && cmd.ProcessState.Success():
		err = nil // it succeeded, although the context ended meanwhile, or a child still holds its output
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err != nil:
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

func (e *gitError) Error() string { return e.Localize().String() }

// Localize implements [i18n.Localizable]; the message of git is not translated.
func (e *gitError) Localize() i18n.Text {
	says := e.says
	if says == "" {
		says = e.err.Error()
	}
	for _, line := range strings.Split(says, "\n") {
		for _, h := range hints {
			if strings.Contains(line, h.part) {
				return i18n.New("git %s: %s (%s)", e.command, strings.TrimSpace(line), h.hint)
			}
		}
	}
	return i18n.New("git %s: %s", e.command, strings.ReplaceAll(says, "\n", "\n\t"))
}

// hints are remedies for errors that git explains only to users of git. The first that matches
// counts.
var hints = []struct {
	part string
	hint i18n.Text
}{
	{
		".lock': File exists",
		i18n.New("if no git is running, one that was killed left the file: delete it and run the command again"),
	},
	{
		"Permission denied (",
		i18n.New(
			"the host does not know your ssh key, or may not let it in: `ssh-add` it to the agent, and add its " +
				"public half to your account there",
		),
	},
	{
		"Host key verification failed",
		i18n.New(
			"the host's key is not a known one: check it against what the host's owner publishes, and add it to " +
				"~/.ssh/known_hosts",
		),
	},
	{"Permission denied", writable},
	{"insufficient permission for adding an object", writable},
	{"Read-only file system", writable},
	{"unmerged", i18n.New("finish the merge first: mend what `git status` lists, and `git add` it")},
	{"failed to sign", signing},
	{"Couldn't load public key", signing},
	{"ident name", whoYouAre},
	{"tell me who you are", whoYouAre},
}

var (
	signing = i18n.New(
		"mend your signing key, or switch signing off with `git config commit.gpgSign false` and `git config " +
			"tag.gpgSign false`",
	)
	writable  = i18n.New("make the folder and its .git writable for your user")
	whoYouAre = i18n.New(
		"tell git who you are: `git config --global user.name \"Your Name\"` and `git config --global user.email " +
			"you@example.org`",
	)
)

// stopped reports whether git was stopped, so that it may have done its work.
func stopped(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	return !ok || !exit.Exited()
}

// answeredNo reports whether git ran and answered a question with no.
func answeredNo(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	return ok && exit.ExitCode() == 1
}
