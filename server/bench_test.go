package server_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rulestore/server"
	"rulestore/server/site"
)

// serverRole is the environment variable that makes a process of the test
// binary a server of BenchmarkOverhead.
const serverRole = "RULESTORE_BENCHMARK_SERVER"

func TestMain(m *testing.M) {
	if role := os.Getenv(serverRole); role != "" {
		serveBenchmark(role)
		return
	}
	m.Run()
}

// connections and requests over each of them make a round.
const connections, requests = 4, 500

const benchmarked = "/api/v1/guidelines/product.common.001"

// BenchmarkOverhead compares the processor time that a request for a guideline
// costs over real connections with that of a bare net/http handler, which
// writes the same bytes and headers (design, section 12: at most 1.10 for a 200,
// 1.08 for a 304 and 1.10 for gzip). Each handler has a process of its own, so
// that nothing but the server is measured; they take turns, so that whatever else
// the machine does falls on both; the ratio is that of the medians.
func BenchmarkOverhead(b *testing.B) {
	r := ask(b, starterSite()).get(benchmarked)
	for _, test := range []struct{ name, headers string }{
		{"200", ""},
		{"304", "If-None-Match: " + r.header.Get("Etag") + "\r\n"},
		{"gzip", "Accept-Encoding: gzip\r\n"},
	} {
		b.Run(test.name, func(b *testing.B) {
			request := "GET " + benchmarked + " HTTP/1.1\r\nHost: rules.example.org\r\nAccept: application/json\r\n" + test.headers + "\r\n"
			ours, bare := startProcess(b, "rulestore", connections), startProcess(b, "bare "+test.name, connections)
			ours.request, bare.request = request, request
			if n := ours.measure(b); n != bare.measure(b) {
				b.Fatalf("the answers differ in length: ours has %d bytes", n)
			}
			compare(b, ours, bare, "bare")
		})
	}
}

// BenchmarkNginx compares the same with nginx, which has the same bytes in a file
// and compresses them as it goes (design, section 12).
func BenchmarkNginx(b *testing.B) {
	if _, err := exec.LookPath("nginx"); err != nil {
		b.Skip("nginx is missing: apt-get install nginx")
	}
	for _, test := range []struct{ name, headers string }{
		{"200", ""},
		{"gzip", "Accept-Encoding: gzip\r\n"},
	} {
		b.Run(test.name, func(b *testing.B) {
			request := "GET " + benchmarked + " HTTP/1.1\r\nHost: rules.example.org\r\nAccept: application/json\r\n" + test.headers + "\r\n"
			ours, nginx := startProcess(b, "rulestore", connections), startNginx(b)
			ours.request, nginx.request = request, request
			compare(b, ours, nginx, "nginx")
		})
	}
}

// compare has two servers take turns, and reports the medians of the processor
// time that a request costs, and their ratio.
func compare(b *testing.B, ours, other *process, name string) {
	servers := []*process{ours, other}
	for range 5 { // warm up
		for _, s := range servers {
			s.load(b, requests)
		}
	}
	var spent [2][]time.Duration
	for round := 0; b.Loop(); round++ {
		for turn := range 2 {
			i := (round + turn) % 2
			before := servers[i].used()
			servers[i].load(b, requests)
			spent[i] = append(spent[i], (servers[i].used()-before)/time.Duration(len(servers[i].conns)*requests))
		}
	}
	x, y := median(spent[0]), median(spent[1])
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(x), "cpu-ns/request")
	b.ReportMetric(float64(y), name+"-cpu-ns/request")
	b.ReportMetric(float64(x)/float64(y), "x-"+name)
}

func median(d []time.Duration) time.Duration { return slices.Sorted(slices.Values(d))[len(d)/2] }

// serveBenchmark listens, says where, and answers every line with the processor
// time that the process has used, until there are no more.
func serveBenchmark(role string) {
	e := site.NewEncoder()
	e.Warm(starterSite())
	go e.Run(context.Background())
	handler := handler(server.Config{Sites: serving(starterSite()), Encoder: e, Log: slog.New(slog.DiscardHandler)})
	for answered(handler, "Accept-Encoding", "gzip").Header().Get("Content-Encoding") == "" {
		time.Sleep(time.Millisecond) // until it is encoded
	}
	if tool, ok := strings.CutPrefix(role, "sdk "); ok {
		era, tool, _ := strings.Cut(tool, " ")
		handler = floor(era, tool)
	}
	switch role {
	case "mcp":
		handler = server.New(server.Config{Sites: serving(starterSite()), MCP: assistant(), Log: slog.New(slog.DiscardHandler)})
	case "bare 200":
		handler = bare(answered(handler, "", ""))
	case "bare 304":
		handler = bare(answered(handler, "If-None-Match", "*"))
	case "bare gzip":
		handler = bare(answered(handler, "Accept-Encoding", "gzip"))
	}
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	fmt.Println(l.Addr())
	go func() { panic(http.Serve(l, handler)) }()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var used syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
			panic(err)
		}
		fmt.Println(used.Utime.Nano() + used.Stime.Nano())
	}
}

