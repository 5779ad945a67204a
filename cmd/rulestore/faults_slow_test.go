//go:build slow

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/cmd/rulestore/internal/limits"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
	"rulestore/server/site"
)

// What happens to a server in the years that it runs. Each test says what it did
// and what it saw: scripts/faults/run prints that.

// TestFaultKill kills the process without warning, at any moment of fetching, loading,
// building and swapping. Nothing is lost that was pushed, and no restart serves anything
// else than a process that was never killed.
func TestFaultKill(t *testing.T) {
	t.Parallel()
	kills := times(4, 250)
	t.Cleanup(func() {
		t.Logf(
			"killed %d times while as many versions were pushed, half of them over a mirror: what is served then is "+
				"what was pushed",
			2*kills,
		)
	})
	for name, follow := range map[string]func(bare, cache string) []string{
		"a repository on this machine": func(bare, _ string) []string { return []string{"--repo", bare} },
		"a mirror": func(bare, cache string) []string {
			return []string{"--repo", "file://" + bare, "--cache-dir", cache, "--poll", "1s"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bare, a := newYoung(t)
			killed(
				t, a, kills, append(follow(bare, t.TempDir()), "--base-url", baseURL),
				start(t, "--repo", bare, "--base-url", baseURL),
			)
			gitIn(t, bare, "fsck", "--strict")
		})
	}
}

