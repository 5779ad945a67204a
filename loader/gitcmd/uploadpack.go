package gitcmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"sync"

	"rulestore/content/i18n"
)

// UploadPack runs git upload-pack for a repository in a local folder: reads return git's
// output, writes are its input. It ends with the context, or when it is closed.
func (e Environ) UploadPack(ctx context.Context, dir string) (io.ReadWriteCloser, error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, "git", "upload-pack", dir)
	cmd.Env = e.outside()
	p := &pipe{cmd: cmd, cancel: cancel}
	cmd.Stderr = &p.stderr
	var err error
	if p.in, err = cmd.StdinPipe(); err == nil {
		if p.out, err = cmd.StdoutPipe(); err == nil {
			err = cmd.Start()
		}
	}
	if err != nil {
		cancel()
		return nil, i18n.Errorf("run git upload-pack: %w", err)
	}
	return p, nil
}

// pipe is a git that is talked to.
type pipe struct {
	cmd    *exec.Cmd
	cancel context.CancelFunc
	in     io.WriteCloser
	out    io.Reader
	stderr firstLines
	once   sync.Once
	err    error
}

func (p *pipe) Write(b []byte) (int, error) { return p.in.Write(b) }

// Read returns at the end what git has to say if it failed.
func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.out.Read(b)
	if errors.Is(err, io.EOF) && p.wait() != nil {
		return n, i18n.Errorf("git upload-pack: %s: %w", bytes.TrimSpace(p.stderr.text), p.err)
	}
	return n, err
}

func (p *pipe) wait() error {
	p.once.Do(func() { p.err = p.cmd.Wait() })
	return p.err
}

// Close ends git, wherever it is.
func (p *pipe) Close() error {
	p.cancel()
	_ = p.wait() // that it was killed is no error
	return nil
}

// firstLines keeps the beginning of what is written to it.
type firstLines struct{ text []byte }

func (f *firstLines) Write(b []byte) (int, error) {
	f.text = append(f.text, b[:min(1000-len(f.text), len(b))]...)
	return len(b), nil
}
