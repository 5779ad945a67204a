package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// child is a server in a process of its own, for what signals, limits and the
// environment do.
type child struct {
	*running
	cmd  *exec.Cmd
	done chan error
}

// spawn starts the command that testscript made of the test binary; prepare may
// change how.
func spawn(t *testing.T, prepare func(*exec.Cmd), args ...string) *child {
	t.Helper()
	p, err := trySpawn(t, prepare, args...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// spawnYoung is spawn for what does not depend on what is served: it serves the starter
// content when it was young.
func spawnYoung(t *testing.T, prepare func(*exec.Cmd), args ...string) *child {
	t.Helper()
	return spawn(t, prepare, append(args, "--repo", young(t))...)
}

func trySpawn(t *testing.T, prepare func(*exec.Cmd), args ...string) (*child, error) {
	t.Helper()
	cmd := exec.Command("rulestore", append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"},
		args...)...)
	log := logFile(filepath.Join(t.TempDir(), "log"))
	stderr, err := os.Create(string(log))
	if err != nil {
		return nil, err
	}
	defer stderr.Close()
	cmd.Stderr = stderr
	if prepare != nil {
		prepare(cmd)
	}
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout = in
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	in.Close()
	p := &child{running: &running{T: t, log: log}, cmd: cmd, done: make(chan error, 1)}
	go func() { p.done <- cmd.Wait() }()
	p.stop = func() error { client.CloseIdleConnections(); return p.end(syscall.SIGTERM) }
	t.Cleanup(func() { _ = p.end(syscall.SIGKILL) })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("serve %s: %w\n%s", strings.Join(args, " "), err, log)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	p.url = p.address(line)
	return p, nil
}

// end sends a signal and returns what the process ended with.
func (p *child) end(s syscall.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	err := <-p.done
	p.done <- err // for whoever asks again
	return err
}

// logFile is a file to which another process logs. Unlike with a pipe, what that process has
// written is there to be read at once.
type logFile string

func (f logFile) String() string {
	raw, err := os.ReadFile(string(f))
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// rulestore returns the path of the command under test.
func rulestore(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("rulestore")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// freeAddr returns an address that nobody listens on. Its port is below those that the system gives to
// listeners that take any: other tests start such meanwhile.
func freeAddr(t testing.TB) string {
	t.Helper()
	for range 100 {
		at := net.JoinHostPort("127.0.0.1", strconv.Itoa(10_000+rand.IntN(20_000)))
		if l, err := net.Listen("tcp", at); err == nil {
			l.Close()
			return at
		}
	}
	t.Fatal("no port is free")
	return ""
}

// addr returns where the process listens.
func (p *child) addr() string { return strings.TrimPrefix(p.url, "http://") }
