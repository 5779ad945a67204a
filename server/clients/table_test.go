package clients

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// held is a holder of a test.
type held struct {
	name  string
	doing Doing
	since time.Time
	ended bool
}

func (h *held) Doing() (Doing, time.Time) { return h.doing, h.since }
func (h *held) End()                      { h.ended = true }

var doings = map[string]Doing{"unused": Unused, "idle": Idle, "slow": Slow, "busy": Busy}

// Who holds most makes room: of addresses, of /64, of /48.
func TestTable(t *testing.T) {
	const full = "refused"
	for _, test := range []struct {
		name   string
		held   string // client, what it does, and how often; the first for longest
		asks   string
		yields string // the client and number of the place that is given up
	}{
		{"a place is free", "192.0.2.1 idle 3", "192.0.2.2", ""},
		{"all are one's, and idle", "192.0.2.1 idle 4", "192.0.2.2", "192.0.2.1/0"},
		{"all are one's, and slow", "192.0.2.1 slow 4", "192.0.2.2", "192.0.2.1/0"},
		{"all are one's, and busy", "192.0.2.1 busy 4", "192.0.2.2", "192.0.2.1/0"},
		{"idle before slow", "192.0.2.1 slow 1, 192.0.2.1 busy 2, 192.0.2.1 idle 1", "192.0.2.2", "192.0.2.1/3"},
		{"slow before busy", "192.0.2.1 busy 2, 192.0.2.1 slow 2", "192.0.2.2", "192.0.2.1/2"},
		{"who has most yields, though others are idle", "192.0.2.3 idle 1, 192.0.2.1 busy 3",
			"192.0.2.2", "192.0.2.1/1"},
		{"who has most gives way to itself", "192.0.2.3 idle 1, 192.0.2.1 idle 3", "192.0.2.1", "192.0.2.1/1"},
		{"but not while it is busy", "192.0.2.3 idle 1, 192.0.2.1 busy 3", "192.0.2.1", full},
		{"nor does anybody who has as much", "192.0.2.3 idle 2, 192.0.2.1 busy 2", "192.0.2.1", full},
		{"what is unused makes room for everybody", "192.0.2.1 busy 2, 192.0.2.2 busy 1, 192.0.2.3 unused 1",
			"192.0.2.1", "192.0.2.3/3"},
		{"but first with who has most", "192.0.2.1 busy 1, 192.0.2.1 slow 2, 192.0.2.3 unused 1",
			"192.0.2.1", "192.0.2.1/1"},
		{"all have one, and are idle", "192.0.2.1 idle 1, 192.0.2.2 idle 1, 192.0.2.3 idle 1, 192.0.2.4 idle 1",
			"192.0.2.9", "192.0.2.1/0"},
		{"all have one, and one is idle", "192.0.2.1 busy 1, 192.0.2.2 busy 1, 192.0.2.3 idle 1, 192.0.2.4 busy 1",
			"192.0.2.9", "192.0.2.3/2"},
		{"all have one, and are busy", "192.0.2.1 busy 1, 192.0.2.2 busy 1, 192.0.2.3 busy 1, 192.0.2.4 busy 1",
			"192.0.2.9", full},
		{"one less would be no more equal", "192.0.2.1 busy 2, 192.0.2.2 busy 1, 192.0.2.3 busy 1", "192.0.2.2", full},
		{"one /64 is one client", "2001:db8:0:1:: idle 3, 192.0.2.1 idle 1", "192.0.2.2", "2001:db8:0:1::/0"},
		{"one /48 is one owner",
			"2001:db8:0:1:: busy 1, 2001:db8:0:2:: busy 1, 2001:db8:0:3:: busy 1, 192.0.2.1 busy 1",
			"192.0.2.2", "2001:db8:0:1::/0"},
		{"in a /48 the /64 that has most", "2001:db8:0:1:: busy 1, 2001:db8:0:2:: busy 3",
			"192.0.2.2", "2001:db8:0:2::/1"},
		{"a /48 that has most yields to itself", "2001:db8:0:1:: busy 3, 192.0.2.1 busy 1",
			"2001:db8:0:2::", "2001:db8:0:1::/0"},
		{"another /48 is another owner", "2001:db8:1:1:: busy 2, 2001:db8:2:1:: idle 2",
			"2001:db8:3:1::", "2001:db8:2:1::/2"},
		{"nobody's count alone", "- busy 4", "192.0.2.2", full},
		{"nobody's yield if they are idle", "- busy 1, - idle 3", "192.0.2.2", "-/1"},
		{"nobody's make room for nobody's", "- busy 3, - idle 1", "-", "-/3"},
		{"who has more than one makes room for nobody's", "- busy 2, 192.0.2.1 busy 2", "-", "192.0.2.1/2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := NewTable(4)
			all := fill(t, table, test.held)
			p := table.Enter(address(test.asks), &held{name: "new"})
			var ended []string
			for _, h := range all {
				if h.ended {
					ended = append(ended, h.name)
				}
			}
			got := strings.Join(ended, " ")
			if p == nil {
				got += full
			}
			if got != test.yields {
				t.Errorf("yields %q, want %q", got, test.yields)
			}
		})
	}
}

