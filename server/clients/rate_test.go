package clients

import (
	"net/http"
	"net/netip"
	"testing"
	"time"
)

// Over time an address gets through exactly as often as it may, and who waits as long as it is told
// gets through then.
func TestRateOverTime(t *testing.T) {
	r, now, through := NewRate(10, nil), time.Unix(1_000_000, 0), 0
	sender := netip.MustParseAddr("192.0.2.1")
	for range 10_000 { // 100 s of 100 requests a second
		if r.wait(sender, now) == 0 {
			through++
		}
		now = now.Add(10 * time.Millisecond)
	}
	if want := 100*10 + burstSeconds*10; through < want-1 || through > want+1 {
		t.Errorf("%d requests went through, want %d", through, want)
	}
	var wait time.Duration
	for range 3 { // at most two go through at this moment
		wait = r.wait(sender, now)
	}
	if wait <= 0 || wait > 100*time.Millisecond {
		t.Errorf("waits %s", wait)
	}
	if again := r.wait(sender, now.Add(wait)); again != 0 {
		t.Errorf("waits %s more after it has waited", again)
	}
	if other := r.wait(netip.MustParseAddr("192.0.2.2"), now); other != 0 {
		t.Errorf("another address waits %s", other)
	}
}

// However many addresses come, who goes on asking stays limited, and the table does not grow.
func TestRateRemembers(t *testing.T) {
	r, now := NewRate(5, nil), time.Unix(1_000_000, 0)
	sender := netip.MustParseAddr("192.0.2.1")
	for range burstSeconds * 5 {
		if wait := r.wait(sender, now); wait != 0 {
			t.Fatalf("waits %s before its credit is used up", wait)
		}
	}
	other := netip.MustParseAddr("10.0.0.0")
	for i := range 3 * maxAddresses {
		other = other.Next()
		if wait := r.wait(other, now); wait != 0 {
			t.Fatalf("newcomer %d waits %s", i, wait)
		}
		if i%10_000 == 0 && r.wait(sender, now) == 0 {
			t.Fatalf("the limit is forgotten after %d others", i)
		}
	}
	if got := len(r.recent) + len(r.older); got > 2*maxAddresses {
		t.Errorf("%d addresses are remembered", got)
	}
}

// The sender is who proxies say it is; what has no address does not wait.
func TestRateOfRequests(t *testing.T) {
	r := NewRate(1, Proxies{netip.MustParsePrefix("10.0.0.0/8")})
	from := func(remote, forwarded string) *http.Request {
		return &http.Request{RemoteAddr: remote, Header: http.Header{"X-Forwarded-For": {forwarded}}}
	}
	waits := func(request *http.Request) (n int) {
		for range 10 {
			if r.Wait(request) > 0 {
				n++
			}
		}
		return n
	}
	if got := waits(from("10.0.0.1:1", "192.0.2.1")); got < 7 {
		t.Errorf("%d of 10 requests of a client wait", got)
	}
	if got := r.Wait(from("192.0.2.1:1", "198.51.100.1")); got == 0 {
		t.Error("the same client gets through without the proxy")
	}
	if got := r.Wait(from("10.0.0.1:1", "192.0.2.2")); got != 0 {
		t.Errorf("another client of the proxy waits %s", got)
	}
	if got := waits(from("@", "")); got != 0 {
		t.Errorf("%d of 10 requests over a Unix socket wait", got)
	}
}
