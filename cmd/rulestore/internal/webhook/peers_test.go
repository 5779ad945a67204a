package webhook

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// hooked returns a webhook that passes calls on to addresses, and hears them at one.
func hooked(own string, names ...string) *Hook {
	addr, _ := net.ResolveTCPAddr("tcp", own)
	h := &Hook{
		listener: addressed{addr: addr}, secret: "0123456789abcdef", requestFetch: func() {},
		log: slog.New(slog.DiscardHandler),
	}
	h.peers = newPeers(names, h)
	return h
}

// addressed is a listener that has no more than an address.
type addressed struct {
	net.Listener
	addr net.Addr
}

func (n addressed) Addr() net.Addr { return n.addr }

// What a replica answers leads nowhere: a redirect is not followed, and one that does not
// accept the call is a failure that is told once.
func TestForwardGoesNowhereElse(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the redirect was followed")
	}))
	defer elsewhere.Close()
	var calls atomic.Int64
	peer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	defer peer.Close()
	t.Setenv("HTTP_PROXY", elsewhere.URL)
	own := peer.Listener.Addr().String()
	h := hooked("127.0.0.1:1", own, own)
	h.peers.tellAll(t.Context())
	if h.peers.failed.Load() != 1 || calls.Load() != 1 {
		t.Errorf("%d calls, %d failures", calls.Load(), h.peers.failed.Load())
	}
	for name, at := range map[string]string{
		"its own address": own, "every address of the machine": "0.0.0.0" + own[strings.LastIndexByte(own, ':'):],
	} {
		t.Run(name, func(t *testing.T) {
			before := calls.Load()
			hooked(at, own).peers.tellAll(t.Context())
			if calls.Load() != before {
				t.Error("it calls itself")
			}
		})
	}
}

// What is passed on is signed, and says so under the signature: nobody can make a call of
// the host's one that is not passed on, or the other way round.
func TestForwardedCallsAreSigned(t *testing.T) {
	h := hooked("127.0.0.1:1", "127.0.0.1:2")
	id, now := passedOn+"1", strconv.FormatInt(time.Now().Unix(), 10)
	for name, test := range map[string]struct {
		id, signed string
		status     int
		told       int
	}{
		"passed on":         {id, id, http.StatusAccepted, 0},
		"of the host":       {"msg_1", "msg_1", http.StatusAccepted, 1},
		"the mark is added": {id, "msg_1", http.StatusUnauthorized, 0},
		"the mark is gone":  {"msg_1", id, http.StatusUnauthorized, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
			r.Header.Set("Webhook-Id", test.id)
			r.Header.Set("Webhook-Timestamp", now)
			r.Header.Set("Webhook-Signature", h.sign(test.signed, now))
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if told := len(h.peers.wanted); w.Code != test.status || told != test.told {
				t.Errorf("%d, %d told", w.Code, told)
			}
			for len(h.peers.wanted) > 0 {
				<-h.peers.wanted
			}
		})
	}
}

// A storm of calls tells the others once a second.
func TestForwardOfStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hooked("127.0.0.1:1", "127.0.0.1:2")
		var told atomic.Int64
		h.peers.client.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
			told.Add(1)
			return &http.Response{StatusCode: http.StatusAccepted, Body: http.NoBody}, nil
		})
		go h.Forward(t.Context())
		for range 1000 {
			h.peers.tell(http.Header{})
			time.Sleep(time.Millisecond)
		}
		time.Sleep(2 * forwardEvery)
		if got := told.Load(); got != 2 {
			t.Errorf("the other was told %d times", got)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
