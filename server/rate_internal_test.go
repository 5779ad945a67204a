package server

import (
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"time"
)

func from(remote string, forwarded ...string) *http.Request {
	return &http.Request{RemoteAddr: remote, Header: http.Header{"X-Forwarded-For": forwarded}}
}

// Only proxies are believed, and only as far as they are ours.
func TestRateClient(t *testing.T) {
	r := NewRate(1, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")})
	for _, test := range []struct {
		request *http.Request
		want    string
	}{
		{from("192.0.2.1:1"), "192.0.2.1"},
		{from("192.0.2.1:1", "198.51.100.1"), "192.0.2.1"},
		{from("10.0.0.1:1"), "10.0.0.1"},
		{from("10.0.0.1:1", "198.51.100.1"), "198.51.100.1"},
		{from("10.0.0.1:1", "1.1.1.1, 198.51.100.1, 10.2.0.1"), "198.51.100.1"},
		{from("10.0.0.1:1", "1.1.1.1", "198.51.100.1"), "198.51.100.1"},
		{from("10.0.0.1:1", "198.51.100.1, nonsense"), "10.0.0.1"},
		{from("[fd00::1]:1", "2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::"},
		{from("[::ffff:10.0.0.1]:1", "::ffff:198.51.100.1"), "198.51.100.1"},
		{from("[2001:db8::1%eth0]:1"), "2001:db8::"},
		{from("@"), "invalid IP"},
	} {
		if got, _ := r.client(test.request); got.String() != test.want {
			t.Errorf("%s %v: %s, want %s", test.request.RemoteAddr, test.request.Header, got, test.want)
		}
	}
}

// Over time a client gets through exactly as often as it may, however it spreads
// its requests.
func TestRateOverTime(t *testing.T) {
	now := time.Unix(0, 0)
	r := NewRate(10, nil)
	r.now = func() time.Time { return now }
	through := 0
	for range 10_000 { // 100 s of 100 requests a second
		if r.wait(from("192.0.2.1:1")) == 0 {
			through++
		}
		now = now.Add(10 * time.Millisecond)
	}
	if want := 100*10 + burstSeconds*10; through < want-1 || through > want+1 {
		t.Errorf("%d requests went through, want %d", through, want)
	}
	var wait time.Duration
	for range 3 { // at most two go through at this moment
		wait = r.wait(from("192.0.2.1:1"))
	}
	if wait <= 0 || wait > 100*time.Millisecond {
		t.Errorf("waits %s", wait)
	}
	now = now.Add(wait)
	if again := r.wait(from("192.0.2.1:1")); again != 0 {
		t.Errorf("waits %s more after it has waited", again)
	}
}

// A crowd of addresses does not make the process grow.
func TestRateForgets(t *testing.T) {
	r := NewRate(1, nil)
	for i := range 4 * rateShards * maxClients {
		r.wait(from(fmt.Sprintf("10.%d.%d.%d:1", i>>16&255, i>>8&255, i&255)))
	}
	clients := 0
	for i := range r.shards {
		clients += len(r.shards[i].paid)
	}
	if clients > rateShards*maxClients || clients < rateShards*maxClients/2 {
		t.Errorf("%d clients are remembered", clients)
	}
}
