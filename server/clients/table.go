package clients

import (
	"container/heap"
	"net/netip"
	"sync"
	"time"
)

// Doing is the state of a holder for eviction, the first to be evicted first.
type Doing int

// The states of a holder.
const (
	Unused Doing = iota // evicted for any client, since nothing is lost
	Idle                // no request at the moment
	Slow                // takes longer than it should
	Busy                // processes a request
)

// A Holder occupies a slot of a [Table].
type Holder interface {
	// Doing returns the state of the holder, and its start. It is called with the table locked.
	Doing() (Doing, time.Time)
	// End ends the holder's work: its slot was given to another. It is called at most once, and
	// does not block.
	End()
}

// A Table is a number of slots that clients share. It stores nothing about clients without a
// slot.
type Table struct {
	mu    sync.Mutex
	limit int
	each  int  // maximum for one network
	root  node // its children are networks, theirs are clients
}

// A Place is the slot of a holder in a table.
type Place struct {
	table  *Table
	client *node
	holder Holder
	at     int // index among those of its client, -1 after it was released
}

// NewTable returns a table with a number of slots, all of which one client may take.
func NewTable(limit int) *Table { return &Table{limit: limit, each: limit} }

// Held returns the number of taken slots.
func (t *Table) Held() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.root.held
}

// Limit returns the number of slots.
func (t *Table) Limit() int { return t.limit }

// find returns the holders that satisfy a condition.
func (t *Table) find(is func(Holder) bool) (found []Holder) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.root.each(func(h Holder) {
		if is(h) {
			found = append(found, h)
		}
	})
	return found
}

// time returns the present part of a timeout: all of it while at most half of the slots are taken,
// less with fewer free slots, down to a tenth.
func (t *Table) time(full time.Duration) time.Duration {
	limit := max(t.limit, 1)
	free := limit - t.Held()
	return max(full/10, min(full, full*time.Duration(2*free)/time.Duration(limit)))
}

// Enter takes a slot for a client; an invalid address means no client. If no slot is free a
// holder is evicted and ended; a client with the maximum number evicts one of its own. The
// result is nil if no holder can be evicted.
func (t *Table) Enter(client netip.Addr, h Holder) *Place {
	p, ended := t.enter(client, h)
	if ended != nil {
		ended.holder.End()
	}
	return p
}

func (t *Table) enter(client netip.Addr, h Holder) (p, ended *Place) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.root.byKey[keys(client)[0]]
	switch {
	case own != nil && own.held >= t.each:
		ended = own.dispensable(search{doing: Slow})
	case t.root.held >= t.limit:
		ended = t.victim(client)
	default:
		return t.put(client, h), nil
	}
	if ended == nil {
		return nil, nil
	}
	ended.remove()
	return t.put(client, h), ended
}

// Leave releases the slot. After an eviction it has no effect.
func (p *Place) Leave() {
	p.table.mu.Lock()
	defer p.table.mu.Unlock()
	p.remove()
}

// victim returns the slot to evict for another one of a client, nil if there is none.
func (t *Table) victim(client netip.Addr) *Place {
	if t.root.held == 0 {
		return nil // there are no slots at all
	}
	if p := t.owed(client); p != nil {
		return p
	}
	return t.root.dispensable(search{doing: Unused, all: true})
}

// owed returns the slot to evict because the client holds fewer than others. It descends from
// networks to clients while the client is among those with the most slots.
func (t *Table) owed(client netip.Addr) *Place {
	at := &t.root
	for _, key := range keys(client) {
		own, held := at.byKey[key], 0
		if own != nil {
			held = own.held
		}
		switch most := at.children[0].held; {
		case held+1 < most:
			return at.dispensable(search{doing: Busy})
		case held < most:
			return at.dispensable(search{doing: Slow})
		}
		at = own
	}
	return at.dispensable(search{doing: Slow})
}

