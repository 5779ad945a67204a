package author

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// command is one run of git. Arguments never pass through a shell.
type command struct {
	args  []string
	stdin string
	env   []string // besides that of the repository
}

// utf8Texts makes git write and print texts of commits in UTF-8, whatever the author's settings.
var utf8Texts = []string{"-c", "i18n.commitEncoding=UTF-8", "-c", "i18n.logOutputEncoding=UTF-8"}

// git runs the command in the work tree and returns what it wrote to stdout.
func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	return r.run(ctx, command{args: args})
}

func (r *Repository) run(ctx context.Context, c command) (string, error) {
	out, err := r.environ.Run(ctx, git.Command{
		Program: r.program, Dir: r.Dir, Args: slices.Concat(utf8Texts, c.args), Env: c.env,
		Stdin: strings.NewReader(c.stdin), Own: true, Person: r.interactive,
	})
	if e, failed := errors.AsType[*git.Error](err); failed {
		err = &gitError{command: c.args[0], says: e.Says, err: e.Err}
	}
	return out, err
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
