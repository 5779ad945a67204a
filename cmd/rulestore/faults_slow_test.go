//go:build slow

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rulestore/cmd/rulestore/internal/process"
)

// What happens to a server in the years that it runs. Each test says what it did
// and what it saw: scripts/faults/run prints that.

// TestFaultKill kills the process without warning, at any moment of fetching, loading, building and swapping.
// Nothing is lost that was pushed, and no restart serves anything else than a process that was never killed.
func TestFaultKill(t *testing.T) {
	t.Parallel()
	kills := times(4, 500)
	bare, a := newYoung(t)
	never := start(t, "--repo", bare, "--base-url", baseURL)
	args := []string{"--repo", "file://" + bare, "--cache-dir", t.TempDir(), "--poll", "1s", "--base-url", baseURL}
	for i := range kills {
		p, err := trySpawn(t, nil, args...)
		if err != nil {
			t.Fatalf("after %d kills: %v", i, err)
		}
		pushed := make(chan struct{})
		go func() {
			defer close(pushed)
			a.publish(fmt.Sprintf("1.%d.0", i+2), fmt.Sprintf("Название %d", i))
		}()
		if i%2 == 0 {
			<-pushed // the swap is under way
		}
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond) // the moment is the subject
		_ = p.end(syscall.SIGKILL)
		<-pushed
	}
	last := spawn(t, nil, args...)
	newest := fmt.Sprintf("/api/v1/guidelines/%s/versions/1.%d.0", common, kills+1)
	for _, s := range []*running{last.running, never} {
		s.await("the last publication", func() bool { return s.mustGet(newest, "*/*").status == http.StatusOK })
	}
	compare(t, "the kills", last.everything(), never.everything())
	t.Logf("killed %d times while as many versions were pushed: what is served then is what was pushed", kills)
}

// TestFaultDisk takes away the right to write any file, and the place that the
// log goes to. The service reads, so that it goes on serving and following.
func TestFaultDisk(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("a full disk is missing: %v", err)
	}
	defer full.Close()
	for i, c := range []struct {
		name    string
		prepare func(*exec.Cmd)
	}{
		{"no file can be written", func(c *exec.Cmd) {
			c.Args = append([]string{"sh", "-c", `ulimit -f 0; exec "$0" "$@"`, c.Path}, c.Args[1:]...)
			c.Path = "/bin/sh"
		}},
		{"the disk of the log is full", func(c *exec.Cmd) { c.Stderr = full }},
	} {
		p := spawn(t, c.prepare, "--repo", bare, "--access-log")
		a.publish(fmt.Sprintf("1.%d.0", 2+i), c.name)
		p.await("the push", func() bool { return p.title(common) == c.name })
		if err := p.stop(); err != nil {
			t.Errorf("%s: ended with %v", c.name, err)
		}
		t.Logf("%s: a push was served all the same, and the process ended well", c.name)
	}
}

// twins starts two servers: one to attack, and one to compare its memory with,
// since that which a start takes comes and goes.
func twins(t *testing.T) (p *child, grown func() int64) {
	t.Helper()
	thrifty := func(c *exec.Cmd) { c.Env = append(os.Environ(), "GOGC=100") }
	p, twin := spawnYoung(t, thrifty), spawnYoung(t, thrifty)
	return p, func() int64 {
		for _, s := range []*child{p, twin} {
			if err := agree(s.mustGet("/api/v1/guidelines/"+common, "*/*")); err != nil {
				t.Error(err)
			}
		}
		return p.memory() - twin.memory()
	}
}

// tolerated is by how much the memory of two processes may differ that did much
// the same. It is less than what the attacks send.
const tolerated = 48 << 20

