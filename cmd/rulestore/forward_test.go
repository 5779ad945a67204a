package main

import (
	"encoding/hex"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A call that reaches one replica has all of them fetch; each is called once, and nobody
// passes on what was passed on.
func TestWebhookReachesReplicas(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	hooks := []string{freeAddr(t), freeAddr(t), freeAddr(t)}
	var all []*process
	for _, hook := range hooks {
		all = append(all, spawn(t, nil, "--repo", "file://"+filepath.ToSlash(bare), "--cache-dir", t.TempDir(),
			"--poll", "1h",
			"--webhook-addr", hook, "--webhook-secret-file", secret, "--webhook-peers", strings.Join(hooks, ",")))
	}
	a.retitle(common, "Услышали все")
	a.git("tag", "-a", "-m", "Новое название", "guidelines/"+common+"/v1.8.0")
	a.push()
	callHook(t, hooks[0])
	for _, p := range all {
		p.await("what was pushed", func() bool { return p.title(common) == "Услышали все" })
	}
	all[0].await("the answers of the others", func() bool {
		return all[0].metric(`rulestore_webhook_forwards_total{result="accepted"}`) == "2"
	})
	for i, p := range all {
		if got := p.metric(`rulestore_webhook_calls_total{result="accepted"}`); got != "1" {
			t.Errorf("replica %d was called %s times", i, got)
		}
		if got := p.metric(`rulestore_webhook_forwards_total{result="accepted"}`); i > 0 && got != "0" {
			t.Errorf("replica %d passed on %s calls", i, got)
		}
	}
	if err := all[2].stop(); err != nil {
		t.Error(err)
	}
	callHook(t, hooks[1])
	all[1].await("the one that is away", func() bool {
		return all[1].metric(`rulestore_webhook_forwards_total{result="failed"}`) == "1"
	})
}

// TestFaultWebhooks has a storm of calls come over a server, as many that are not signed as
// are: it fetches a few times, says little, and serves what was pushed.
func TestFaultWebhooks(t *testing.T) {
	manyProcesses(t)
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
	req.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(sum("0123456789abcdef", "{}")))
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusAccepted {
		t.Fatal(res.Status)
	}
}

// hooked returns a webhook that passes calls on to addresses, and hears them at one.
func hooked(own string, names ...string) *webhook {
	addr, _ := net.ResolveTCPAddr("tcp", own)
	h := &webhook{
		listener: addressed{addr: addr}, secret: "0123456789abcdef", nudge: func() {},
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
		go h.forward(t.Context())
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

func TestPeersThatCannotBe(t *testing.T) {
	for _, peers := range []string{
		"rulestore", "rulestore:", ":8090", "rulestore:0", "rulestore:70000", "http://rulestore:8090/x",
	} {
		t.Run(peers, func(t *testing.T) {
			f := remoteFlags{webhookAddr: ":8090", webhookPeers: []string{peers}}
			if err := f.check("https://git.example.org/rules.git"); err == nil ||
				!strings.Contains(err.Error(), fmt.Sprintf("%q", peers)) {
				t.Errorf("%v", err)
			}
		})
	}
	if err := (&remoteFlags{webhookPeers: []string{"a:1"}}).check("https://git.example.org/rules.git"); err == nil {
		t.Error("who hears nothing passes nothing on")
	}
}
