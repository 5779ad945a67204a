//go:build slow

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestFaultWebhooks has a storm of calls come over a server, as many that are not signed as
// are: it fetches a few times, says little, and serves what was pushed.
func TestFaultWebhooks(t *testing.T) {
	t.Parallel()
	calls := times(300, 3000)
	bare, a := newYoung(t)
	secret, hook := filepath.Join(t.TempDir(), "secret"), freeAddr(t)
	if err := os.WriteFile(secret, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := spawn(
		t, nil, "--repo", "file://"+filepath.ToSlash(bare), "--cache-dir", t.TempDir(), "--poll", "1h",
		"--webhook-addr", hook, "--webhook-secret-file", secret,
	)
	before := strings.Count(p.log.String(), "\n")
	a.retitle(common, "В бурю")
	a.git("tag", "-a", "-m", "Новое название", "guidelines/"+common+"/v1.8.0")
	var storm sync.WaitGroup
	for caller := range 8 {
		storm.Go(func() {
			for range calls / 8 {
				callHook(t, hook)
				if res, err := client.Post(
					"http://"+hook+"/", "application/json", strings.NewReader("{}"),
				); err != nil || res.StatusCode != http.StatusUnauthorized {
					t.Errorf("caller %d, a call that is not signed: %v, %v", caller, res, err)
				} else {
					res.Body.Close()
				}
			}
		})
	}
	a.push()
	storm.Wait()
	callHook(t, hook)
	p.await("what was pushed", func() bool { return p.title(common) == "В бурю" })
	fetches, _ := strconv.Atoi(p.metric(`rulestore_fetches_total{result="succeeded"}`))
	lines := strings.Count(p.log.String(), "\n") - before
	if refused := p.metric(`rulestore_webhook_calls_total{result="refused"}`); refused != strconv.Itoa(calls/8*8) ||
		lines > 20+fetches {
		t.Errorf("%s were refused, %d lines were logged:\n%s", refused, lines, p.log)
	}
	t.Logf(
		"%d calls, half of them signed, while a version was pushed: it is served after %d fetches, %d lines were logged",
		2*calls, fetches, lines,
	)
}

// callHook calls a webhook as GitHub does.
func callHook(t *testing.T, addr string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, "http://"+addr+"/", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	m := hmac.New(sha256.New, []byte("0123456789abcdef"))
	_, _ = io.WriteString(m, "{}")
	req.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(m.Sum(nil)))
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusAccepted {
		t.Fatal(res.Status)
	}
}

func TestWebhookSecrets(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		file, env, says string
	}{
		"none":          {"", "", "needs the secret that the host signs with"},
		"short":         {"", "swordfish", "too short: at least 16"},
		"no such file":  {filepath.Join(dir, "gone"), "", "read the secret"},
		"an empty line": {file("empty", "\n0123456789abcdef"), "", "first line of"},
		"a large file":  {file("large", strings.Repeat("x", maxSecret+1)), "", "at most"},
		"the variable":  {"", "0123456789abcdef", ""},
		"the file":      {file("good", "0123456789abcdef\r\n"), "swordfish", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := &env{getenv: func(string) string { return c.env }}
			secret, err := (&remoteFlags{webhookAddr: "127.0.0.1:0", webhookSecretIn: c.file}).webhookSecret(e)
			if c.says == "" {
				if err != nil || secret != "0123456789abcdef" {
					t.Fatalf("%q, %v", secret, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, expected %q", err, c.says)
			} else if c.env != "" && strings.Contains(err.Error(), c.env) {
				t.Errorf("the error gives the secret away: %v", err)
			}
		})
	}
}
