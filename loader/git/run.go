package git

import (
	"bufio"
	"bytes"
	"cmp"
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

// ErrNoGit is the error if the command git is not installed.
var ErrNoGit = i18n.Errorf("the git command is not installed")

// Installed returns [ErrNoGit] if there is no git. Repositories are then read by go-git.
func Installed() error {
	if _, err := exec.LookPath("git"); err != nil {
		return ErrNoGit
	}
	return nil
}

// Environ is the environment that git is run in, as [os.Environ] returns it; nil is that of the process.
type Environ []string

// local are the variables with which git tells its children about the repository
// they are in; a hook that runs rulestore would pass them on.
var local = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_DIR",
	"GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_NO_REPLACE_OBJECTS",
	"GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE",
	"GIT_WORK_TREE",
}

// where returns the variables whose names pass a test.
func (e Environ) where(pass func(name string) bool) (kept []string) {
	if e == nil {
		e = os.Environ()
	}
	for _, v := range e {
		if name, _, _ := strings.Cut(v, "="); pass(name) {
			kept = append(kept, v)
		}
	}
	return kept
}

// Get returns the value of a variable, empty if it is not set.
func (e Environ) Get(name string) (value string) {
	for _, v := range e.where(func(n string) bool { return n == name }) {
		value = v[len(name)+1:] // the last one counts
	}
	return value
}

// quarantine returns the variables with which git finds the objects of a push that is not accepted yet: those of
// a pre-receive hook in which this program runs, if the hook is that of the repository with a folder of objects.
func (e Environ) quarantine(objects string) []string {
	in, err := filepath.EvalSymlinks(filepath.Dir(e.Get("GIT_QUARANTINE_PATH")))
	own, wrong := filepath.EvalSymlinks(objects)
	if err != nil || wrong != nil || in != own {
		return nil
	}
	return e.where(func(name string) bool { return slices.Contains(ofPush, name) })
}

// ofPush are the variables of a pre-receive hook (git-receive-pack).
var ofPush = []string{"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_OBJECT_DIRECTORY", "GIT_QUARANTINE_PATH"}

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
	env := e.where(func(name string) bool {
		return !slices.Contains(local, name) && (c.Own || name != "GIT_ASKPASS" && name != "SSH_ASKPASS")
	})
	env = append(env, "LC_ALL=C", "LANGUAGE=", "GIT_PAGER=cat", "GIT_EDITOR=false")
	if !c.Person {
		env = append(env, "GIT_TERMINAL_PROMPT=0")
	}
	if !c.Own {
		args = slices.Clone(inspecting)
		env = append(env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL="+cmp.Or(c.Protocols, "none"))
	}
	if c.GitDir != "" {
		args = append(args, "--git-dir", c.GitDir)
	}
	cmd := exec.CommandContext(ctx, cmp.Or(c.Program, "git"), append(args, c.Args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = cmp.Or(c.Dir, string(filepath.Separator)), append(env, c.Env...), c.Stdin
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
	if !c.Own || c.Patience != 0 {
		ctx, stop = context.WithTimeoutCause(ctx, cmp.Or(c.Patience, 2*time.Minute), errPatience)
	}
	defer stop()
	out, said := &bounded{most: cmp.Or(c.MaxOut, maxOut), fails: true}, &bounded{most: maxSaid}
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

// AnsweredNo reports whether git ran and answered a question with no.
func AnsweredNo(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	return ok && exit.ExitCode() == 1
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

// talk is a git that is asked and answers.
type talk struct {
	in    io.WriteCloser
	out   *bufio.Reader
	said  bounded // for people
	cmd   *exec.Cmd
	timer *time.Timer // ends it
}

// patience is how long git may take for an answer. It waits forever if there is a pipe in place of a file.
var patience = time.Minute

// allocLimit bounds what git allocates at a time for an object, and for what it is made from.
const allocLimit = "256m"

// talkTo starts a git that reads the repository. Whoever starts it ends it. The error is [ErrNoGit] or the system's.
func (r *Repo) talkTo(args ...string) (*talk, error) {
	if err := Installed(); err != nil {
		return nil, err
	}
	t := &talk{said: bounded{most: maxSaid}, cmd: Environ(nil).command(context.Background(), Command{
		GitDir: r.files.commonDir, Args: args,
		Env: append(slices.Clone(r.env), "GIT_LITERAL_PATHSPECS=1", "GIT_ALLOC_LIMIT="+allocLimit),
	})}
	var err error
	if t.in, err = t.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.cmd.Stderr, t.out = &t.said, bufio.NewReaderSize(out, 64<<10)
	if err := t.cmd.Start(); err != nil {
		return nil, err
	}
	t.timer = time.AfterFunc(patience, t.kill)
	return t, nil
}

// wait gives git its time again.
func (t *talk) wait() { t.timer.Reset(patience) }

// kill ends git and all that it started. It is safe while others read and write.
func (t *talk) kill() {
	endGroup(t.cmd)
	_ = t.cmd.Process.Kill() // where there are no groups
}

// end ends git, unless it has ended, and returns all that it said for people.
func (t *talk) end() string {
	t.timer.Stop()
	t.kill()
	_ = t.cmd.Wait() // that it was killed is no error
	return strings.TrimSpace(t.said.String())
}