// answered is what a handler answers to a request with a header.
func answered(h http.Handler, name, value string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodGet, benchmarked, nil)
	if name != "" {
		req.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec
}

// bare returns a handler that writes what another one answered, and does nothing
// else.
func bare(rec *httptest.ResponseRecorder) http.Handler {
	status, header, body := rec.Code, rec.Header(), rec.Body.Bytes()
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range header {
			for _, v := range values {
				w.Header().Add(name, v)
			}
		}
		w.WriteHeader(status)
		if len(body) > 0 {
			_, _ = w.Write(body)
		}
	})
}

// process is a server in a process of its own.
type process struct {
	role    string
	in      io.Writer
	out     *bufio.Reader
	conns   []net.Conn
	request string
	length  int                  // of an answer, known after the first
	used    func() time.Duration // the processor time that the server has used
}

func startProcess(b *testing.B, role string, connections int) *process {
	cmd := exec.CommandContext(b.Context(), must(os.Executable()))
	cmd.Env = append(os.Environ(), serverRole+"="+role)
	cmd.Stderr = os.Stderr
	in, out := must(cmd.StdinPipe()), must(cmd.StdoutPipe())
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	p := &process{role: role, in: in, out: bufio.NewReader(out)}
	p.used = func() time.Duration { return p.cpu(b) }
	p.connect(b, p.line(b), connections)
	return p
}

func (p *process) connect(b *testing.B, addr string, connections int) {
	for range connections {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { conn.Close() })
		p.conns = append(p.conns, conn)
	}
}

// startNginx starts nginx as one process with one file.
func startNginx(b *testing.B) *process {
	dir := b.TempDir()
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	addr := l.Addr().String()
	l.Close()
	file := filepath.Join(dir, benchmarked)
	config := fmt.Sprintf(nginxConfig, dir, addr)
	for path, data := range map[string][]byte{file: []byte(ask(b, starterSite()).get(benchmarked).body), filepath.Join(dir, "nginx.conf"): []byte(config)} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o600)); err != nil {
			b.Fatal(err)
		}
	}
	cmd := exec.CommandContext(b.Context(), "nginx", "-e", "stderr", "-p", dir, "-c", filepath.Join(dir, "nginx.conf"))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	for deadline := time.Now().Add(10 * time.Second); ; {
		if conn, err := net.Dial("tcp", addr); err == nil {
			conn.Close()
			break
		} else if time.Now().After(deadline) {
			b.Fatal(err)
		}
	}
	p := &process{role: "nginx", used: func() time.Duration { return scheduled(b, cmd.Process.Pid) }}
	p.connect(b, addr, connections)
	return p
}

// nginxConfig is of a server in one process, without a log, as ours is.
const nginxConfig = `
master_process off; daemon off; user root;
pid %[1]s/pid;
events { worker_connections 64; }
http {
	access_log off; sendfile on; tcp_nopush on; open_file_cache max=16;
	keepalive_requests 100000000;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
	gzip on; gzip_types application/json; gzip_comp_level 6;
	server { listen %[2]s; root %[1]s; default_type application/json; }
}
`

// scheduled is what Linux says of the processor time of a process with one
// thread.
func scheduled(b *testing.B, pid int) time.Duration {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		b.Skip(err)
	}
	running, _, _ := strings.Cut(string(raw), " ")
	n, err := strconv.ParseInt(running, 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(n)
}

func (p *process) line(b *testing.B) string {
	line, err := p.out.ReadString('\n')
	if err != nil {
		b.Fatalf("the %s server: %v", p.role, err)
	}
	return strings.TrimSpace(line)
}

// cpu returns the processor time that the server has used.
func (p *process) cpu(b *testing.B) time.Duration {
	if _, err := io.WriteString(p.in, "\n"); err != nil {
		b.Fatal(err)
	}
	n, err := strconv.ParseInt(p.line(b), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(n)
}

// load sends n requests over each connection. Every answer has the same length,
// so the client need not look into it.
func (p *process) load(b *testing.B, n int) {
	if p.length == 0 {
		p.length = p.measure(b)
	}
	var wg sync.WaitGroup
	for _, conn := range p.conns {
		wg.Go(func() {
			buf := make([]byte, p.length)
			for range n {
				if _, err := io.WriteString(conn, p.request); err != nil {
					b.Error(err)
					return
				}
				if _, err := io.ReadFull(conn, buf); err != nil || !bytes.HasPrefix(buf, []byte("HTTP/1.1 ")) {
					b.Errorf("%v: %.40q", err, buf)
					return
				}
			}
		})
	}
	wg.Wait()
}

// measure returns the length of the answer to the request, as it was sent.
func (p *process) measure(b *testing.B) int {
	var all bytes.Buffer
	p.exchange(b, p.request, io.TeeReader(p.conns[0], &all))
	return all.Len()
}

// ask returns the answer to a request, with its body read.
func (p *process) ask(b *testing.B, request string) *http.Response {
	return p.exchange(b, request, p.conns[0])
}

func (p *process) exchange(b *testing.B, request string, from io.Reader) *http.Response {
	if _, err := io.WriteString(p.conns[0], request); err != nil {
		b.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(from), nil)
	if err != nil {
		b.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp
}
