package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rulestore/content/crash"
	"rulestore/content/i18n"
)

// replicas are the other replicas. A git host calls one address, behind which a service
// chooses one of them, so the one that is called tells the others.
//
// What is passed on is a call of its own, signed with the same secret as Standard
// Webhooks has it: the id says, under the signature, that it was passed on, so that
// nobody passes it on again. It goes to the names that an operator gave and to no other
// address: no redirect is followed and no proxy asked. However many calls come, the
// others are told once in a while.
type replicas struct {
	names  []string // host:port
	own    net.Addr // the address of this replica
	sign   func(id, at string) string
	log    *slog.Logger
	client *http.Client
	wanted chan struct{} // a call was received

	sent, failed atomic.Uint64
	burst        burst
}

const (
	// passedOn is the prefix of the ids of calls from other replicas.
	passedOn = "rulestore-replica."
	// forwardEvery is the minimum interval between forwarded calls; calls in between are forwarded
	// together.
	forwardEvery = time.Second
	// forwardTimeout is the timeout for resolving the name of a replica and for its response.
	forwardTimeout = 5 * time.Second
	// maxPeers is the maximum number of replicas.
	maxPeers = 64
)

// IsPeer reports whether a text is HOST:PORT, the form of addresses of other replicas.
func IsPeer(name string) bool {
	host, port, err := net.SplitHostPort(name)
	n, bad := strconv.ParseUint(port, 10, 16)
	return err == nil && bad == nil && n > 0 && host != ""
}

// newPeers returns the replicas to which a webhook forwards calls, nil if there are none.
func newPeers(names []string, h *Hook) *replicas {
	if len(names) == 0 {
		return nil
	}
	return &replicas{
		names: names, own: h.listener.Addr(), sign: h.sign, log: h.log, wanted: make(chan struct{}, 1),
		client: &http.Client{
			// without Proxy: that of the environment is not used
			Transport:     &http.Transport{DisableKeepAlives: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Timeout:       forwardTimeout,
		},
	}
}

// sign returns the Webhook-Signature of a call without a body.
func (h *Hook) sign(id, at string) string {
	m := hmac.New(sha256.New, h.key())
	_, _ = io.WriteString(m, id+"."+at+".")
	return "v1," + base64.StdEncoding.EncodeToString(m.Sum(nil))
}

// tell requests forwarding, if there are replicas and the call is not from one.
func (p *replicas) tell(header http.Header) {
	if p == nil || strings.HasPrefix(header.Get("Webhook-Id"), passedOn) {
		return
	}
	select {
	case p.wanted <- struct{}{}:
	default: // requested already
	}
}

// Forward forwards calls to the peers, until the context ends.
func (h *Hook) Forward(ctx context.Context) {
	if h != nil && h.peers != nil {
		h.peers.run(ctx)
	}
}

// run forwards calls on request, until the context ends.
func (p *replicas) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.wanted:
		}
		p.tellAll(ctx)
		select {
		case <-ctx.Done():
			return
		case <-time.After(forwardEvery):
		}
	}
}

// tellAll calls all replicas that are found, concurrently, and waits for their responses.
func (p *replicas) tellAll(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, forwardTimeout)
	defer cancel()
	var calls sync.WaitGroup
	for _, at := range p.find(ctx) {
		calls.Go(func() {
			err := crash.Do(func() { p.count(ctx, p.call(ctx, at)) })
			if err != nil {
				crash.Tell(p.log, err, "doing", "passing on a webhook call")
			}
		})
	}
	calls.Wait()
}

// find returns the addresses of the other replicas.
func (p *replicas) find(ctx context.Context) (all []netip.AddrPort) {
	for _, name := range p.names {
		host, port, _ := net.SplitHostPort(name) // validated before
		n, _ := strconv.ParseUint(port, 10, 16)
		found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		if err != nil {
			p.count(ctx, err)
		}
		for _, ip := range found {
			if at := netip.AddrPortFrom(ip.Unmap(), uint16(n)); !slices.Contains(all, at) && !p.isOwn(at) {
				all = append(all, at)
			}
		}
	}
	return all[:min(len(all), maxPeers)]
}

// isOwn reports whether an address is that of this replica.
func (p *replicas) isOwn(at netip.AddrPort) bool {
	own, ok := p.own.(*net.TCPAddr)
	if !ok || own.AddrPort().Port() != at.Port() {
		return false
	}
	if !own.IP.IsUnspecified() {
		return own.AddrPort().Addr().Unmap() == at.Addr()
	}
	ours, _ := net.InterfaceAddrs() // if unknown, this replica calls itself, which is harmless
	return slices.ContainsFunc(ours, func(a net.Addr) bool {
		n, ok := a.(*net.IPNet)
		return ok && n.IP.Equal(at.Addr().AsSlice())
	})
}

// call calls one replica.
func (p *replicas) call(ctx context.Context, at netip.AddrPort) error {
	target := url.URL{Scheme: "http", Host: at.String(), Path: "/"}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), http.NoBody)
	if err != nil {
		return err
	}
	id, now := passedOn+rand.Text(), strconv.FormatInt(time.Now().Unix(), 10)
	for name, value := range map[string]string{
		"Webhook-Id": id, "Webhook-Timestamp": now, "Webhook-Signature": p.sign(id, now),
	} {
		req.Header.Set(name, value)
	}
	res, err := p.client.Do(req)
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode != http.StatusAccepted {
		return i18n.Errorf("replica %s answers %s: is it of another secret?", at, res.Status)
	}
	return nil
}

// count counts a call, and logs failures at intervals: each replica also polls the host.
func (p *replicas) count(ctx context.Context, err error) {
	if err == nil {
		p.sent.Add(1)
		return
	}
	p.failed.Add(1)
	if more, ok := p.burst.tell(time.Now()); ok && ctx.Err() != context.Canceled {
		p.log.Warn(
			"a replica was not told of a webhook call, it looks by itself at its next poll", "error", err,
			"since_the_last_line", more,
		)
	}
}
