package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
)

// An operator sees what the process does, and the public sees nothing of it.
func TestOperatorsAreAnswered(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	p := spawn(t, nil, "--repo", bare, "--access-log", "--log-format", "json", "--pprof")
	// the log is JSON, so the address stands elsewhere
	p.admin = "http://" + between(p.log.String(), `"addr":"`, `"`)
	for _, path := range []string{"/livez", "/readyz", "/debug/pprof/cmdline"} {
		if status, body := p.operator(path); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, body)
		}
		if got := p.mustGet(path, "*/*").status; got != http.StatusNotFound {
			t.Errorf("the public gets %d at %s", got, path)
		}
	}
	p.mustGet("/api/v1/search?q=ТАЙНА&scenario=fraud_risk", "*/*")
	p.mustGet("/TAJNA?x=TAJNA", "*/*")
	snapshot := p.mustGet("/", "*/*").header.Get("X-Snapshot")
	if status, body := p.operator("/metrics"); status != http.StatusOK || !strings.Contains(body, `snapshot="`+snapshot+`"`) || strings.Contains(body, "TAJNA") {
		t.Errorf("metrics: %d\n%s", status, body)
	}
	swapped := p.metric(`rulestore_reloads_total{result="swapped"}`)
	a.retitle(common, "Новое")
	a.git("tag", "-a", "guidelines/"+common+"/v1.2.0", "-m", "Новое")
	a.push()
	p.await("the swap", func() bool { return p.metric(`rulestore_reloads_total{result="swapped"}`) != swapped })
	if got := p.metric(`rulestore_http_requests_total{representation="json",route="/api/v1/search",status="200"}`); got != "1" {
		t.Errorf("%q searches were counted", got)
	}
	if log := p.log.String(); strings.Contains(log, "ТАЙНА") || strings.Contains(log, "TAJNA") || !strings.Contains(log, `"route":"/api/v1/search"`) {
		t.Errorf("the log:\n%s", log)
	}
}

func between(s, before, after string) string {
	_, s, _ = strings.Cut(s, before)
	s, _, _ = strings.Cut(s, after)
	return s
}

// On SIGTERM the process first says that it wants no more requests, answers those
// that come all the same and those under way, and ends well.
func TestDrain(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--drain-delay", "15s", "--read-timeout", "1m") // time for all that is asked below
	slow, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "GET / HTTP/1.1\r\nHost: a\r\n") // under way, and not complete
	if status, _ := p.operator("/readyz"); status != http.StatusOK {
		t.Errorf("not ready: %d", status)
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.await("readiness", func() bool { status, body := p.operator("/readyz"); return status == 503 && body == "draining\n" })
	if status, _ := p.operator("/livez"); status != http.StatusOK {
		t.Errorf("not alive while draining: %d", status)
	}
	if got := p.mustGet("/api/v1/health", "*/*").status; got != http.StatusServiceUnavailable {
		t.Errorf("health while draining: %d", got)
	}
	if err := agree(p.mustGet("/api/v1/guidelines/"+common, "*/*")); err != nil {
		t.Errorf("while draining: %v", err)
	}
	for _, c := range calls { // a kept connection ends by the answer, whoever gives it
		req, err := http.NewRequest(c.method, p.url+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if res, err := client.Do(req); err != nil || !res.Close || res.StatusCode != http.StatusOK {
			t.Errorf("%s while draining: %v, %v", c.name, res, err)
		} else {
			res.Body.Close()
		}
	}
	fmt.Fprintf(slow, "\r\n")
	if res, err := http.ReadResponse(bufio.NewReader(slow), nil); err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("the request under way: %v, %v", res, err)
	}
	if err := <-p.done; err != nil {
		t.Errorf("ended with %v\n%s", err, p.log)
	}
	p.done <- nil
}

