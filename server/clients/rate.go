package clients

import (
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	// burstSeconds is the number of seconds whose requests an address may send at once.
	burstSeconds = 2
	// maxAddresses is the number of addresses in a generation.
	maxAddresses = 1 << 16
)

// Rate limits the requests of each address. It keeps the addresses of two generations: one that
// sends nothing while as many others come as a generation holds is forgotten.
type Rate struct {
	perSecond int
	proxies   Proxies

	mu            sync.Mutex
	recent, older map[netip.Addr]*rate.Limiter
}

// NewRate returns a limit of requests per second and address ([Proxies.Sender]).
func NewRate(perSecond int, proxies Proxies) *Rate {
	return &Rate{perSecond: perSecond, proxies: proxies, recent: map[netip.Addr]*rate.Limiter{}}
}

// Wait returns how long the sender of a request has to wait; zero if the request is accepted. What
// has no address, as a proxy on a Unix socket, does not wait.
func (r *Rate) Wait(request *http.Request) time.Duration {
	sender := r.proxies.Sender(request)
	if !sender.IsValid() {
		return 0
	}
	return r.wait(sender, time.Now())
}

func (r *Rate) wait(sender netip.Addr, now time.Time) time.Duration {
	place := r.limiter(sender).ReserveN(now, 1)
	wait := place.DelayFrom(now)
	if wait > 0 {
		place.CancelAt(now)
	}
	return wait
}

// limiter returns the limiter of an address.
func (r *Rate) limiter(sender netip.Addr) *rate.Limiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.recent[sender]
	if l != nil {
		return l
	}
	if l = r.older[sender]; l == nil {
		l = rate.NewLimiter(rate.Limit(r.perSecond), burstSeconds*r.perSecond)
	}
	if len(r.recent) == maxAddresses {
		r.older, r.recent = r.recent, map[netip.Addr]*rate.Limiter{}
	}
	r.recent[sender] = l
	return l
}
