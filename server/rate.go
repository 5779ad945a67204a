package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"

	"rulestore/server/clients"
)

// Rate limits the requests of each client. It stores one time per client, the theoretical
// arrival time of its next request (generic cell rate algorithm, GCRA). A client is forgotten
// once that time has passed, and never before; since the number of entries is limited, new
// clients wait if there are too many.
type Rate struct {
	cost    time.Duration // of a request
	burst   time.Duration // how far the arrival time of a client may be ahead of the clock
	proxies clients.Proxies
	shards  [rateShards]rateShard
	now     func() time.Time
}

// A rateShard has the clients of some networks, in two generations. The arrival time of a client is at
// most the burst ahead of the clock, so it has passed once the client has sent nothing for that long.
type rateShard struct {
	mu              sync.Mutex
	current         map[netip.Prefix]time.Time // arrival times of those with requests in this generation
	previous        map[netip.Prefix]time.Time // of those in the previous generation
	members         map[netip.Prefix]int       // number of clients in current by /48
	generationStart time.Time
}

const (
	rateShards = 16
	// maxClients is the maximum number of clients in a generation of a shard.
	maxClients = 4096
	// burstSeconds is the number of seconds whose requests may be sent at once.
	burstSeconds = 2
	// networkClients is the number of IPv6 clients, each a /64, whose rate one /48 has.
	networkClients = 16
	// networkMembers is the maximum number of clients of a /48 in a generation, so that one /48
	// leaves room for others.
	networkMembers = 128
)

// NewRate returns a limit of requests per second. The client is taken from X-Forwarded-For in
// requests from the networks of proxies; else it is the peer.
func NewRate(perSecond int, proxies []netip.Prefix) *Rate {
	return &Rate{
		cost: time.Second / time.Duration(perSecond), burst: burstSeconds * time.Second, proxies: proxies,
		now: time.Now,
	}
}

// wait returns the time that the client has to wait; zero if the request is accepted.
func (r *Rate) wait(req *http.Request) time.Duration {
	if r == nil {
		return 0
	}
	client := r.proxies.Sender(req)
	if !client.IsValid() { // a local socket, as of a proxy that names no client
		return 0
	}
	return r.shard(clients.Network(client)).charge(r.accounts(client), r.now(), r.burst)
}

// accounts are charged for a request of a client: its own and, with IPv6, that of its network.
func (r *Rate) accounts(client netip.Addr) []account {
	self := account{of: netip.PrefixFrom(client, client.BitLen()), cost: r.cost}
	if !client.Is6() {
		return []account{self}
	}
	self.in = clients.Network(client)
	return []account{self, {of: self.in, cost: r.cost / networkClients}}
}

// shard returns the shard of a network and its clients.
func (r *Rate) shard(network netip.Prefix) *rateShard {
	sum := 0
	for _, b := range network.Addr().As16() {
		sum = sum*31 + int(b)
	}
	return &r.shards[uint(sum)%rateShards]
}

// An account is charged for requests.
type account struct {
	of   netip.Prefix
	in   netip.Prefix // the /48 of an IPv6 client
	cost time.Duration
}

// charge charges a request to all accounts, or returns how long to wait.
func (s *rateShard) charge(accounts []account, now time.Time, burst time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rotate(now, burst)
	accounts = slices.DeleteFunc(accounts, s.networkFull)
	for _, a := range accounts {
		if ahead := s.nextArrival(a, now).Sub(now) - burst; ahead > 0 {
			return ahead
		}
		if !s.isCurrent(a) && len(s.current) >= maxClients {
			return s.generationStart.Add(burst).Sub(now)
		}
	}
	for _, a := range accounts {
		if !s.isCurrent(a) && a.in.IsValid() {
			s.members[a.in]++
		}
		s.current[a.of] = s.nextArrival(a, now)
	}
	return 0
}

// networkFull reports whether an account is that of another client of a /48 with the maximum number of
// clients. Then only the network is charged, for no more than its share.
func (s *rateShard) networkFull(a account) bool {
	_, known := s.previous[a.of]
	return a.in.IsValid() && !known && !s.isCurrent(a) && s.members[a.in] >= networkMembers
}

func (s *rateShard) isCurrent(a account) bool {
	_, known := s.current[a.of]
	return known
}

// nextArrival returns the theoretical arrival time of an account after one more request.
func (s *rateShard) nextArrival(a account, now time.Time) time.Time {
	arrival, known := s.current[a.of]
	if !known {
		arrival = s.previous[a.of]
	}
	if arrival.Before(now) {
		arrival = now
	}
	return arrival.Add(a.cost)
}

// rotate begins a new generation when the arrival times of the previous one have passed.
func (s *rateShard) rotate(now time.Time, burst time.Duration) {
	age := now.Sub(s.generationStart)
	if age < burst {
		return
	}
	if s.previous = s.current; age >= 2*burst {
		s.previous = nil
	}
	s.current, s.members, s.generationStart = map[netip.Prefix]time.Time{}, map[netip.Prefix]int{}, now
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
