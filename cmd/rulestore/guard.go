package main

import (
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/server/admin"
)

// guard decides which states of a remote are served. What loses publications that are
// served, or rewrites the branch, is held back until somebody confirms that very state, or
// the branch moves on to one that loses nothing. Marks lose nothing: an author made them,
// and readers are told.
//
// The goroutine that loads decides; others read [guard.state].
type guard struct {
	file   string
	most   int // how many publications may be lost; below 0: any number, and the branch may be rewritten
	mirror *gitrepo.Mirror
	log    *slog.Logger
	total  atomic.Uint64 // states held back by this process
	broken error         // why what was decided before could not be read; nil if it could

	served    map[string]string // checksums by tag, of the accepted state; nil if nobody knows
	missing   map[string]string // and of what was lost before it, see [record]
	confirmed string            // the state that is being confirmed

	mu     sync.Mutex
	record record // without publications
}

// maxLost is how many publications are named that a state loses.
const maxLost = 20

// recorded is a guard that knows what was decided before about the mirror in a folder.
func recorded(dir, ref, folder string, most int) *guard {
	g := &guard{file: filepath.Join(dir, recordFile), most: most}
	r, err := readRecord(g.file)
	g.broken = err
	if r != nil && r.Ref == ref && r.Folder == folder {
		g.record, g.served, g.missing = *r, byTag(r.Publications), byTag(r.Missing)
		g.record.Publications, g.record.Missing = nil, nil
	}
	g.record.Ref, g.record.Folder = ref, folder
	return g
}

// newGuard is the guard of a mirror. Where nothing is known of what was decided before, the
// newest state that was served counts as accepted.
func newGuard(m *gitrepo.Mirror, ref, folder string, most int, log *slog.Logger) *guard {
	g := recorded(m.Folder(), ref, folder, most)
	g.mirror, g.log = m, log
	if g.broken != nil {
		log.Error(
			"what was decided about the repository cannot be read: the newest state that was served counts as accepted, and nothing is pinned",
			"file", g.file, "error", g.broken,
		)
	}
	if h := g.record.Held; h != nil {
		log.Warn("a state of the repository is held back since an earlier process", "state", h.State, "losses", h.Losses)
	}
	if g.record.Pinned != nil {
		log.Warn("what is served is pinned since an earlier process", "state", g.record.Accepted.State)
	}
	if g.served == nil {
		g.record.Accepted.Generation = m.Kept()
	}
	g.retain()
	return g
}

// nameState names a state that was loaded: the same name, the same commit and tags.
func nameState(r loader.Result) string { return r.Refs[:min(len(r.Refs), 16)] }

// state returns what was decided so far.
func (g *guard) state() record {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.record
}

// decide changes what was decided, and keeps it.
func (g *guard) decide(change func(*record)) error {
	g.mu.Lock()
	change(&g.record)
	r := g.record
	g.mu.Unlock()
	g.retain()
	r.Publications, r.Missing = sumLines(g.served), sumLines(g.missing)
	if err := r.write(g.file); err != nil {
		g.log.Error(
			"what was decided about the repository cannot be kept: another process would not know it", "file", g.file,
			"error", err,
		)
		return i18n.Errorf("keep it for another process: %w", err)
	}
	return nil
}

// retain keeps the generations of the mirror that may be served again.
func (g *guard) retain() {
	r := g.state()
	keep := []int{r.Accepted.Generation}
	if r.Previous != nil {
		keep = append(keep, r.Previous.Generation)
	}
	g.mirror.Retain(keep...)
}

// choose has the mirror opened at an accepted state.
func (g *guard) choose(a accepted) {
	at, err := gitrepo.ParseOID(a.At)
	if err != nil { // it is read at its branch
		at = gitrepo.OID{}
	}
	g.mirror.Choose(a.Generation, at)
}

// newest has the mirror opened at what the remote has.
func (g *guard) newest() { g.mirror.Choose(0, gitrepo.OID{}) }

// judge says why a state is held back; nil if it is served.
func (g *guard) judge(r loader.Result) *heldBack {
	before, name := g.state(), nameState(r)
	if g.most < 0 || g.served == nil || name == before.Accepted.State || name == g.confirmed {
		return nil
	}
	lost, rewritten := g.lost(r.Snapshot), !r.Reaches(before.Accepted.Commit)
	if len(lost) <= g.most && !rewritten {
		return nil
	}
	h := &heldBack{
		State: name, Commit: r.Snapshot.Commit, Branch: r.Snapshot.Branch, Since: now(),
		Rewritten: rewritten, Losses: len(lost), Lost: lost[:min(len(lost), maxLost)],
	}
	if before.Held != nil {
		h.Since = before.Held.Since
	}
	return h
}

// now is a time as it is kept.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// lost lists the publications that a snapshot has no more, or with another content, by
// name: of those that are served, and of those that were lost before.
func (g *guard) lost(s *content.Snapshot) []string {
	after, lost := publicationsOf(s), []string{}
	for _, before := range []map[string]string{g.served, g.missing} {
		for tag, sum := range before {
			if now, ok := after[tag]; !ok || now != sum {
				lost = append(lost, tag)
			}
		}
	}
	slices.Sort(lost)
	return slices.Compact(lost)
}

// hold notes that a state is held back, and says so once.
func (g *guard) hold(h *heldBack) {
	if before := g.state().Held; before != nil && before.State == h.State {
		return
	}
	g.total.Add(1)
	g.log.Error("the state that the repository has is held back, and what was served goes on being served; to serve it: rulestore admin confirm "+h.State,
		"state", h.State, "commit", short(h.Commit), "branch", h.Branch, "rewritten", h.Rewritten, "losses", h.Losses,
		"lost", some(h.Lost))
	_ = g.decide(func(r *record) { r.Held = h }) // it is logged, and found again
}

