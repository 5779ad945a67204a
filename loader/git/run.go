package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"rulestore/content/i18n"
)

// Command is one run of git. Arguments never pass through a shell.
type Command struct {
	Dir     string // where git runs; "" is the root of the file system, where no repository is
	GitDir  string // the repository; "" is the one that git finds from Dir
	Args    []string
	Env     []string // beside the environment that every git gets
	Stdin   io.Reader
	Program string // "" is git

	// Own is for the commands of authors in their clones: hooks, filters, settings and other hosts as
	// for any git of theirs. Otherwise git is run in a folder that somebody else may have written, and
	// runs nothing that its settings name.
	Own bool
	// Person is set if somebody at a terminal can answer the questions of an author's git.
	Person bool
	// Protocols are those by which git may reach other repositories, separated by colons; none if it
	// is empty. An author's git may use all of them.
	Protocols string

	Said     *string       // gets what git says for people, also if it succeeds; may be nil
	Patience time.Duration // how long git may take; two minutes if it is zero. An author's may take any time.
	MaxOut   int64         // the maximum size of what it writes, in bytes; [maxOut] if it is zero
}

// maxOut is the usual maximum size of an answer, in bytes: the names of a million files.
const maxOut = 256 << 20

// maxSaid is the maximum size of what is kept of git's messages, in bytes.
const maxSaid = 64 << 10

// Time that git has to end after it was told to stop: an author's removes its locks.
const (
	cleanUp = 10 * time.Second
	linger  = time.Second
)

// inspecting are options for a git that only looks: it writes nothing, follows no replaced objects,
// and runs no program that the settings of a received folder name.
var inspecting = []string{
	"--no-optional-locks", "--no-replace-objects", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.safecrlf=false",
}

// command is what git is run with, in one place: arguments, environment and process group.
func (e Environ) command(ctx context.Context, c Command) *exec.Cmd {
	var args []string
	env := append(e.Without(), "LC_ALL=C", "LANGUAGE=", "GIT_PAGER=cat", "GIT_EDITOR=false")
	if !c.Person {
		env = append(env, "GIT_TERMINAL_PROMPT=0")
	}
	if !c.Own {
		args = slices.Clone(inspecting)
		env = append(without(env, "GIT_ASKPASS", "SSH_ASKPASS"), "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
		if c.Protocols != "" {
			env[len(env)-1] = "GIT_ALLOW_PROTOCOL=" + c.Protocols
		}
	}
	if c.GitDir != "" {
		args = append(args, "--git-dir", c.GitDir)
	}
	program := c.Program
	if program == "" {
		program = "git"
	}
	cmd := exec.CommandContext(ctx, program, append(args, c.Args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, append(env, c.Env...), c.Stdin
	if cmd.Dir == "" {
		cmd.Dir = string(filepath.Separator)
	}
	cmd.WaitDelay = linger // something that it started may hold the pipes
	if c.Own {
		cmd.WaitDelay = cleanUp
	}
	if !c.Person { // a group of its own could not ask at the terminal
		cmd.SysProcAttr = ownGroup()
	}
	cmd.Cancel = func() error { return signal(cmd, syscall.SIGTERM) }
	return cmd
}

// Run runs git and returns what it writes. The error is [ErrNoGit], the context's, or an [Error]
// with what git says.
func (e Environ) Run(ctx context.Context, c Command) (string, error) {
	if err := Installed(); err != nil && c.Program == "" {
		return "", err
	}
	stop := context.CancelFunc(func() {})
	if patience := c.Patience; !c.Own || patience != 0 {
		if patience == 0 {
			patience = 2 * time.Minute
		}
		ctx, stop = context.WithTimeoutCause(ctx, patience, errPatience)
	}
	defer stop()
	out, said := &bounded{most: maxOut, fails: true}, &bounded{most: maxSaid}
	if c.MaxOut != 0 {
		out.most = c.MaxOut
	}
	cmd := e.command(ctx, c)
	cmd.Stdout, cmd.Stderr = out, said
	err := cmd.Run()
	if c.Said != nil {
		*c.Said = said.String()
	}
	switch {
	case out.over:
		err = i18n.Errorf("its answer has more than %d MiB", out.most>>20)
	case cmd.ProcessState != nil && cmd.ProcessState.Success():
		return out.String(), nil // although the context ended meanwhile, or a child still holds its output
	case errors.Is(err, exec.ErrNotFound):
		return "", ErrNoGit
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	endGroup(cmd)
	if ctx.Err() != nil && !errors.Is(err, errPatience) {
		return out.String(), err
	}
	return out.String(), &Error{Says: strings.TrimSpace(said.String()), Err: err}
}

// errPatience is the error of a git that was stopped because it took too long.
var errPatience = i18n.Errorf("it took too long")

// Error is a run of git that failed.
type Error struct {
	Says string // by git, in English; possibly empty
	Err  error
}

func (e *Error) Unwrap() error { return e.Err }

func (e *Error) Error() string { return e.Localize().String() }

// Localize implements [i18n.Localizable]; the message of git is not translated.
func (e *Error) Localize() i18n.Text {
	if e.Says == "" {
		return i18n.New("git: %v", e.Err)
	}
	return i18n.New("git: %s: %v", e.Says, e.Err)
}

// bounded keeps the beginning of what is written to it. It is safe for concurrent use.
type bounded struct {
	mu    sync.Mutex
	text  bytes.Buffer
	most  int64
	fails bool // the writer is told, and ends
	over  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	room := b.most - int64(b.text.Len())
	b.over = b.over || int64(len(p)) > room
	b.text.Write(p[:min(int64(len(p)), room)])
	if b.over && b.fails {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func (b *bounded) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
