// Package guard decides which states of a remote repository are served. A state that lacks
// publications that are served, or rewrites the branch, is held back until somebody
// confirms that very state, or the branch moves on to one that loses nothing. Marks are no
// loss: an author made them, and readers are told.
//
// Decisions are stored beside the mirror, so that the next process continues with them.
package guard

import (
	"cmp"
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

// Guard is the guard of one mirror. The goroutine that loads makes the decisions; others read
// [Guard.Record].
type Guard struct {
	file   string
	most   int // maximum number of lost publications; below 0: any number, and the branch may be rewritten
	mirror *gitrepo.Mirror
	log    *slog.Logger
	total  atomic.Uint64 // states held back by this process
	broken error         // the error of reading the record of earlier decisions, nil if there was none

	served    map[string]string // checksums by tag, of the accepted state; nil if unknown
	missing   map[string]string // those of publications lost before it, see [record]
	confirmed string            // the state that is being confirmed
	unwritten bool              // the last decision could not be stored

	delay Delay
	said  atomic.Pointer[[]string] // header value for a state that is held back

	mu     sync.Mutex
	record Record // without publications
}

// maxLost is the maximum number of lost publications that are listed.
const maxLost = 20

// Foresee computes a server's decision about a loaded state, from the record in the folder of a
// mirror: holding it back, or serving a pinned one.
func Foresee(dir, ref, folder string, most int, r loader.Result) []content.Finding {
	g := recorded(dir, ref, folder, most)
	g.record.Held = g.Judge(r)
	found := g.Findings()
	if to := g.record.PinnedTo(); to != "" {
		found = append(found, PinnedTo(to))
	}
	return found
}

// recorded is a guard with the decisions recorded for the mirror in a folder.
func recorded(dir, ref, folder string, most int) *Guard {
	g := &Guard{file: filepath.Join(dir, recordFile), most: most}
	r, err := readRecord(g.file)
	g.broken = err
	if r != nil && r.Ref == ref && r.Folder == folder {
		g.record, g.served, g.missing = *r, byTag(r.Publications), byTag(r.Missing)
		g.record.Publications, g.record.Missing = nil, nil
	}
	g.record.Ref, g.record.Folder = ref, folder
	return g
}

// New returns the guard of a mirror, whose ref and folder are served; most is the number of
// publications that may be lost, unlimited if it is negative. Without a record of earlier
// decisions, the newest state that was served is the accepted one.
func New(m *gitrepo.Mirror, ref, folder string, most int, delay Delay, log *slog.Logger) *Guard {
	g := recorded(m.Folder(), ref, folder, most)
	g.mirror, g.log, g.delay = m, log, delay
	if g.broken != nil {
		log.Error(
			"what was decided about the repository cannot be read: the newest state that was served counts as accepted, and nothing is pinned",
			"file", g.file, "error", g.broken,
		)
	}
	if h := g.record.Held; h != nil {
		log.Warn(
			"a state of the repository is held back since an earlier process", "state", h.State, "losses", h.Losses,
		)
	}
	if g.record.Pinned != nil {
		log.Warn("what is served is pinned since an earlier process", "state", g.record.Accepted.State)
	}
	if w := g.record.Waiting; w != nil && delay.For == 0 {
		g.record.Waiting = nil
	} else if w != nil {
		w.Until = g.until(*w) // with the delay of this process
		log.Info("a state of the repository waits since an earlier process", "state", w.State, "since", w.Since)
	}
	if g.served == nil {
		g.record.Accepted.Generation = m.Kept()
	}
	g.say()
	g.retain()
	return g
}

// say updates the header value of responses.
func (g *Guard) say() { g.said.Store(new(g.Record().header())) }

// NameState identifies a loaded state by its commit and tags.
func NameState(r loader.Result) string { return r.Refs[:min(len(r.Refs), 16)] }

// Record returns the decisions so far, without publications.
func (g *Guard) Record() Record {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.record
}

// decide changes the record, and stores it.
func (g *Guard) decide(change func(*Record)) error {
	g.mu.Lock()
	change(&g.record)
	g.mu.Unlock()
	g.say()
	g.retain()
	if err := g.write(); err != nil {
		g.log.Error(
			"what was decided about the repository cannot be kept: another process would not know it", "file", g.file,
			"error", err,
		)
		return i18n.Errorf("keep it for another process: %w", err)
	}
	return nil
}

// write stores the record.
func (g *Guard) write() error {
	r := g.Record()
	r.Publications, r.Missing = sumLines(g.served), sumLines(g.missing)
	err := r.write(g.file)
	g.unwritten = err != nil
	return err
}

// Rewrite stores a decision that could not be stored when it was made, as on a full disk.
func (g *Guard) Rewrite() {
	if g.unwritten && g.write() == nil {
		g.log.Info("what was decided about the repository is kept now", "file", g.file)
	}
}

// retain keeps the generations of the mirror that can be served again.
func (g *Guard) retain() {
	r := g.Record()
	keep := []int{r.Accepted.Generation}
	if r.Previous != nil {
		keep = append(keep, r.Previous.Generation)
	}
	if r.Waiting != nil {
		keep = append(keep, r.Waiting.Generation)
	}
	g.mirror.Retain(keep...)
}

// Choose selects an accepted state in the mirror.
func (g *Guard) Choose(a State) {
	at, err := gitrepo.ParseOID(a.At)
	if err != nil { // then the branch is read
		at = gitrepo.OID{}
	}
	g.mirror.Choose(a.Generation, at, a.Branch)
}

// Newest selects the remote's state in the mirror.
func (g *Guard) Newest() { g.mirror.Choose(0, gitrepo.OID{}, "") }

// Judge returns the reason why a state is held back; nil if it is served.
func (g *Guard) Judge(r loader.Result) *Held {
	before, name := g.Record(), NameState(r)
	if g.most < 0 || g.served == nil || name == before.Accepted.State || name == g.confirmed {
		return nil
	}
	lost, moved := g.lost(r.Snapshot), r.Fixed && g.moved(r.Snapshot)
	rewritten := !r.Fixed && !(r.Reaches(before.Accepted.Commit) && (before.Beyond == "" || r.Reaches(before.Beyond)))
	if len(lost) <= g.most && !rewritten && !moved {
		return nil
	}
	h := &Held{
		State: name, Commit: r.Snapshot.Commit, Branch: r.Snapshot.Branch, Since: now(),
		Rewritten: rewritten, Moved: moved, Losses: len(lost), Lost: lost[:min(len(lost), maxLost)],
	}
	h.New, _ = g.differs(r.Snapshot)
	if before.Held != nil {
		h.Since = before.Held.Since
	}
	return h
}

// now is a time for the record.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// moved reports whether a state that a tag or a commit fixes has another commit than before, or
// publications that were not served.
func (g *Guard) moved(s *content.Snapshot) bool {
	if r := g.Record(); s.Commit != cmp.Or(r.Beyond, r.Accepted.Commit) {
		return true
	}
	before := united(g.missing, g.served)
	for tag := range publicationsOf(s) {
		if _, ok := before[tag]; !ok {
			return true
		}
	}
	return false
}

// Loses reports whether a snapshot lacks publications that are served.
func (g *Guard) Loses(s *content.Snapshot) bool { return len(lacking(s, g.served)) > 0 }

// lost lists the publications that a snapshot lacks: served ones, and those that were lost before.
func (g *Guard) lost(s *content.Snapshot) []string { return lacking(s, g.served, g.missing) }

// lacking lists publications that a snapshot lacks or has with another content, by name.
func lacking(s *content.Snapshot, all ...map[string]string) []string {
	after, lost := publicationsOf(s), []string{}
	for _, before := range all {
		for tag, sum := range before {
			if now, ok := after[tag]; !ok || now != sum {
				lost = append(lost, tag)
			}
		}
	}
	slices.Sort(lost)
	return slices.Compact(lost)
}

// Hold records that a state is held back, and logs it once.
func (g *Guard) Hold(h *Held) {
	if before := g.Record().Held; before != nil && before.State == h.State {
		return
	}
	g.total.Add(1)
	g.log.Error("the state that the repository has is held back, and what was served goes on being served; to serve it: rulestore admin confirm "+h.State,
		"state", h.State, "commit", content.ShortCommit(h.Commit), "branch", h.Branch, "rewritten", h.Rewritten,
		"losses", h.Losses,
		"lost", strings.Join(h.Lost, " "))
	_ = g.decide(func(r *Record) { r.Held = h }) // logged, and stored by Rewrite
}

// Holds reports whether a state is held back, or waits.
func (g *Guard) Holds(r loader.Result) bool { return g.Record().HeldBack() == NameState(r) }

// Lapse records that the repository has moved on from the state that is held back, to one that
// cannot be loaded: the former can no longer be confirmed.
func (g *Guard) Lapse() {
	h := g.Record().Held
	if h == nil {
		return
	}
	g.log.Warn(
		"the repository has moved on from the state that was held back, to one that cannot be loaded", "state", h.State,
	)
	_ = g.decide(func(r *Record) { r.Held = nil }) // logged, and stored by Rewrite
}

// Accept records that the newest state, which was loaded last, is served from now on.
func (g *Guard) Accept(r loader.Result) {
	before := g.Record()
	next := State{
		State: NameState(r), Commit: r.Snapshot.Commit, Branch: r.Snapshot.Branch,
		Since: now(), Generation: g.mirror.Opened(), Content: g.content(r.Snapshot),
	}
	served, previous := publicationsOf(r.Snapshot), before.Previous
	switch {
	case next.State == before.Accepted.State:
		next.Since = before.Accepted.Since
		served = g.still(r, served)
	case g.served != nil:
		g.missing, previous = g.tally(next.State, served), &before.Accepted
	}
	if before.Held == nil && before.Waiting == nil && next == before.Accepted && maps.Equal(served, g.served) {
		return
	}
	g.served = served
	_ = g.decide(func(r *Record) {
		r.Accepted, r.Previous, r.Held, r.Waiting, r.Beyond = next, previous, nil, nil, ""
	})
}

// Reread records the content of the accepted state after it was loaded again: it may differ on
// another day, or with another build.
func (g *Guard) Reread(r loader.Result) {
	served, found := g.still(r, publicationsOf(r.Snapshot)), g.content(r.Snapshot)
	if maps.Equal(served, g.served) && found == g.Record().Accepted.Content {
		return
	}
	g.served = served
	_ = g.decide(func(r *Record) { r.Accepted.Content = found })
}

// Relocate records that the accepted commit was read from another generation, with its tags.
func (g *Guard) Relocate(to State, r loader.Result) {
	to.State, to.Content = NameState(r), g.content(r.Snapshot)
	g.served = publicationsOf(r.Snapshot)
	_ = g.decide(func(r *Record) { r.Accepted = to }) // logged, and stored by Rewrite
}

// still returns the served publications of the accepted state, including those that cannot be read
// at the moment.
func (g *Guard) still(r loader.Result, served map[string]string) map[string]string {
	if r.Damaged {
		return united(g.served, served)
	}
	return served
}

// Moved records that a state is also in the generation opened last: if it is the accepted one,
// the previous generation is not needed.
func (g *Guard) Moved(state string) {
	n, a := g.mirror.Opened(), g.Record().Accepted
	if state == a.State && n != a.Generation {
		_ = g.decide(func(r *Record) { r.Accepted.Generation = n })
	}
}

// Pin pins the accepted state.
func (g *Guard) Pin() error { return g.pin(func(*Record) {}) }

// Back pins the previous state, with its snapshot. What came after it was a mistake and may be lost.
func (g *Guard) Back(to State, s *content.Snapshot) error {
	g.missing = nil
	return g.pinTo(to, s, "")
}

// PinAt pins a commit of the served history, with its snapshot. What was served before must not be
// missing once it is unpinned.
func (g *Guard) PinAt(to State, s *content.Snapshot) error {
	r := g.Record()
	g.missing = g.lacked(publicationsOf(s))
	return g.pinTo(to, s, cmp.Or(r.Beyond, r.Accepted.Commit))
}

func (g *Guard) pinTo(to State, s *content.Snapshot, beyond string) error {
	to.Since, to.Content, g.served = now(), g.content(s), publicationsOf(s)
	return g.pin(func(r *Record) {
		before := r.Accepted
		r.Accepted, r.Previous, r.Beyond = to, &before, beyond
	})
}

func (g *Guard) pin(change func(*Record)) error {
	err := g.decide(func(r *Record) {
		change(r)
		r.Held, r.Waiting, r.Pinned = nil, nil, &Pinned{Since: now()}
	})
	a := g.Record().Accepted
	g.log.Warn(
		"what is served is pinned: nothing that comes is served until it is unpinned", "state", a.State,
		"commit", content.ShortCommit(a.Commit),
	)
	return err
}

// Unpin ends pinning: new states are served again, unless they are held back.
func (g *Guard) Unpin() error {
	err := g.decide(func(r *Record) { r.Pinned = nil })
	g.log.Warn("what is served is no longer pinned")
	return err
}

// Confirming calls a function while a state is confirmed: it is not held back.
func (g *Guard) Confirming(state string, do func()) {
	g.confirmed = state
	defer func() { g.confirmed = "" }()
	do()
}

// IsPinned reports whether the accepted state is pinned.
func (g *Guard) IsPinned() bool { return g.Record().Pinned != nil }

// tally returns the publications missing after a state is served: several small losses together
// must not exceed the limit. A confirmed state starts anew.
func (g *Guard) tally(state string, served map[string]string) map[string]string {
	if g.most < 0 || state == g.confirmed {
		return nil
	}
	return g.lacked(served)
}

// lacked returns what was served or lost before, and is not among these publications.
func (g *Guard) lacked(served map[string]string) map[string]string {
	missing := united(g.missing, g.served)
	maps.DeleteFunc(missing, func(tag, sum string) bool { return served[tag] == sum })
	return missing
}

// united merges two maps; values of the second have priority.
func united(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, b)
	return all
}