// accept notes that the newest state is served from now on, which was loaded last.
func (g *guard) accept(r loader.Result) {
	before := g.state()
	next := accepted{
		State: nameState(r), Commit: r.Snapshot.Commit, Branch: r.Snapshot.Branch,
		Since: now(), Generation: g.mirror.Opened(),
	}
	served, previous := publicationsOf(r.Snapshot), before.Previous
	switch {
	case next.State == before.Accepted.State:
		next.Since = before.Accepted.Since
		served = g.still(r, served)
	case g.served != nil:
		g.missing, previous = g.tally(next.State, served), &before.Accepted
	}
	if before.Held == nil && next == before.Accepted && maps.Equal(served, g.served) {
		return
	}
	g.served = served
	_ = g.decide(func(r *record) { r.Accepted, r.Previous, r.Held = next, previous, nil })
}

// reread notes what the accepted state has, which was loaded again: on another day, or by
// another program, that may be something else.
func (g *guard) reread(r loader.Result) {
	served := g.still(r, publicationsOf(r.Snapshot))
	if maps.Equal(served, g.served) {
		return
	}
	g.served = served
	_ = g.decide(func(*record) {})
}

// still returns what is served of the accepted state, with what cannot be read of it at
// the moment.
func (g *guard) still(r loader.Result, served map[string]string) map[string]string {
	if r.Damaged {
		return united(g.served, served)
	}
	return served
}

// moved notes that a state is in the generation that was opened last as well: if it is the
// accepted one, the generation before need not stay.
func (g *guard) moved(state string) {
	n, a := g.mirror.Opened(), g.state().Accepted
	if state == a.State && n != a.Generation {
		_ = g.decide(func(r *record) { r.Accepted.Generation = n })
	}
}

// pin has the accepted state served whatever comes, or another one from now on.
func (g *guard) pin(another *accepted) error {
	err := g.decide(func(r *record) {
		if another != nil {
			before := r.Accepted
			r.Accepted, r.Previous = *another, &before
		}
		r.Held, r.Pinned = nil, &pinned{Since: now()}
	})
	a := g.state().Accepted
	g.log.Warn(
		"what is served is pinned: nothing that comes is served until it is unpinned", "state", a.State,
		"commit", short(a.Commit),
	)
	return err
}

// isPinned reports whether nothing but the accepted state is served.
func (g *guard) isPinned() bool { return g.state().Pinned != nil }

// tally returns what is missing once a state is served: whoever takes away a little at a
// time takes away no more than may be lost at once. Who confirms a state begins anew.
func (g *guard) tally(state string, served map[string]string) map[string]string {
	if g.most < 0 || state == g.confirmed {
		return nil
	}
	missing := united(g.missing, g.served)
	maps.DeleteFunc(missing, func(tag, sum string) bool { return served[tag] == sum })
	return missing
}

// united returns what either has; what both have as the second has it.
func united(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, b)
	return all
}

// publicationsOf lists what readers of a snapshot can rely on, with the checksums: the
// publications, redacted ones included, and the releases of the product.
func publicationsOf(s *content.Snapshot) map[string]string {
	all := make(map[string]string, s.Count())
	for _, item := range s.Items {
		for _, e := range item.Entries {
			if !e.Draft {
				all[e.Tag()] = e.Checksum
			}
		}
	}
	for _, p := range s.Products {
		all[p.Tag] = noChecksum
	}
	return all
}

// noChecksum stands for the checksum of a release, which has none.
const noChecksum = "-"

// sumLines writes checksums by tag as a list, by tag.
func sumLines(sums map[string]string) []string {
	all := make([]string, 0, len(sums))
	for tag, sum := range sums {
		all = append(all, tag+" "+sum)
	}
	slices.Sort(all)
	return all
}

// byTag reads what sumLines has written.
func byTag(lines []string) map[string]string {
	all := make(map[string]string, len(lines))
	for _, line := range lines {
		tag, sum, _ := strings.Cut(line, " ")
		all[tag] = sum
	}
	return all
}

// findings are what health says of the decisions.
func (g *guard) findings() (all []content.Finding) {
	r := g.state()
	if h := r.Held; h != nil {
		all = append(all, check.Find(h.says()))
	}
	if g.broken != nil {
		all = append(all, check.Find(content.Say("held-back", "record", nil)))
	}
	return all
}

// says tells why a state is held back.
func (h *heldBack) says() content.Said {
	switch {
	case h.Losses == 0:
		return content.Say(
			"held-back", "rewritten", content.Args{"state": h.State, "branch": h.Branch, "head": short(h.Commit)},
		)
	case h.Rewritten:
		return content.Say("held-back", "both", content.Args{"state": h.State, "branch": h.Branch, "losses": h.Losses})
	}
	return content.Say("held-back", "losses", content.Args{"state": h.State, "losses": h.Losses})
}

// pinnedTo says that nothing else is served.
func pinnedTo(what string) content.Finding {
	return check.Find(content.Say("pinned", "pinned", content.Args{"to": what}))
}

// counts are what operators measure of the guard.
func (g *guard) counts() *admin.HeldBack {
	c := &admin.HeldBack{Total: g.total.Load()}
	if h := g.state().Held; h != nil {
		c.Now, c.Losses = true, h.Losses
	}
	return c
}
