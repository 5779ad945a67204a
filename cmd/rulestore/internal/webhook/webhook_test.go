package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

func sum(key, text string) []byte {
	m := hmac.New(sha256.New, []byte(key))
	_, _ = io.WriteString(m, text)
	return m.Sum(nil)
}

// Each kind of host signs in its own way, and nothing else passes.
func TestWebhookSignatures(t *testing.T) {
	const secret, key, body = "correct horse battery", "0123456789abcdef0123456789abcdef", `{"ref":"refs/heads/main"}`
	whsec := "whsec_" + base64.StdEncoding.EncodeToString([]byte(key))
	hexed := func(key string) string { return hex.EncodeToString(sum(key, body)) }
	standard := func(key, id string, at time.Time) map[string]string {
		stamp := strconv.FormatInt(at.Unix(), 10)
		return map[string]string{"webhook-id": id, "webhook-timestamp": stamp,
			"webhook-signature": "v1,AAAA v1," + base64.StdEncoding.EncodeToString(sum(key, id+"."+stamp+"."+body))}
	}
	with := func(m map[string]string, more ...string) map[string]string {
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	now := time.Now()
	for name, c := range map[string]struct {
		secret  string
		headers map[string]string
		ok      bool
	}{
		"GitHub": {secret, map[string]string{"X-Hub-Signature-256": "sha256=" + hexed(secret)},
			true},
		"GitHub, with the old one too": {secret, map[string]string{"X-Hub-Signature-256": "sha256=" + hexed(secret),
			"X-Hub-Signature": "sha1=0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33"}, true},
		"Bitbucket": {secret, map[string]string{"X-Hub-Signature": "sha256=" + hexed(secret)}, true},
		"Gitea": {secret, map[string]string{"X-Gitea-Signature": hexed(secret),
			"X-Hub-Signature-256": "sha256=" + hexed(secret)}, true},
		"GitLab, a token":          {secret, map[string]string{"X-Gitlab-Token": secret}, true},
		"GitLab, signed":           {whsec, standard(key, "msg_1", now), true},
		"GitLab, both":             {whsec, with(standard(key, "msg_1", now), "X-Gitlab-Token", whsec), true},
		"a plain secret, standard": {secret, standard(secret, "msg_1", now), true},

		"GitHub, the old one alone": {secret,
			map[string]string{"X-Hub-Signature": "sha1=0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33"}, false},
		"unsigned": {secret, nil, false},
		"empty":    {secret, map[string]string{"X-Hub-Signature-256": "sha256="}, false},
		"another secret": {secret, map[string]string{"X-Hub-Signature-256": "sha256=" + hexed("another")},
			false},
		"no prefix":           {secret, map[string]string{"X-Hub-Signature-256": hexed(secret)}, false},
		"a wrong token":       {secret, map[string]string{"X-Gitlab-Token": secret + " "}, false},
		"a part of the token": {secret, map[string]string{"X-Gitlab-Token": secret[:10]}, false},
		"one right, one wrong": {secret, map[string]string{"X-Gitlab-Token": secret,
			"X-Hub-Signature-256": "sha256=00"}, false},
		"signed long ago":       {whsec, standard(key, "msg_1", now.Add(-6*time.Minute)), false},
		"signed in the future":  {whsec, standard(key, "msg_1", now.Add(6*time.Minute)), false},
		"no time":               {whsec, with(standard(key, "msg_1", now), "webhook-timestamp", "soon"), false},
		"another id":            {whsec, with(standard(key, "msg_1", now), "webhook-id", "msg_2"), false},
		"standard, another key": {whsec, standard(key[1:], "msg_1", now), false},
	} {
		t.Run(name, func(t *testing.T) {
			fetches := 0
			var log strings.Builder
			h := &Hook{
				secret: c.secret, requestFetch: func() { fetches++ }, log: slog.New(slog.NewTextHandler(&log, nil)),
			}
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
	h := &Hook{secret: "correct horse battery", requestFetch: func() { t.Error("a nudge") },
		log: slog.New(slog.DiscardHandler)}
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
	h := &Hook{
		secret: "0123456789abcdef", requestFetch: func() { fetches++ }, log: slog.New(slog.NewTextHandler(&log, nil)),
	}
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
	if more, ok := h.burst.tell(time.Now().Add(time.Hour)); !ok || more != 999 {
		t.Errorf("the next line says %d, %t", more, ok)
	}
}
