package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// signal sends a signal to a process.
func (p *child) signal(s os.Signal) {
	p.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.Fatal(err)
	}
}

// One process from its start to its end. SIGHUP reads the repository and the certificate again, of which a
// broken one changes nothing; SIGTERM has it drain, which SIGHUP does not break off; a second one does not
// wait. healthcheck says how it is.
func TestSignals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := writeCertificate(t, dir, 1)
	p := spawnYoung(t, nil, "--tls-cert", cert, "--tls-key", key, "--drain-delay", "1h")
	healthy := func(args ...string) (string, error) {
		return rulestoreIn(dir, []string{
			"RULESTORE_TLS_CERT=" + cert, "RULESTORE_ADDR=" + p.addr(),
		}, append([]string{"healthcheck"}, args...)...)
	}
	serial := func() (int64, string) {
		c := &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true, DisableKeepAlives: true,
		}}
		res, err := c.Get(strings.Replace(p.url, "http:", "https:", 1) + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.TLS.PeerCertificates[0].SerialNumber.Int64(), res.Proto
	}
	if n, proto := serial(); n != 1 || proto != "HTTP/2.0" {
		t.Errorf("certificate %d over %s", n, proto)
	}
	if out, err := healthy(); err != nil || out != "ok\n" {
		t.Errorf("%v: %s", err, out)
	}
	const count = "rulestore_reload_duration_seconds_count"
	p.await("the first look", func() bool { return p.metric(count) == "2" })
	if err := os.WriteFile(key, []byte("half a ke"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.signal(syscall.SIGHUP)
	p.await("the reload", func() bool { return p.metric(count) == "3" })
	p.await("the complaint", func() bool { return strings.Contains(p.log.String(), "the old one stays") })
	if n, _ := serial(); n != 1 {
		t.Errorf("certificate %d", n)
	}
	writeCertificate(t, dir, 2)
	p.signal(syscall.SIGHUP)
	p.await("the new certificate", func() bool { n, _ := serial(); return n == 2 })
	if p.metric("rulestore_tls_certificate_expiry_timestamp_seconds") == "" {
		t.Error("nobody sees when the certificate ends")
	}

	p.signal(syscall.SIGTERM)
	p.await("draining", func() bool { status, body := p.operator("/readyz"); return status == 503 && body == "draining\n" })
	if out, err := healthy(); err == nil || !strings.Contains(out, "503") || !strings.Contains(out, "draining") {
		t.Errorf("while draining: %v: %s", err, out)
	}
	p.signal(syscall.SIGHUP)
	if status, _ := p.operator("/livez"); status != http.StatusOK {
		t.Errorf("not alive: %d", status)
	}
	if err := p.end(syscall.SIGTERM); err == nil || err.Error() != "exit status 143" {
		t.Errorf("ended with %v", err)
	}
}

// A connection that its client keeps can be used once more when the process is told to end, without any
// delay, and one that nobody uses does not keep the process for long.
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
	p.signal(syscall.SIGTERM)
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

// A process that is told to end before it has anything to serve ends well, unless what it would have found
// was all that was wanted of it.
func TestSignalDuringTheFirstLoad(t *testing.T) {
	t.Parallel()
	bare := young(t)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"serve": {[]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "off"}, "<nil>"},
		"check": {[]string{"check"}, "exit status 3"},
		"mcp":   {[]string{"mcp"}, "<nil>"},
	} {
		t.Run(name, func(t *testing.T) {
			held := newHeldHost(t, filepath.Dir(bare))
			var out bytes.Buffer
			cmd := exec.Command("rulestore", append(c.args, "--repo", held.URL+"/"+filepath.Base(bare),
				"--cache-dir", t.TempDir())...)
			cmd.Stderr, cmd.Stdout = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			<-held.asked
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

// Who asks before there is content waits for it a little, unless the question is whether there is.
func TestRequestsBeforeTheFirstContent(t *testing.T) {
	t.Parallel()
	bare := young(t)
	held := newHeldHost(t, filepath.Dir(bare))
	at := freeAddr(t)
	ask := func(path string) int {
		for t.Context().Err() == nil {
			if res, err := http.Get("http://" + at + path); err == nil {
				res.Body.Close()
				return res.StatusCode
			}
		}
		return 0
	}
	early := make(chan int, 2)
	go func() {
		early <- ask("/healthz")
		go func() { early <- ask("/api/v1/scenarios/one") }()
		held.release()
	}()
	start(t, "--repo", held.URL+"/"+filepath.Base(bare), "--cache-dir", t.TempDir(), "--poll", "1h", "--addr", at)
	if got := <-early; got != http.StatusServiceUnavailable {
		t.Errorf("the health check: %d", got)
	}
	if got := <-early; got != http.StatusOK {
		t.Errorf("the first request: %d", got)
	}
}
