package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A connection that its client keeps can be used once more when the process is told to end,
// without any delay, and one that nobody uses does not keep the process for long.
func TestDrainKeptConnections(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil)
	kept := crowd(t, p.url, 2)
	const ping = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
		"Accept: application/json, text/event-stream\r\nContent-Length: 40\r\n\r\n" +
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, c := range kept {
		if status, err := request(c, ping); status != http.StatusOK {
			t.Fatalf("%d, %v", status, err)
		}
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.await("draining", func() bool { return strings.Contains(p.log.String(), "stopping") })
	if status, err := request(kept[0], ping); status != http.StatusOK {
		t.Errorf("the next request: %d, %v", status, err)
	}
	if n, err := kept[0].Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("the connection goes on: %v", err)
	}
	if err := <-p.done; err != nil {
		t.Errorf("ended with %v\n%s", err, p.log)
	}
	p.done <- nil
}

// Who asks before there is content waits for it a little, unless the question is
// whether there is.
func TestRequestsBeforeTheFirstContent(t *testing.T) {
	t.Parallel()
	bare, _ := smallRepository(t) // read well within the process's patience
	slow := newSlowHost(t, filepath.Dir(bare))
	slow.pause.Store(int64(time.Second))
	at := freeAddr(t)
	early := make(chan int, 2)
	ask := func(path string) {
		for {
			if res, err := http.Get("http://" + at + path); err == nil {
				res.Body.Close()
				early <- res.StatusCode
				return
			} else if t.Context().Err() != nil {
				return
			}
		}
	}
	go ask("/healthz")
	go func() {
		if got := <-early; got != http.StatusServiceUnavailable {
			t.Errorf("the health check: %d", got)
		}
		ask("/api/v1/scenarios/one")
	}()
	spawn(t, nil, "--repo", slow.URL+"/rules.git", "--cache-dir", t.TempDir(), "--poll", "1h", "--addr", at)
	if got := <-early; got != http.StatusOK {
		t.Errorf("the first request: %d", got)
	}
}

// A second signal does not wait.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--drain-delay", "1h")
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.await("draining", func() bool { return strings.Contains(p.log.String(), "stopping") })
	if err := p.end(syscall.SIGTERM); err == nil || err.Error() != "exit status 143" {
		t.Errorf("ended with %v", err)
	}
}

// A process that is told to end before it has anything to serve ends well, unless
// what it would have found was all that was wanted of it.
func TestSignalDuringTheFirstLoad(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"serve": {[]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "off"}, "<nil>"},
		"check": {[]string{"check"}, "exit status 3"},
		"mcp":   {[]string{"mcp"}, "<nil>"},
	} {
		t.Run(name, func(t *testing.T) {
			slow := newSlowHost(t, filepath.Dir(bare))
			slow.after.Store(0)
			var out bytes.Buffer
			cmd := exec.Command("rulestore", append(c.args, "--repo", slow.URL+"/rules.git",
				"--cache-dir", t.TempDir())...)
			cmd.Stderr, cmd.Stdout = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			<-slow.stuck
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); fmt.Sprint(err) != c.want {
				t.Errorf("ended with %v\n%s", err, &out)
			}
			if failed := strings.Contains(out.String(), "told to end"); failed != (c.want != "<nil>") {
				t.Errorf("the output:\n%s", &out)
			}
		})
	}
}

// SIGHUP reads the repository again though no ref has moved.
func TestHangup(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	p := spawn(t, nil, "--repo", bare)
	const count = "rulestore_reload_duration_seconds_count"
	p.await("the first look", func() bool { return p.metric(count) == "2" })
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	p.await("the reload", func() bool { return p.metric(count) == "3" })
	if err := p.stop(); err != nil {
		t.Error(err)
	}
}

// SIGHUP while the process drains is no reason to break off what is under way.
func TestHangupWhileDraining(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--drain-delay", "1h")
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.await("draining", func() bool {
		status, _ := p.operator("/readyz")
		return status == http.StatusServiceUnavailable
	})
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if status, _ := p.operator("/livez"); status != http.StatusOK {
		t.Errorf("not alive: %d", status)
	}
	if err := p.end(syscall.SIGTERM); err == nil || err.Error() != "exit status 143" {
		t.Errorf("ended with %v", err)
	}
}
