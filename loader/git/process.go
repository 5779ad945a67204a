package git

import (
	"context"
	"io"
	"os/exec"
	"strings"
	"sync"
)

// Process is a git that is talked to. Whoever starts it ends it, by [Process.End]; so does its context.
type Process struct {
	In  io.WriteCloser
	Out io.Reader

	cmd  *exec.Cmd
	said *bounded
	end  sync.Once
}

// Start starts git for questions and answers. How long these may take is the caller's matter. The error is
// [ErrNoGit] or the system's.
func (e Environ) Start(ctx context.Context, c Command) (*Process, error) {
	if err := Installed(); err != nil {
		return nil, err
	}
	p := &Process{cmd: e.command(ctx, c), said: &bounded{most: maxSaid}}
	p.cmd.Stderr = p.said
	var err error
	if p.In, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.Out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return p, p.cmd.Start()
}

// Kill ends git and all that it started. It is safe while others read and write.
func (p *Process) Kill() {
	endGroup(p.cmd)
	_ = p.cmd.Process.Kill() // where there are no groups
}

// End ends git and returns all that it said for people.
func (p *Process) End() string {
	p.end.Do(func() {
		p.Kill()
		_ = p.cmd.Wait() // that it was killed is no error
	})
	return strings.TrimSpace(p.said.String())
}
