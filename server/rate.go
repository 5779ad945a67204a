package server

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Rate limits how many requests each client may send. It keeps one time for a
// client, that at which all it has sent will have been paid for (the generic cell
// rate algorithm), and never more than so many clients.
type Rate struct {
	cost    time.Duration  // of a request
	burst   time.Duration  // how far ahead a client may be
	proxies []netip.Prefix // those whose word counts on who the client is
	shards  [rateShards]rateShard
	now     func() time.Time
}

type rateShard struct {
	mu   sync.Mutex
	paid map[netip.Addr]time.Time
}

const (
	rateShards = 16
	// maxClients is how many clients are remembered in a shard. A crowd of
	// addresses makes the limit forget, never the process grow.
	maxClients = 4096
	// burstSeconds is for how long a client may have been silent to its credit.
	burstSeconds = 2
)

// NewRate returns a limit of so many requests a second. The header
// X-Forwarded-For names the client in requests from the networks of proxies; else
// it is the peer.
func NewRate(perSecond int, proxies []netip.Prefix) *Rate {
	r := &Rate{cost: time.Second / time.Duration(perSecond), burst: burstSeconds * time.Second, proxies: proxies, now: time.Now}
	for i := range r.shards {
		r.shards[i].paid = map[netip.Addr]time.Time{}
	}
	return r
}

// wait returns how long the client has to wait; zero means that the request
// goes ahead.
func (r *Rate) wait(req *http.Request) time.Duration {
	if r == nil {
		return 0
	}
	client, ok := r.client(req)
	if !ok { // a socket of this machine, that is a proxy that names nobody
		return 0
	}
	bytes := client.As16()
	sum := 0
	for _, b := range bytes {
		sum = sum*31 + int(b)
	}
	return r.shards[uint(sum)%rateShards].take(client, r.now(), r.cost, r.burst)
}

// take lets a client pay for a request, or tells it how long to wait.
func (s *rateShard) take(client netip.Addr, now time.Time, cost, burst time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	paid, known := s.paid[client]
	if paid.Before(now) {
		paid = now
	}
	paid = paid.Add(cost)
	if ahead := paid.Sub(now) - burst; ahead > 0 {
		return ahead
	}
	if !known && len(s.paid) >= maxClients {
		s.forget(now)
	}
	s.paid[client] = paid
	return 0
}

// forget makes room: among a few clients it forgets those who have paid for
// everything, or at least one.
func (s *rateShard) forget(now time.Time) {
	looked := 0
	for client, paid := range s.paid {
		if looked++; looked > 32 {
			return
		}
		if looked == 1 || paid.Before(now) {
			delete(s.paid, client)
		}
	}
}

// client returns who sent a request: the peer or, if that is a proxy, the last
// address before it that is none. The part of an IPv6 address that its owner
// chooses freely does not count.
func (r *Rate) client(req *http.Request) (netip.Addr, bool) {
	peer, err := netip.ParseAddrPort(req.RemoteAddr)
	if err != nil {
		return netip.Addr{}, false
	}
	client := peer.Addr().Unmap()
	hops := strings.Split(strings.Join(req.Header["X-Forwarded-For"], ","), ",")
	for i := len(hops) - 1; i >= 0 && r.isProxy(client); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		client = hop.Unmap().WithZone("")
	}
	if client.Is6() {
		client = netip.PrefixFrom(client, 64).Masked().Addr()
	}
	return client, true
}

func (r *Rate) isProxy(a netip.Addr) bool {
	for _, p := range r.proxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// tooMany answers a client that has to wait.
func tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	seconds := int((wait + time.Second - 1) / time.Second)
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	problem{
		Status: http.StatusTooManyRequests, Code: "too_many_requests",
		Detail: "Слишком много запросов от одного клиента. Повторите через " + strconv.Itoa(seconds) + " с.",
	}.write(w, r)
}
