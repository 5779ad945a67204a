package main

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

func TestHealthcheck(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--drain-delay", "1h")
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
	if out, err := ask("", p.url+"/api/v1/health"); err == nil || !strings.Contains(out, "503") ||
		!strings.Contains(out, "draining") {
		t.Errorf("while draining: %v: %s", err, out)
	}
}