// publicationsOf lists the publications of a snapshot, including redacted ones, and the releases
// of the product, with their checksums.
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

// noChecksum replaces the checksum of a release.
const noChecksum = "-"

// sumLines formats checksums by tag as sorted lines.
func sumLines(sums map[string]string) []string {
	all := make([]string, 0, len(sums))
	for tag, sum := range sums {
		all = append(all, tag+" "+sum)
	}
	slices.Sort(all)
	return all
}

// byTag parses the lines of sumLines.
func byTag(lines []string) map[string]string {
	all := make(map[string]string, len(lines))
	for _, line := range lines {
		tag, sum, _ := strings.Cut(line, " ")
		all[tag] = sum
	}
	return all
}

// Findings returns the findings for the health document.
func (g *Guard) Findings() (all []content.Finding) {
	r := g.Record()
	if h := r.Held; h != nil {
		all = append(all, check.Find(h.says()))
	}
	if g.broken != nil {
		all = append(all, check.Find(content.Say("held-back", "record", nil)))
	}
	return all
}

// says is the reason why a state is held back.
func (h *Held) says() content.Said {
	switch {
	case h.Moved:
		return content.Say("held-back", "moved", content.Args{"state": h.State, "branch": h.Branch})
	case h.Losses == 0:
		return content.Say(
			"held-back", "rewritten",
			content.Args{"state": h.State, "branch": h.Branch, "head": content.ShortCommit(h.Commit)},
		)
	case h.Rewritten:
		return content.Say("held-back", "both", content.Args{"state": h.State, "branch": h.Branch, "losses": h.Losses})
	}
	return content.Say("held-back", "losses", content.Args{"state": h.State, "losses": h.Losses})
}

// PinnedTo returns the pinned state.
func PinnedTo(what string) content.Finding {
	return check.Find(content.Say("pinned", "pinned", content.Args{"to": what}))
}

// Counts are the metrics of the guard.
func (g *Guard) Counts() *admin.HeldBack {
	c := &admin.HeldBack{Total: g.total.Load()}
	if h := g.Record().Held; h != nil {
		c.Now, c.Losses = true, h.Losses
	}
	return c
}
