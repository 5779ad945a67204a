package server_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"rulestore/server"
	"rulestore/server/observe"
)

// read is how a guideline is read.
type read struct {
	name   string
	header http.Header
	logged bool
}

// reads are the ways whose costs are compared.
func reads(etag string) []read {
	inJSON := func(header, value string) http.Header { return http.Header{"Accept": {jsonType}, header: {value}} }
	markdown := func(coding string) http.Header {
		return http.Header{"Accept": {markdownType}, "Accept-Encoding": {coding}}
	}
	return []read{
		{"200", inJSON("Accept-Encoding", "identity"), false},
		{"304", inJSON("If-None-Match", etag), false},
		{"gzip", inJSON("Accept-Encoding", "gzip"), false},
		{"br", inJSON("Accept-Encoding", "br"), false},
		{"markdown", markdown("identity"), false},
		{"markdown-gzip", markdown("gzip"), false},
		{"markdown-br", markdown("br"), false},
		{"logged", inJSON("Accept-Encoding", "identity"), true},
	}
}

// text is the request as it is sent.
func (r read) text() string {
	var b strings.Builder
	b.WriteString("GET " + benchmarked + " HTTP/1.1\r\nHost: rules.example.org\r\n")
	_ = r.header.Write(&b)
	return b.String() + "\r\n"
}

// answered is what a handler answers.
func (r read) answered(h http.Handler) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodGet, benchmarked, nil)
	req.Header = r.header
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec
}

// BenchmarkOverhead compares the processor time that a request for a guideline
// costs over real connections with that of a bare net/http handler, which
// writes the same bytes and headers (design, section 12: at most 1.10 for a 200,
// 1.08 for a 304 and 1.10 for what is compressed; with an access log, which the
// bare handler has not, 1.35). Each handler has a process of its own, so that
// nothing but the server is measured; they take turns, so that whatever else the
// machine does falls on both; see compare.
func BenchmarkOverhead(b *testing.B) {
	for _, r := range reads(ask(b, starterSite()).get(benchmarked).header.Get("Etag")) {
		b.Run(r.name, func(b *testing.B) {
			role := "rulestore"
			if r.logged {
				role += " logged"
			}
			ours, bare := startProcess(b, role, connections), startProcess(b, "bare "+r.name, connections)
			ours.request, bare.request = r.text(), r.text()
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
	for _, r := range reads("") {
		if r.name != "200" && r.name != "gzip" {
			continue
		}
		b.Run(r.name, func(b *testing.B) {
			body := []byte(ask(b, starterSite()).get(benchmarked).body)
			ours, nginx := startProcess(b, "rulestore", connections), startNginx(b, nginxFile, body)
			ours.request, nginx.request = r.text(), r.text()
			compare(b, ours, nginx, "nginx")
		})
	}
}

// logged is the handler as the command makes it for --access-log. The log is a file
// that nobody else sees.
func logged(c server.Config) http.Handler {
	f := must(os.CreateTemp("", "access-*.log"))
	_ = os.Remove(f.Name()) // it goes with the process
	return observe.Handler(server.New(c), observe.Config{Requests: counted,
		Access: slog.New(slog.NewTextHandler(f, nil))})
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

// startNginx starts nginx as one process with settings for its folder and address. What is
// benchmarked is a file in the folder if there is a body.
func startNginx(b *testing.B, settings string, body []byte) *process {
	dir := b.TempDir()
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	addr := l.Addr().String()
	l.Close()
	config := strings.NewReplacer("DIR", dir, "ADDR", addr).Replace(nginxSettings + settings + "}\n")
	for path, data := range map[string][]byte{filepath.Join(dir, benchmarked): body,
		filepath.Join(dir, "nginx.conf"): []byte(config)} {
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

// nginxSettings are of a server in one process, without a log, as ours is.
const nginxSettings = `
master_process off; daemon off; user root;
pid DIR/pid;
events { worker_connections 64; }
http {
	access_log off; sendfile on; tcp_nopush on;
	keepalive_requests 100000000;
	client_body_temp_path DIR/body; proxy_temp_path DIR/proxy; fastcgi_temp_path DIR/fastcgi;
	uwsgi_temp_path DIR/uwsgi; scgi_temp_path DIR/scgi;
`

// nginxFile has nginx serve what is in its folder, and compress it as it goes.
const nginxFile = `
	open_file_cache max=16; gzip on; gzip_types application/json; gzip_comp_level 6;
	server { listen ADDR; root DIR; default_type application/json; }
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
