package git

import (
	"bufio"
	"context"
	"io"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
)

// talk is a git that is asked and answers.
type talk struct {
	in    io.WriteCloser
	out   *bufio.Reader
	said  bounded // for people
	cmd   *exec.Cmd
	timer *time.Timer // ends it
	late  atomic.Bool // it took too long
}

// patience is how long git may take for an answer. It waits forever if there is a pipe in place of a file.
var patience = time.Minute

// talkTo starts a git that reads the repository. Whoever starts it ends it. The error is [ErrNoGit] or the system's.
func (r *Repo) talkTo(args ...string) (*talk, error) {
	if err := Installed(); err != nil {
		return nil, err
	}
	t := &talk{said: bounded{most: maxSaid}, cmd: Environ(nil).command(context.Background(), Command{
		GitDir: r.files.commonDir, Args: args,
		Env: append(r.env[:len(r.env):len(r.env)], "GIT_LITERAL_PATHSPECS=1", "GIT_ALLOC_LIMIT="+allocLimit),
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
	t.timer = time.AfterFunc(patience, func() { t.late.Store(true); t.kill() })
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
