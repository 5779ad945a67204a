package server

import (
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"time"
)

func from(remote string) *http.Request { return &http.Request{RemoteAddr: remote} }

// stopped returns a limit whose clock is moved by hand.
func stopped(perSecond int) (*Rate, *time.Time) {
	now := time.Unix(1_000_000, 0)
	r := NewRate(perSecond, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	r.now = func() time.Time { return now }
	return r, &now
}

// Over time a client gets through exactly as often as it may, however it spreads
// its requests.
func TestRateOverTime(t *testing.T) {
	r, now := stopped(10)
	through := 0
	for range 10_000 { // 100 s of 100 requests a second
		if r.wait(from("192.0.2.1:1")) == 0 {
			through++
		}
		*now = now.Add(10 * time.Millisecond)
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
	*now = now.Add(wait)
	if again := r.wait(from("192.0.2.1:1")); again != 0 {
		t.Errorf("waits %s more after it has waited", again)
	}
}

// remembered returns how many clients are.
func (r *Rate) remembered() (n int) {
	for i := range r.shards {
		n += len(r.shards[i].current) + len(r.shards[i].previous)
	}
	return n
}

// However many addresses come, who is in debt stays in debt, and the process does not
// grow.
func TestRateRemembersDebtors(t *testing.T) {
	const perSecond = 5
	r, now := stopped(perSecond)
	for range burstSeconds * perSecond {
		if wait := r.wait(from("192.0.2.1:1")); wait != 0 {
			t.Fatalf("waits %s before its credit is used up", wait)
		}
	}
	for i := range 4 * rateShards * maxClients {
		r.wait(from(fmt.Sprintf("11.%d.%d.%d:1", i>>16&255, i>>8&255, i&255)))
		if i%10_000 == 0 && r.wait(from("192.0.2.1:1")) == 0 {
			t.Fatalf("the debt is forgotten after %d others", i)
		}
	}
	if got := r.remembered(); got > 2*rateShards*(maxClients+1) || got < rateShards*maxClients/2 {
		t.Errorf("%d clients are remembered", got)
	}
	if wait := r.wait(from("11.255.255.255:1")); wait <= 0 || wait > burstSeconds*time.Second {
		t.Errorf("a newcomer waits %s while there is no room", wait)
	}
	*now = now.Add(burstSeconds * time.Second)
	if wait := r.wait(from("11.255.255.255:1")); wait != 0 {
		t.Errorf("it waits %s more when the others have paid", wait)
	}
	*now = now.Add(2 * burstSeconds * time.Second)
	if r.wait(from("192.0.2.1:1")); r.remembered() > rateShards*maxClients {
		t.Errorf("%d clients are remembered who owe nothing", r.remembered())
	}
}

// In whatever second of a generation a client spends its credit, it gets no more of it
// by waiting for the next one.
func TestRateAcrossGenerations(t *testing.T) {
	for offset := time.Duration(0); offset < 3*burstSeconds*time.Second; offset += 500 * time.Millisecond {
		t.Run(offset.String(), func(t *testing.T) {
			r, now := stopped(2)
			r.wait(from("192.0.2.9:1")) // the generations begin
			*now = now.Add(offset)
			r.wait(from("192.0.2.9:1"))
			through := 0
			for range 100 { // 10 s
				if r.wait(from("192.0.2.9:1")) == 0 {
					through++
				}
				*now = now.Add(100 * time.Millisecond)
			}
			if most := (10 + burstSeconds) * 2; through > most || through < 2*10-1 {
				t.Errorf("%d requests went through, at most %d may", through, most)
			}
		})
	}
}

// Who is a whole /48 gets no further by having 65,536 networks /64, and does not make
// others wait.
func TestRateOfANetwork(t *testing.T) {
	const perSecond = 5
	r, _ := stopped(perSecond)
	through := 0
	for i := range 1 << 16 {
		if r.wait(from(fmt.Sprintf("[2001:db8:1:%x::1]:1", i))) == 0 {
			through++
		}
	}
	if want := perSecond * burstSeconds * networkClients; through != want {
		t.Errorf("%d requests of a /48 went through, want %d", through, want)
	}
	if got := r.remembered(); got > through+1 {
		t.Errorf("%d clients are remembered for %d requests", got, through)
	}
	if wait := r.wait(from("[2001:db8:2::1]:1")); wait != 0 {
		t.Errorf("another network waits %s", wait)
	}
	first := 0
	for i := range 100 { // one /64, whatever else of the address it chooses
		if r.wait(from(fmt.Sprintf("[2001:db8:3::%x]:1", i))) == 0 {
			first++
		}
	}
	if want := perSecond * burstSeconds; first != want {
		t.Errorf("%d requests of a /64 went through, want %d", first, want)
	}
}

// However high the limit, one /48 does not take the room of the clients of others.
func TestRateLeavesRoom(t *testing.T) {
	const perSecond = 1000
	r, now := stopped(perSecond)
	for i := range 4 << 16 {
		r.wait(from(fmt.Sprintf("[2001:db8:1:%x::1]:1", i&0xffff)))
		*now = now.Add(time.Second / perSecond / 100)
	}
	if got := r.remembered(); got > 2*(networkMembers+1) {
		t.Errorf("%d clients of one network are remembered", got)
	}
	for i := range 1000 {
		if wait := r.wait(from(fmt.Sprintf("11.0.%d.%d:1", i>>8, i&255))); wait != 0 {
			t.Fatalf("newcomer %d waits %s", i, wait)
		}
	}
}

// What has no address is a proxy that names nobody, and nobody is made to wait for it.
func TestRateWithoutAddress(t *testing.T) {
	r, _ := stopped(1)
	for range 100 {
		if wait := r.wait(from("@")); wait != 0 {
			t.Fatalf("waits %s", wait)
		}
	}
}