// killed kills servers with these flags while their author pushes, and compares what the
// last one serves with one that was never killed.
func killed(t *testing.T, a *clone, kills int, args []string, never *running) {
	t.Helper()
	for i := range kills {
		p, err := trySpawn(t, nil, args...)
		if err != nil {
			t.Fatalf("after %d kills: %v", i, err)
		}
		pushed := make(chan struct{})
		go func() {
			defer close(pushed)
			a.retitle(common, fmt.Sprintf("Название %d", i))
			a.git("tag", "-a", fmt.Sprintf("guidelines/%s/v1.%d.0", common, i+2), "-m", "Версия")
			a.push()
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
	for path, want := range never.everything() {
		accept, path, _ := strings.Cut(path, " ")
		if got := last.mustGet(path, accept); !strings.Contains(want, string(fetchedAt.ReplaceAll(got.body, nil))) {
			t.Errorf("%s differs after the kills", path)
		}
	}
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
	for name, prepare := range map[string]func(*exec.Cmd){
		"no file can be written": func(c *exec.Cmd) {
			c.Args = append([]string{"sh", "-c", `ulimit -f 0; exec "$0" "$@"`, c.Path}, c.Args[1:]...)
			c.Path = "/bin/sh"
		},
		"the disk of the log is full": func(c *exec.Cmd) { c.Stderr = full },
	} {
		p := spawn(t, prepare, "--repo", bare, "--access-log")
		version := fmt.Sprintf("1.%d.0", 2+len(name)) // any that is new
		a.retitle(common, name)
		a.git("tag", "-a", "guidelines/"+common+"/v"+version, "-m", name)
		a.push()
		p.await(version, func() bool {
			return p.mustGet("/api/v1/guidelines/"+common+"/versions/"+version, "*/*").status == http.StatusOK
		})
		if err := p.stop(); err != nil {
			t.Errorf("%s: ended with %v", name, err)
		}
		t.Logf("%s: a push was served all the same, and the process ended well", name)
	}
}

// TestFaultClock sets the clock forward and back by days. What is served is that
// of the day that the clock says, the same each time it says so.
func TestFaultClock(t *testing.T) {
	t.Parallel()
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	source, err := gitrepo.InMemory(script)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 20, 23, 59, 59, 0, time.UTC)
	p := follow.New(follow.Config{
		Loader: loader.New(loader.Config{
			Source: source, Schemas: schemas.Embedded(), Now: func() time.Time { return now },
		}),
		Log: slog.New(slog.DiscardHandler),
	})
	p.Site = site.Config{BaseURL: baseURL, Schemas: schemas.Embedded()}
	seen := map[string]string{}
	for _, jump := range []time.Duration{0, 2 * time.Second, -2 * time.Second, 400 * 24 * time.Hour,
		-400 * 24 * time.Hour, -time.Hour, 24 * time.Hour} {
		now = now.Add(jump)
		p.Look(t.Context())
		served := p.Current()
		date := served.Snapshot.Date
		if want := now.UTC().Format(time.DateOnly); date != want {
			t.Errorf("at %s the snapshot of %s is served", now, date)
		}
		if before, ok := seen[date]; ok && before != served.ID {
			t.Errorf("the snapshot of %s was %s and is now %s", date, before, served.ID)
		}
		seen[date] = served.ID
	}
	t.Logf("the clock was set 6 times, to %d days: each has one snapshot, whichever way it was reached", len(seen))
}

// twins starts two servers: one to attack, and one to compare its memory with,
// since that which a start takes comes and goes.
func twins(t *testing.T) (p *process, grown func() int64) {
	t.Helper()
	thrifty := func(c *exec.Cmd) { c.Env = append(os.Environ(), "GOGC=100") }
	p, twin := spawnYoung(t, thrifty), spawnYoung(t, thrifty)
	return p, func() int64 {
		for _, s := range []*process{p, twin} {
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

// TestFaultConnections opens as many connections as the machine gives, ten
// thousand at best, each of which was used once. Whoever comes then is served at
// once.
func TestFaultConnections(t *testing.T) {
	n := min(10_000, limits.Connections()) // not parallel: it takes most files there are
	if n < 1_000 {
		t.Skipf("only %d connections can be open: ulimit -n", n)
	}
	p := spawnYoung(t, nil, "--max-connections", strconv.Itoa(n+100))
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

// TestFaultConnectionLimit has as many connections as there may be: whoever comes then waits, and is
// answered when one ends.
func TestFaultConnectionLimit(t *testing.T) {
	t.Parallel()
	const most, whole = 50, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
	p := spawnYoung(t, nil, "--max-connections", strconv.Itoa(most))
	all := crowd(t, p.url, most)
	for _, c := range all {
		if status, err := request(c, whole); status != http.StatusOK {
			t.Fatalf("%d, %v", status, err)
		}
	}
	if open := p.metric("rulestore_http_connections"); open != strconv.Itoa(most) {
		t.Errorf("%s connections are open", open)
	}
	late := crowd(t, p.url, 1)[0]
	answered := make(chan int, 1)
	go func() {
		status, _ := request(late, whole)
		answered <- status
	}()
	select {
	case status := <-answered:
		t.Errorf("answered with %d beyond the limit", status)
	case <-time.After(300 * time.Millisecond):
	}
	all[0].Close()
	if status := <-answered; status != http.StatusOK {
		t.Errorf("%d when there is room", status)
	}
	if err := p.stop(); err != nil {
		t.Errorf("ended with %v", err)
	}
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

// TestFaultSlowWriters sends requests byte by byte.
func TestFaultSlowWriters(t *testing.T) {
	t.Parallel()
	const clients = 200
	p := spawnYoung(t, nil)
	var cut sync.WaitGroup
	for _, c := range crowd(t, p.url, clients) {
		cut.Go(func() {
			for _, b := range []byte("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: " + strings.Repeat("a", 10_000)) {
				if _, err := c.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Error("a slow writer was never cut off")
		})
	}
	for range 20 {
		if err := agree(p.mustGet("/api/v1/guidelines/"+common, "*/*")); err != nil {
			t.Fatal(err)
		}
	}
	cut.Wait()
	t.Logf("%d clients sent 50 bytes a second: all were cut off, others were served meanwhile", clients)
}

// TestFaultHeaders sends 64 MB of headers, in one line and in many.
func TestFaultHeaders(t *testing.T) {
	t.Parallel()
	p, grown := twins(t)
	for name, line := range map[string]string{
		"one line":   "X-Much: " + strings.Repeat("a", 64<<20) + "\r\n",
		"many lines": strings.Repeat("X-Much: "+strings.Repeat("a", 1014)+"\r\n", 64<<10),
		"the target": "",
	} {
		t.Run(name, func(t *testing.T) {
			c := crowd(t, p.url, 1)[0]
			start := "GET / HTTP/1.1\r\nHost: a\r\n"
			if line == "" {
				start = "GET /" + strings.Repeat("a", 64<<20) + " HTTP/1.1\r\nHost: a\r\n"
			}
			go func() { _, _ = io.WriteString(c, start+line+"\r\n") }()
			_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
			answer, _ := bufio.NewReader(c).ReadString('\n') // the connection may be reset before it is read
			if answer != "" && !strings.HasPrefix(answer, "HTTP/1.1 431 ") {
				t.Errorf("%s: %q", name, answer)
			}
			t.Logf("64 MB of headers, %s: %q", name, strings.TrimSpace(answer))
		})
	}
	if n := grown(); n > tolerated {
		t.Errorf("the process grew by %d bytes", n)
	}
}

// TestFaultMalformed sends what is not HTTP, and HTTP that two parsers could
// read differently.
func TestFaultMalformed(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil)
	for name, text := range map[string]string{
		"nothing of HTTP":          "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
		"no version":               "GET /\r\n\r\n",
		"version 9":                "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
		"no host":                  "GET / HTTP/1.1\r\n\r\n",
		"two hosts":                "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
		"a space before the colon": "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
		"a folded line":            "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
		"two lengths":              "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
		"a length and chunks":      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
		"a negative length":        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
		"a NUL in the target":      "GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
		"a space in the target":    "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
		"a bare CR":                "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
		"percent of nothing":       "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
		"a host with a path":       "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			c := crowd(t, p.url, 1)[0]
			status, err := request(c, text)
			if err == nil && (status < 400 || status >= 500) && status != http.StatusHTTPVersionNotSupported &&
				status != http.StatusNotImplemented {
				t.Errorf("%s: %d", name, status)
			}
			t.Logf("%s: %d", name, status)
		})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		c := crowd(t, p.url, 1)[0]
		garbage := make([]byte, 1+random.IntN(500))
		for i := range garbage {
			garbage[i] = byte(random.IntN(256))
		}
		_, _ = c.Write(garbage)
		c.Close()
	}
	if err := agree(p.mustGet("/api/v1/guidelines/"+common, "*/*")); err != nil {
		t.Error(err)
	}
	if log := p.log.String(); strings.Contains(log, "panic") {
		t.Errorf("the log:\n%s", log)
	}
}

// TestFaultHost poisons everything by which a request can say where it went.
func TestFaultHost(t *testing.T) {
	t.Parallel()
	const evil = "evil.example"
	p := spawnYoung(t, nil)
	for _, path := range []string{"/", "/llms.txt", "/api/v1/guidelines/" + common, "/nowhere",
		"/.well-known/service-for-robots.json"} {
		want := p.mustGet(path, "*/*")
		for _, header := range []string{"Host", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Original-Url",
			"X-Rewrite-Url", "Origin", "Referer"} {
			value := evil
			if header == "Forwarded" {
				value = "host=" + evil
			}
			got := p.ask(path, header, value, "Accept", "*/*")
			if text := fmt.Sprint(got.header) + string(got.body); strings.Contains(text, evil) ||
				got.status != want.status {
				t.Errorf("%s with %s: %d\n%s", path, header, got.status, text)
			}
		}
		c := crowd(t, p.url, 1)[0]
		if status, err := request(c, "GET http://"+evil+path+" HTTP/1.1\r\nHost: "+evil+
			"\r\n\r\n"); status != want.status {
			t.Errorf("%s as a proxy would ask: %d, %v", path, status, err)
		}
	}
	t.Logf("eight headers and an absolute target named %s: no answer does", evil)
}

// TestFaultBomb sends bodies that would be gigabytes if anybody unpacked or kept
// them.
func TestFaultBomb(t *testing.T) {
	t.Parallel()
	p, grown := twins(t)
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	zeros := make([]byte, 1<<20)
	for range 256 {
		if _, err := w.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"GET", "POST", "PUT"} {
		for _, path := range []string{"/api/v1/guidelines/" + common, "/api/v1/math/tools/loan_payment", "/mcp"} {
			for name, body := range map[string]io.Reader{"a bomb": bytes.NewReader(bomb.Bytes()),
				"an endless body": io.LimitReader(endless{}, 1<<30)} {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				req, err := http.NewRequestWithContext(ctx, method, p.url+path, body)
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Content-Encoding", "gzip")
				req.Header.Set("Content-Type", "application/json")
				res, err := client.Do(req)
				if err == nil { // else the connection was closed before the body was sent
					if method != "GET" && (res.StatusCode < 400 || res.StatusCode >= 500) {
						t.Errorf("%s %s with %s: %d", method, path, name, res.StatusCode)
					}
					res.Body.Close()
				}
				cancel()
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