// A connection that its client keeps can be used once more when the process is told to end,
// without any delay, and one that nobody uses does not keep the process for long.
func TestDrainKeptConnections(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil)
	kept := crowd(t, p.url, 2)
	const ping = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 40\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`
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
	manyProcesses(t)
	t.Parallel()
	bare, _ := newYoung(t)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"serve": {[]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "off"}, "<nil>"},
		"check": {[]string{"serve", "--check"}, "exit status 3"},
		"mcp":   {[]string{"mcp"}, "<nil>"},
	} {
		t.Run(name, func(t *testing.T) {
			slow := newSlowHost(t, filepath.Dir(bare))
			slow.after.Store(0)
			var out bytes.Buffer
			cmd := exec.Command("rulestore", append(c.args, "--repo", slow.URL+"/rules.git", "--cache-dir", t.TempDir())...)
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

// A server that listens on every address says which one its content names if nobody
// told it: one that can be connected to, and not from elsewhere.
func TestListensEverywhere(t *testing.T) {
	t.Parallel()
	const warning = "clients elsewhere"
	s := start(t, "--repo", young(t), "--addr", ":0")
	own := strings.Replace(s.url, "127.0.0.1", "localhost", 1)
	if body := string(s.mustGet("/", "*/*").body); !strings.Contains(body, `"canonical_base_url":"`+own+`"`) {
		t.Errorf("the manifest: %s", body)
	}
	if log := s.log.String(); !strings.Contains(log, warning) || !strings.Contains(log, own) {
		t.Errorf("no warning in\n%s", log)
	}
	for _, args := range [][]string{{"--addr", ":0", "--base-url", baseURL}, {}} {
		if log := start(t, append(args, "--repo", young(t))...).log.String(); strings.Contains(log, warning) {
			t.Errorf("%v: a warning in\n%s", args, log)
		}
	}
}

// SIGHUP while the process drains is no reason to break off what is under way.
func TestHangupWhileDraining(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--drain-delay", "1h")
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.await("draining", func() bool { status, _ := p.operator("/readyz"); return status == http.StatusServiceUnavailable })
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

// What the first load took, fetching and reading, is in the log and in the metrics.
func TestFirstLoadIsMeasured(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	slow := newSlowHost(t, filepath.Dir(bare))
	const pause = 500 * time.Millisecond
	slow.pause.Store(int64(pause))
	p := spawn(t, nil, "--repo", slow.URL+"/rules.git", "--cache-dir", t.TempDir(), "--poll", "1h")
	var m []string
	p.await("the line of the log", func() bool {
		m = regexp.MustCompile(`msg=loaded .* took=(\S+)`).FindStringSubmatch(p.log.String())
		return m != nil
	})
	if took, err := time.ParseDuration(m[1]); err != nil || took < pause {
		t.Errorf("took %s, %v", m[1], err)
	}
	if sum, err := strconv.ParseFloat(p.metric("rulestore_reload_duration_seconds_sum"), 64); err != nil || sum < pause.Seconds() {
		t.Errorf("the metric says %v s, %v", sum, err)
	}
}

// manager stands in for systemd: it listens for what the process says.
func manager(t *testing.T) (*net.UnixConn, string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn, name
}

// told waits for a state.
func told(t *testing.T, conn *net.UnixConn, want string) {
	t.Helper()
	buf := make([]byte, 1<<10)
	for {
		if err := conn.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
			t.Fatal(err)
		}
		n, err := conn.Read(buf)
		if err != nil {
			t.Fatalf("the process does not say %s: %v", want, err)
		}
		if strings.HasPrefix(string(buf[:n]), want) {
			return
		}
	}
}

// The process tells the service manager when it is ready, alive, reloading and
// stopping.
func TestNotify(t *testing.T) {
	t.Parallel()
	conn, name := manager(t)
	p := spawnYoung(t, func(c *exec.Cmd) { c.Env = append(os.Environ(), "NOTIFY_SOCKET="+name, "WATCHDOG_USEC=100000") })
	told(t, conn, "READY=1\nSTATUS=serving snapshot ")
	told(t, conn, "WATCHDOG=1")
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	told(t, conn, "RELOADING=1")
	told(t, conn, "READY=1")
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	told(t, conn, "STOPPING=1")
}

// With the variables of OpenTelemetry a collector gets traces, the last of them
// when the process ends.
func TestTraces(t *testing.T) {
	t.Parallel()
	batches := make(chan []byte, 100)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("%s: %v", r.URL, err)
		}
		batches <- raw
	}))
	defer collector.Close()
	p := spawnYoung(t, func(c *exec.Cmd) { c.Env = append(os.Environ(), "OTEL_EXPORTER_OTLP_ENDPOINT="+collector.URL) })
	p.mustGet("/api/v1/search?q=TAJNA&scenario=fraud_risk", "*/*")
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	close(batches)
	var all []byte
	for raw := range batches {
		all = append(all, raw...)
	}
	if !bytes.Contains(all, []byte("GET /api/v1/search")) || bytes.Contains(all, []byte("TAJNA")) {
		t.Errorf("the collector got %q", all)
	}
}

// Sessions and streams of MCP are counted, go through everything that observes
// requests, and do not keep the process from ending.
func TestAssistantsAreObserved(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--access-log")
	session := ""
	send := func(method, body string) *http.Response {
		t.Helper()
		req, err := http.NewRequest(method, p.url+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
		if method == http.MethodPost {
			req.Header.Set("Accept", "application/json, text/event-stream")
		}
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		res, err := (&http.Client{}).Do(req) // a stream has no end to wait for
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { res.Body.Close() })
		return res
	}
	res := send(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"TAJNA","version":"1"}}}`)
	session = res.Header.Get("Mcp-Session-Id")
	if res.StatusCode != http.StatusOK || session == "" {
		t.Fatalf("%d %v", res.StatusCode, res.Header)
	}
	send(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if stream := send(http.MethodGet, ""); stream.StatusCode != http.StatusOK || !strings.HasPrefix(stream.Header.Get("Content-Type"), "text/event-stream") {
		t.Errorf("the stream: %d %v", stream.StatusCode, stream.Header)
	}
	if sessions, streams := p.metric("rulestore_mcp_sessions"), p.metric("rulestore_mcp_streams"); sessions != "1" || streams != "1" {
		t.Errorf("%s sessions, %s streams", sessions, streams)
	}
	if got := p.metric(`rulestore_http_requests_total{representation="none",route="/mcp",status="202"}`); got != "1" {
		t.Errorf("%q notifications were counted", got)
	}
	if err := p.stop(); err != nil {
		t.Errorf("ended with %v", err)
	}
	if log := p.log.String(); strings.Contains(log, "TAJNA") || strings.Contains(log, session) || !strings.Contains(log, "route=/mcp") {
		t.Errorf("the log:\n%s", log)
	}
}

