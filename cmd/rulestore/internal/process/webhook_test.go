package process

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func sum(key, text string) []byte {
	m := hmac.New(sha256.New, []byte(key))
	_, _ = io.WriteString(m, text)
	return m.Sum(nil)
}

// Each kind of host signs in its own way, and nothing else passes.
func TestWebhookSignatures(t *testing.T) {
	const secret, body = "correct horse battery", `{"ref":"refs/heads/main"}`
	hexed := func(key string) string { return hex.EncodeToString(sum(key, body)) }
	for name, c := range map[string]struct {
		headers map[string]string
		ok      bool
	}{
		"GitHub": {map[string]string{"X-Hub-Signature-256": "sha256=" + hexed(secret)},
			true},
		"GitHub, with the old one too": {map[string]string{"X-Hub-Signature-256": "sha256=" + hexed(secret),
			"X-Hub-Signature": "sha1=0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33"}, true},
		"Gitea and Bitbucket": {map[string]string{"X-Hub-Signature-256": "sha256=" + hexed(secret),
			"X-Hub-Signature": "sha256=" + hexed(secret)}, true},
		"Bitbucket":       {map[string]string{"X-Hub-Signature": "sha256=" + hexed(secret)}, true},
		"GitLab, a token": {map[string]string{"X-Gitlab-Token": secret}, true},

		"GitHub, the old one alone": {
			map[string]string{"X-Hub-Signature": "sha1=0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33"}, false},
		"unsigned": {nil, false},
		"empty":    {map[string]string{"X-Hub-Signature-256": "sha256="}, false},
		"another secret": {map[string]string{"X-Hub-Signature-256": "sha256=" + hexed("another")},
			false},
		"no prefix":           {map[string]string{"X-Hub-Signature-256": hexed(secret)}, false},
		"a wrong token":       {map[string]string{"X-Gitlab-Token": secret + " "}, false},
		"a part of the token": {map[string]string{"X-Gitlab-Token": secret[:10]}, false},
		"one right, one wrong": {map[string]string{"X-Gitlab-Token": secret,
			"X-Hub-Signature-256": "sha256=00"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			fetches := 0
			var log strings.Builder
			h := newHook(secret, func() { fetches++ }, slog.New(slog.NewTextHandler(&log, nil)))
			r := httptest.NewRequest(http.MethodPost, "/any/path", strings.NewReader(body))
			for k, v := range c.headers {
				r.Header.Set(k, v)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			want, fetched := http.StatusUnauthorized, 0
			if c.ok {
				want, fetched = http.StatusAccepted, 1
			}
			if w.Code != want || fetches != fetched {
				t.Errorf("%d, %d fetches", w.Code, fetches)
			}
			if peer, _, _ := strings.Cut(r.RemoteAddr, ":"); strings.Contains(log.String(), peer) ||
				c.ok != (log.String() == "") {
				t.Errorf("the log: %s", log.String())
			}
		})
	}
}

// A body of any size is read in a little memory, and one that is too large is
// not read to its end.
func TestWebhookLimits(t *testing.T) {
	h := newHook("correct horse battery", func() { t.Error("a nudge") }, slog.New(slog.DiscardHandler))
	flood := &flood{}
	r := httptest.NewRequest(http.MethodPost, "/", flood)
	r.Header.Set("X-Gitlab-Token", "correct horse battery")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusRequestEntityTooLarge || flood.n > maxEvent+1<<20 {
		t.Errorf("%d after %d bytes", w.Code, flood.n)
	}
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != http.MethodPost {
		t.Errorf("%d, %v", w.Code, w.Header())
	}
}

// flood is a reader that never ends, and counts.
type flood struct{ n int }

func (c *flood) Read(p []byte) (int, error) { c.n += len(p); return len(p), nil }

// Of a storm of calls that are not signed one line is logged, and all are counted.
func TestWebhookStorm(t *testing.T) {
	var log strings.Builder
	fetches := 0
	h := newHook("0123456789abcdef", func() { fetches++ }, slog.New(slog.NewTextHandler(&log, nil)))
	for range 1000 {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}")))
		if w.Code != http.StatusUnauthorized {
			t.Fatal(w.Code)
		}
	}
	signed := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
	signed.Header.Set("X-Gitlab-Token", h.secret)
	h.ServeHTTP(httptest.NewRecorder(), signed)
	if n := strings.Count(log.String(), "\n"); n != 1 || h.refused.Load() != 1000 || h.accepted.Load() != 1 ||
		fetches != 1 {
		t.Errorf("%d lines, %d refused, %d accepted, %d fetches", n, h.refused.Load(), h.accepted.Load(), fetches)
	}
}