func address(s string) netip.Addr {
	if s == "-" {
		return netip.Addr{}
	}
	return netip.MustParseAddr(s)
}

// fill has clients take places, as a test tells.
func fill(t *testing.T, table *Table, told string) (all []*held) {
	t.Helper()
	for one := range strings.SplitSeq(told, ", ") {
		var client, doing string
		var n int
		if _, err := fmt.Sscan(one, &client, &doing, &n); err != nil {
			t.Fatal(err)
		}
		for range n {
			h := &held{name: fmt.Sprintf("%s/%d", client, len(all)), doing: doings[doing],
				since: time.Unix(int64(len(all)), 0)}
			if table.Enter(address(client), h) == nil {
				t.Fatal("there is no room for what the test begins with")
			}
			all = append(all, h)
		}
	}
	return all
}

// Without places nobody gets one.
func TestTableOfNothing(t *testing.T) {
	for _, client := range []string{"192.0.2.1", "2001:db8::", "-"} {
		if NewTable(0).Enter(address(client), &held{}) != nil {
			t.Errorf("%s gets a place of none", client)
		}
	}
}

// Whoever comes and goes in whatever order, what is held is counted rightly, never
// exceeds the limit, what was left is forgotten, and a newcomer gets in unless
// everything is busy and equally spread.
func TestTableAtRandom(t *testing.T) {
	const limit = 32
	random := rand.New(rand.NewPCG(1, 2))
	table := NewTable(limit)
	type placed struct {
		*Place
		h      *held
		client netip.Addr
	}
	var all []placed
	for step := range 20_000 {
		client := netip.AddrFrom4([4]byte{192, 0, 2, byte(random.IntN(20))})
		if random.IntN(2) == 0 {
			client = owned(netip.AddrFrom16([16]byte{0x20, 1, 5: byte(random.IntN(3)), 7: byte(random.IntN(4))}))
		}
		if random.IntN(10) == 0 {
			client = netip.Addr{}
		}
		h := &held{doing: Doing(random.IntN(4)), since: time.Unix(random.Int64N(100), 0)}
		if p := table.Enter(client, h); p != nil {
			all = append(all, placed{p, h, client})
		}
		if len(all) > 0 && random.IntN(3) == 0 {
			i := random.IntN(len(all))
			all[i].Leave()
			all[i].Leave() // twice is once
			all[i].h.ended = true
		}
		alive, perClient := 0, map[netip.Addr]int{}
		kept := all[:0]
		for _, p := range all {
			if !p.h.ended {
				kept = append(kept, p)
				alive++
				perClient[p.client]++
			}
		}
		all = kept
		if table.Held() != alive || alive > limit {
			t.Fatalf("step %d: %d are held, the table says %d", step, alive, table.Held())
		}
		for client, n := range perClient {
			if client.IsValid() && table.root.byKey[Network(client)].byKey[keys(client)[1]].held != n {
				t.Fatalf("step %d: %s holds %d", step, client, n)
			}
		}
	}
	for _, p := range all {
		p.Leave()
	}
	if table.Held() != 0 || len(table.root.children) != 0 || len(table.root.byKey) != 0 {
		t.Errorf("%d are held, %d networks remembered when all have left", table.Held(), len(table.root.children))
	}
}
