// Package webhook receives push notifications of git hosts.
package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rulestore/cmd/rulestore/internal/background"
	"rulestore/content/i18n"
)

// Config is the configuration of a [Hook].
type Config struct {
	Addr         string // listen address
	Secret       string // of the signatures of calls, at least [LeastSecret] characters
	RequestFetch func() // requests a fetch; it must not block
	Log          *slog.Logger
}

// Hook has a listener of its own, which gives access to nothing else. A call only requests a
// fetch, so only its signature is checked, not its content. A nil Hook receives nothing.
type Hook struct {
	listener     net.Listener
	secret       string
	requestFetch func()
	log          *slog.Logger

	accepted, refused atomic.Uint64
	burst             burst
}

// burst is a series of unsigned calls, which are logged once a minute.
type burst struct {
	mu    sync.Mutex
	told  time.Time
	later uint64 // number of calls since the last line
}

const burstEvery = time.Minute

// tell reports whether a line is due, and the number of calls since the last one.
func (b *burst) tell(now time.Time) (more uint64, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.told.IsZero() && now.Sub(b.told) < burstEvery {
		b.later++
		return 0, false
	}
	more, b.later, b.told = b.later, 0, now
	return more, true
}

const (
	// LeastSecret is the minimum length of a secret, in characters.
	LeastSecret = 16
	// maxEvent is the maximum size of an event in bytes; GitHub sends up to 25 MB.
	maxEvent = 32 << 20
	// drift is the accepted clock difference to a host that signs the time.
	drift = 5 * time.Minute
)

// Listen opens the listener for [Hook.Run].
func Listen(c Config) (*Hook, error) {
	l, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return nil, i18n.Errorf("listen for webhooks: %w (choose another address with --webhook-addr)", err)
	}
	c.Log.Info("listening for webhooks", "addr", l.Addr().String())
	return &Hook{listener: l, secret: c.Secret, requestFetch: c.RequestFetch, log: c.Log}, nil
}

// Close closes the listener, if it is open.
func (h *Hook) Close() {
	if h != nil {
		_ = h.listener.Close() // Run may have closed it
	}
}

// Counts are the numbers of received calls.
type Counts struct{ Accepted, Refused uint64 }

// Counts returns the counts since Listen.
func (h *Hook) Counts() (c Counts) {
	if h == nil {
		return c
	}
	return Counts{h.accepted.Load(), h.refused.Load()}
}

// Run serves until the context ends.
func (h *Hook) Run(ctx context.Context) {
	if h == nil {
		return
	}
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          background.ErrorLog(h.log),
	}
	if err := background.Serve(ctx, srv, h.listener); err != nil {
		h.log.Error("webhooks are not heard any more, the poll goes on", "error", err)
	}
}

// ServeHTTP requests a fetch if the call is signed. Unsigned callers learn nothing but that
// their call is rejected.
func (h *Hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "only POST is answered here", http.StatusMethodNotAllowed)
		return
	}
	signed, err := h.signed(r.Header, http.MaxBytesReader(w, r.Body, maxEvent), time.Now())
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		h.refused.Add(1)
		http.Error(w, "the event is too large", http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil || !signed {
		h.refused.Add(1)
		if more, ok := h.burst.tell(time.Now()); ok {
			h.log.Warn(
				"a webhook call is not signed with the secret: others within a minute are only counted",
				"since_the_last_line", more,
			)
		}
		http.Error(w, "the signature is missing or wrong", http.StatusUnauthorized)
		return
	}
	h.accepted.Add(1)
	h.requestFetch()
	w.WriteHeader(http.StatusAccepted)
}

// signed verifies the signatures in the headers. Each type of host has its own; if a call has
// several, all must be valid. The body is not stored.
func (h *Hook) signed(header http.Header, body io.Reader, now time.Time) (bool, error) {
	var checks []func() bool
	var sums []io.Writer
	mac := func(key []byte, before string, right func(sum []byte) bool) {
		m := hmac.New(sha256.New, key)
		_, _ = io.WriteString(m, before)
		sums = append(sums, m)
		checks = append(checks, func() bool { return right(m.Sum(nil)) })
	}
	for name, prefix := range hexHeaders {
		// GitHub still sends the SHA-1 signature, too.
		if given := header.Get(name); given != "" && !strings.HasPrefix(given, "sha1=") {
			mac([]byte(h.secret), "", func(sum []byte) bool { return sameText(given, prefix+hex.EncodeToString(sum)) })
		}
	}
	if given := header.Get("X-Gitlab-Token"); given != "" { // a secret, not a signature
		checks = append(checks, func() bool { return sameText(given, h.secret) })
	}
	if given := header.Get("Webhook-Signature"); given != "" {
		id, at := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
		mac(h.key(), id+"."+at+".", func(sum []byte) bool { return recent(at, now) && listed(given, sum) })
	}
	if _, err := io.Copy(io.MultiWriter(append(sums, io.Discard)...), body); err != nil {
		return false, err
	}
	ok := len(checks) > 0
	for _, right := range checks {
		ok = right() && ok
	}
	return ok, nil
}

// hexHeaders have the HMAC-SHA-256 of the body in hex: that of GitHub, which Gitea and Forgejo
// send too, of Bitbucket and of Gitea.
var hexHeaders = map[string]string{
	"X-Hub-Signature-256": "sha256=",
	"X-Hub-Signature":     "sha256=",
	"X-Gitea-Signature":   "",
}

// key is the secret according to Standard Webhooks, as GitLab's signing tokens are: whsec_ and
// base64, else the bytes themselves.
func (h *Hook) key() []byte {
	if encoded, ok := strings.CutPrefix(h.secret, "whsec_"); ok {
		if key, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			return key
		}
	}
	return []byte(h.secret)
}

// recent reports whether a time, in seconds since 1970, is close to now, so that an old call
// cannot be replayed.
func recent(at string, now time.Time) bool {
	seconds, err := strconv.ParseInt(at, 10, 64)
	return err == nil && now.Sub(time.Unix(seconds, 0)).Abs() <= drift
}

// listed reports whether a signature is in a Webhook-Signature header, which is a list separated
// by spaces.
func listed(given string, sum []byte) bool {
	found := false
	for _, one := range strings.Fields(given) {
		found = sameText(one, "v1,"+base64.StdEncoding.EncodeToString(sum)) || found
	}
	return found
}

// sameText reports whether two texts are equal, in constant time.
func sameText(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