// put takes a free slot.
func (t *Table) put(client netip.Addr, h Holder) *Place {
	at := &t.root
	for _, key := range keys(client) {
		at = at.child(key)
	}
	p := &Place{table: t, client: at, holder: h, at: len(at.places)}
	at.places = append(at.places, p)
	at.count(1)
	return p
}

func (p *Place) remove() {
	if p.at < 0 {
		return
	}
	all := p.client.places
	last := len(all) - 1
	all[p.at], all[last].at = all[last], p.at
	all[last], p.client.places = nil, all[:last]
	p.at = -1
	p.client.count(-1)
}

// keys are the path from the root of a table to a client. The keys without a client match no
// existing node.
func keys(client netip.Addr) [2]netip.Prefix {
	if !client.IsValid() {
		return [2]netip.Prefix{}
	}
	return [2]netip.Prefix{Network(client), netip.PrefixFrom(client, client.BitLen())}
}

// A node is the root of a table, a network or a client.
type node struct {
	key      netip.Prefix
	parent   *node
	at       int // index among the children of its parent
	held     int // slots, including those below
	children ranking
	byKey    map[netip.Prefix]*node
	places   []*Place // of a client
}

// child returns the child with a key, a new one if the key is not valid.
func (n *node) child(key netip.Prefix) *node {
	if c := n.byKey[key]; c != nil {
		return c
	}
	c := &node{key: key, parent: n}
	heap.Push(&n.children, c)
	if !key.IsValid() {
		return c
	}
	if n.byKey == nil {
		n.byKey = map[netip.Prefix]*node{}
	}
	n.byKey[key] = c
	return c
}

// count changes the number of slots of a node and of those above it, and removes nodes without
// slots.
func (n *node) count(d int) {
	for ; n != nil; n = n.parent {
		n.held += d
		switch {
		case n.parent == nil:
		case n.held > 0:
			heap.Fix(&n.parent.children, n.at)
		default:
			heap.Remove(&n.parent.children, n.at)
			delete(n.parent.byKey, n.key)
		}
	}
}

// maxCompared is the maximum number of slots that are compared to find the one to evict.
const maxCompared = 4096

// A search is for the slot to evict: of those in the lowest state, the one that has been in it for
// the longest time.
type search struct {
	doing    Doing // state of the slot found, at first the highest that is evicted
	all      bool  // not only below the nodes with the most slots
	found    *Place
	since    time.Time
	compared int
}

// dispensable returns the slot to evict below a node, nil if there is none.
func (n *node) dispensable(s search) *Place {
	n.scan(&s)
	return s.found
}

func (n *node) scan(s *search) {
	for _, p := range n.places[:min(len(n.places), maxCompared-s.compared)] {
		s.compare(p)
	}
	for _, c := range n.children {
		if s.compared == maxCompared {
			return
		}
		if s.all || c.held == n.children[0].held {
			c.scan(s)
		}
	}
}

func (s *search) compare(p *Place) {
	s.compared++
	doing, since := p.holder.Doing()
	if doing < s.doing || doing == s.doing && (s.found == nil || since.Before(s.since)) {
		s.found, s.doing, s.since = p, doing, since
	}
}

// each calls a function for all holders below a node.
func (n *node) each(do func(Holder)) {
	for _, p := range n.places {
		do(p.holder)
	}
	for _, c := range n.children {
		c.each(do)
	}
}

// ranking is a heap of nodes, the one with the most slots first.
type ranking []*node

func (r ranking) Len() int           { return len(r) }
func (r ranking) Less(i, j int) bool { return r[i].held > r[j].held }
func (r ranking) Swap(i, j int)      { r[i], r[j] = r[j], r[i]; r[i].at, r[j].at = i, j }

// Push implements [heap.Interface].
func (r *ranking) Push(x any) {
	n := x.(*node)
	n.at = len(*r)
	*r = append(*r, n)
}

// Pop implements [heap.Interface].
func (r *ranking) Pop() any {
	last := len(*r) - 1
	n := (*r)[last]
	(*r)[last], *r = nil, (*r)[:last]
	return n
}
