package process

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"rulestore/content/i18n"
	"rulestore/server/admin"
)

// Webhooks says where git hosts may ask for a fetch.
type Webhooks struct {
	Addr   string // empty: nowhere
	Secret string // of the signatures of calls, at least [LeastSecret] characters
}

const (
	// LeastSecret is the minimum length of a secret, in characters.
	LeastSecret = 16
	// maxEvent is the maximum size of an event in bytes; GitHub sends up to 25 MB.
	maxEvent = 32 << 20
)

// hook answers git hosts on a listener of its own, which gives access to nothing else. A call only requests a
// fetch, so only its signature is checked, not its content. A nil hook receives nothing.
type hook struct {
	secret       string
	requestFetch func() // must not block
	log          *slog.Logger

	accepted, refused atomic.Uint64
	tell              rate.Sometimes // of calls that are not signed
}

func newHook(secret string, requestFetch func(), log *slog.Logger) *hook {
	return &hook{
		secret: secret, requestFetch: requestFetch, log: log, tell: rate.Sometimes{First: 1, Interval: time.Minute},
	}
}

// hearWebhooks opens the listener for git hosts, if there is to be one, and serves them until the process is closed.
func (p *Process) hearWebhooks() error {
	if p.Webhooks.Addr == "" {
		return nil
	}
	l, err := net.Listen("tcp", p.Webhooks.Addr)
	if err != nil {
		return i18n.Errorf("listen for webhooks: %w (choose another address with --webhook-addr)", err)
	}
	p.Log.Info("listening for webhooks", "addr", l.Addr().String())
	p.hook = newHook(p.Webhooks.Secret, p.follower.RequestFetch, p.Log)
	srv := newServer(p.hook)
	srv.ReadTimeout = time.Minute
	p.serve("hearing webhooks", srv, l)
	return nil
}

// counts are the numbers of received calls.
func (h *hook) counts() (c admin.Webhooks) {
	if h == nil {
		return c
	}
	return admin.Webhooks{Accepted: h.accepted.Load(), Refused: h.refused.Load()}
}

// ServeHTTP requests a fetch if the call is signed. Unsigned callers learn nothing but that
// their call is rejected.
func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "only POST is answered here", http.StatusMethodNotAllowed)
		return
	}
	signed, err := h.signed(r.Header, http.MaxBytesReader(w, r.Body, maxEvent))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		h.refused.Add(1)
		http.Error(w, "the event is too large", http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil || !signed {
		h.refused.Add(1)
		h.tell.Do(func() {
			h.log.Warn("a webhook call is not signed with the secret: others within a minute are only counted")
		})
		http.Error(w, "the signature is missing or wrong", http.StatusUnauthorized)
		return
	}
	h.accepted.Add(1)
	h.requestFetch()
	w.WriteHeader(http.StatusAccepted)
}

// signed verifies what signs a call: the HMAC-SHA-256 of the body in hex, as GitHub, Gitea and Forgejo send it in
// one header and Bitbucket in the other, or the secret itself, as GitLab does. If a call has several, all must be
// right; the SHA-1 that GitHub sends as well does not count. The body is not stored.
func (h *hook) signed(header http.Header, body io.Reader) (bool, error) {
	mac := hmac.New(sha256.New, []byte(h.secret))
	if _, err := io.Copy(mac, body); err != nil {
		return false, err
	}
	sum := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	any, right := false, true
	check := func(given, want string) {
		if given != "" && !strings.HasPrefix(given, "sha1=") {
			any, right = true, right && subtle.ConstantTimeCompare([]byte(given), []byte(want)) == 1
		}
	}
	check(header.Get("X-Hub-Signature-256"), sum)
	check(header.Get("X-Hub-Signature"), sum)
	check(header.Get("X-Gitlab-Token"), h.secret)
	return any && right, nil
}