// TestFaultConnections opens nearly as many connections as there may be, each of
// which was used once. Whoever comes then is served at once.
func TestFaultConnections(t *testing.T) {
	const n = process.Connections - 100 // some are left for us
	p := spawnYoung(t, nil)
	before := p.memory()
	for i := range n {
		c := crowd(t, p.url, 1)[0]
		if status, err := request(c, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"); status != http.StatusOK {
			t.Fatalf("connection %d: %d, %v", i, status, err)
		}
	}
	if got, _ := strconv.ParseFloat(p.metric("rulestore_http_connections"), 64); int(got) < n {
		t.Errorf("%v connections are open, %d were opened", got, n)
	}
	if err := agree(p.mustGet("/api/v1/guidelines/"+common, "*/*")); err != nil {
		t.Error(err)
	}
	each := (p.memory() - before) / int64(n)
	if each > 128<<10 {
		t.Errorf("each connection takes %d bytes", each)
	}
	t.Logf("%d connections open: %d bytes of memory each, and a request is answered as before", n, each)
}

// TestFaultSlowReaders asks for much and reads nothing. The process lets go of
// such clients, and others do not notice them.
func TestFaultSlowReaders(t *testing.T) {
	t.Parallel()
	const clients = 100
	p := spawnYoung(t, nil)
	for _, c := range crowd(t, p.url, clients) {
		_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
		for range 40 { // more than the buffers of the system take
			_ = c.SetWriteDeadline(time.Now().Add(time.Second))
			if _, err := io.WriteString(c, "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
				break // cut off already
			}
		}
	}
	busy := p.metric("rulestore_http_requests_in_flight")
	for range 20 {
		if err := agree(p.mustGet("/api/v1/guidelines/"+common, "*/*")); err != nil {
			t.Fatal(err)
		}
	}
	p.await("the end of the slow ones", func() bool {
		n, _ := strconv.Atoi(p.metric("rulestore_http_connections"))
		return p.metric("rulestore_http_requests_in_flight") == "0" && n <= 8 // those of our own client
	})
	t.Logf("%d clients asked for 40 large documents each and read nothing: %s answers were stuck, others were "+
		"served, all are cut off", clients, busy)
}

// TestFaultHeaders sends 64 MB of headers, in one line and in many.
func TestFaultHeaders(t *testing.T) {
	t.Parallel()
	p, grown := twins(t)
	const begun = "GET / HTTP/1.1\r\nHost: a\r\n"
	for name, text := range map[string]string{
		"one line":   begun + "X-Much: " + strings.Repeat("a", 64<<20) + "\r\n\r\n",
		"many lines": begun + strings.Repeat("X-Much: "+strings.Repeat("a", 1014)+"\r\n", 64<<10) + "\r\n",
		"the target": "GET /" + strings.Repeat("a", 64<<20) + " HTTP/1.1\r\nHost: a\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			c := crowd(t, p.url, 1)[0]
			go func() { _, _ = io.WriteString(c, text) }()
			_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
			answer, _ := bufio.NewReader(c).ReadString('\n') // the connection may be reset before it is read
			if answer != "" && !strings.HasPrefix(answer, "HTTP/1.1 431 ") {
				t.Errorf("%q", answer)
			}
		})
	}
	if n := grown(); n > tolerated {
		t.Errorf("the process grew by %d bytes", n)
	}
}

// TestFaultBomb sends bodies that would be gigabytes if anybody unpacked or kept
// them.
func TestFaultBomb(t *testing.T) {
	t.Parallel()
	p, grown := twins(t)
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	if _, err := io.Copy(w, io.LimitReader(endless{}, 256<<20)); errors.Join(err, w.Close()) != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/v1/guidelines/" + common, "/api/v1/math/tools/loan_payment", "/mcp"} {
		for name, body := range map[string]io.Reader{"a bomb": bytes.NewReader(bomb.Bytes()),
			"an endless body": io.LimitReader(endless{}, 1<<30)} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+path, body)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Encoding", "gzip")
			req.Header.Set("Content-Type", "application/json")
			if res, err := client.Do(req); err == nil { // else the connection was closed before the body was sent
				if res.StatusCode < 400 || res.StatusCode >= 500 {
					t.Errorf("%s with %s: %d", path, name, res.StatusCode)
				}
				res.Body.Close()
			}
		}
	}
	if n := grown(); n > tolerated {
		t.Errorf("the process grew by %d bytes", n)
	}
	t.Logf("bodies of %d bytes that unpack to 256 MB, and of 1 GB: refused, and the process did not grow", bomb.Len())
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