func TestRateOfRequests(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--rate", "5", "--trusted-proxies", "127.0.0.0/8")
	p.await("too many requests", func() bool {
		return p.ask("/", "X-Forwarded-For", "198.51.100.1").status == http.StatusTooManyRequests
	})
	if got := p.ask("/", "X-Forwarded-For", "198.51.100.2").status; got != http.StatusOK {
		t.Errorf("another client gets %d", got)
	}
}

// systemd's own program hands over the sockets, so that a restart loses no
// connection.
func TestSocketActivation(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("systemd-socket-activate"); err != nil {
		t.Skip("systemd-socket-activate is missing")
	}
	addr, operators := freeAddr(t), freeAddr(t)
	cmd := exec.Command("systemd-socket-activate", "-l", addr, "-l", operators, "--fdname=http:admin",
		rulestore(t), "serve", "--addr", "256.0.0.1:1", "--admin-addr", "256.0.0.1:1")
	log := &lockedBuffer{}
	cmd.Stderr, cmd.Stdout = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	s := &running{T: t, url: "http://" + addr, log: log}
	s.await("the socket", func() bool { a, err := s.get("/healthz", "*/*"); return err == nil && a.status == 200 })
	if got := s.mustGet("/", "*/*").status; got != 200 {
		t.Errorf("status %d", got)
	}
	at := &process{running: s, admin: "http://" + operators}
	if status, _ := at.operator("/readyz"); status != 200 {
		t.Errorf("operators get %d", status)
	}
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

// freeAddr returns an address that nobody listens on.
func freeAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A second server on one machine does without operators, unless told where to
// answer them.
func TestAdminAddressTaken(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	f := logFlags{format: "text", level: "info"}
	first, err := net.Listen("tcp", adminDefault)
	if err == nil {
		defer first.Close()
	}
	l, err := adminFlags{addr: adminDefault}.listen(nil, f.logger(&log))
	if l != nil || err != nil || !strings.Contains(log.String(), "choose one with --admin-addr") {
		t.Errorf("%v, %v, %s", l, err, &log)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if _, err := (adminFlags{addr: taken.Addr().String()}).listen(nil, f.logger(io.Discard)); err == nil {
		t.Error("an address that is taken was accepted")
	}
}

func TestHealthcheck(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--drain-delay", "2s")
	ask := func(env string, args ...string) (string, error) {
		cmd := exec.Command("rulestore", append([]string{"healthcheck"}, args...)...)
		cmd.Env = append(os.Environ(), env)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := ask("", p.url+"/healthz"); err != nil || out != "ok\n" {
		t.Errorf("%v: %s", err, out)
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(p.url, "http://"))
	for _, host := range []string{"", "0.0.0.0", "127.0.0.1"} {
		if out, err := ask("RULESTORE_ADDR=" + host + ":" + port); err != nil {
			t.Errorf("at %q: %v: %s", host, err, out)
		}
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.await("draining", func() bool { status, _ := p.operator("/readyz"); return status == 503 })
	if out, err := ask("", p.url+"/api/v1/health"); err == nil || !strings.Contains(out, "503") || !strings.Contains(out, "draining") {
		t.Errorf("while draining: %v: %s", err, out)
	}
}

func TestGroupLimit(t *testing.T) {
	files := func(content ...string) fs.FS {
		all := fstest.MapFS{}
		for i := 0; i < len(content); i += 2 {
			all[content[i]] = &fstest.MapFile{Data: []byte(content[i+1])}
		}
		return all
	}
	for _, test := range []struct {
		name string
		root fs.FS
		want int64
	}{
		{"no control groups", files(), math.MaxInt64},
		{"a container", files("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/memory.max", "536870912\n"), 512 << 20},
		{"without a limit", files("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/memory.max", "max\n"), math.MaxInt64},
		{"a service in a slice with less", files(
			"proc/self/cgroup", "0::/system.slice/rulestore.service\n",
			"sys/fs/cgroup/system.slice/rulestore.service/memory.max", "1000\n",
			"sys/fs/cgroup/system.slice/memory.max", "900\n"), 900},
		{"version 1", files("proc/self/cgroup", "11:memory:/a\n"), math.MaxInt64},
		{"version 1 with a limit", files(
			"proc/self/cgroup", "12:cpu,cpuacct:/a\n11:hugetlb,memory:/a/b\n1:name=systemd:/a\n",
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "2000\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1500\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"), 1500},
		{"version 1 in a container", files(
			"proc/self/cgroup", "11:memory:/docker/abc\n0::/docker/abc\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n"), 256 << 20},
		{"version 1 without a limit", files(
			"proc/self/cgroup", "11:memory:/a\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n"), math.MaxInt64},
		{"out of the tree", files("proc/self/cgroup", "0::/../..\n"), math.MaxInt64},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := groupLimit(test.root); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}

// Connections are bounded by what there is least of.
func TestMaxConnections(t *testing.T) {
	for _, test := range []struct {
		name   string
		files  uint64
		memory int64
		want   int
	}{
		{"few files", 1024, math.MaxInt64, 768},
		{"no limit of files", math.MaxUint64, math.MaxInt64, 786432},
		{"512 MiB", 1 << 20, 512 << 20, 6241},
		{"hardly any memory", 1 << 20, 1 << 10, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := maxConnections(test.files, test.memory); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}
