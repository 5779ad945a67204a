package follow

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
	"rulestore/content/log"
	"rulestore/loader"
	"rulestore/server/admin"
)

// Guard decides which states of a remote repository are served. A state that lacks publications that are
// served, rewrites the branch, or has a log that does not go on with the accepted one, is held back until
// somebody confirms that very state, or the branch moves on to one that loses nothing. Marks are no loss: an
// author made them, and readers are told. Decisions are stored beside the mirror, so that the next process
// continues with them. The goroutine that loads makes the decisions; others read
// [Guard.Decisions].
type Guard struct {
	file      string
	maxLosses int // maximum number of lost publications; below 0: any number, and the branch may be rewritten
	log       *slog.Logger
	heldTotal atomic.Uint64 // states held back by this process
	readError error         // the error of reading the decisions of an earlier process, nil if there was none

	served    map[string]string // checksums by tag, of the accepted state; nil if unknown
	missing   map[string]string // those of publications lost before it, see [Decisions]
	confirmed string            // the state that is being confirmed
	unwritten bool              // the last decision could not be stored

	header atomic.Pointer[[]string] // header value for a state that is held back

	mu        sync.Mutex
	decisions Decisions // without publications
}

// maxListed is the maximum number of lost publications that are listed.
const maxListed = 20

// Predict computes a server's decision about a loaded state, from those stored in the folder of a
// mirror: holding it back.
func Predict(dir, ref, folder string, most int, r loader.Result) []content.Finding {
	g := openGuard(dir, ref, folder, most)
	g.decisions.Held = g.WhyHeld(r)
	return g.Findings()
}

// openGuard is a guard with the decisions recorded for the mirror in a folder.
func openGuard(dir, ref, folder string, most int) *Guard {
	g := &Guard{file: filepath.Join(dir, decisionsFile), maxLosses: most}
	r, err := readDecisions(g.file)
	g.readError = err
	if r != nil && r.Ref == ref && r.Folder == folder {
		g.decisions, g.served, g.missing = *r, byTag(r.Publications), byTag(r.Missing)
		g.decisions.Publications, g.decisions.Missing = nil, nil
	}
	g.decisions.Ref, g.decisions.Folder = ref, folder
	return g
}

// NewGuard returns the guard of a mirror in a folder, whose ref and folder are served; most is the number of
// publications that may be lost, unlimited if it is negative. Without a record of earlier
// decisions, the state that the mirror has as served is the accepted one.
func NewGuard(dir, ref, folder string, most int, log *slog.Logger) *Guard {
	g := openGuard(dir, ref, folder, most)
	g.log = log
	if g.readError != nil {
		log.Error(
			"what was decided about the repository cannot be read: what was served last counts as accepted",
			"file", g.file, "error", g.readError,
		)
	}
	if h := g.decisions.Held; h != nil {
		log.Warn(
			"a state of the repository is held back since an earlier process", "state", h.State, "losses", h.Losses,
		)
	}
	g.updateHeader()
	return g
}

// updateHeader updates the header value of responses.
func (g *Guard) updateHeader() { g.header.Store(new(g.Decisions().header())) }

// NameState identifies a loaded state by its commit and tags.
func NameState(r loader.Result) string { return r.Refs[:min(len(r.Refs), 16)] }

// Decisions returns the decisions so far, without publications.
func (g *Guard) Decisions() Decisions {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.decisions
}

// decide changes the decisions, and stores them.
func (g *Guard) decide(change func(*Decisions)) error {
	g.mu.Lock()
	change(&g.decisions)
	g.mu.Unlock()
	g.updateHeader()
	if err := g.write(); err != nil {
		g.log.Error(
			"what was decided about the repository cannot be kept: another process would not know it", "file", g.file,
			"error", err,
		)
		return i18n.Errorf("keep it for another process: %w", err)
	}
	return nil
}

// write stores the decisions.
func (g *Guard) write() error {
	r := g.Decisions()
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

// WhyHeld returns the reason why a state is held back; nil if it is served.
func (g *Guard) WhyHeld(r loader.Result) *HeldState {
	before, name := g.Decisions(), NameState(r)
	if g.maxLosses < 0 || g.served == nil || name == before.Accepted.State || name == g.confirmed {
		return nil
	}
	lost, moved := g.lost(r.Snapshot), r.Fixed && g.moved(r.Snapshot)
	rewritten := !r.Fixed && !r.Reaches(before.Accepted.Commit)
	another := before.Log != nil && !r.Log.Leaves().Agrees(*before.Log)
	if len(lost) <= g.maxLosses && !rewritten && !moved && !another {
		return nil
	}
	h := &HeldState{
		State: name, Commit: r.Snapshot.Commit, Branch: r.Snapshot.Branch, Since: now(),
		Rewritten: rewritten, Moved: moved, Log: another, Losses: len(lost), Lost: lost[:min(len(lost), maxListed)],
	}
	for tag := range publicationsOf(r.Snapshot) {
		if _, ok := g.served[tag]; !ok {
			h.New++
		}
	}
	if before.Held != nil {
		h.Since = before.Held.Since
	}
	return h
}

// now is the time of a decision.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// moved reports whether a state that a tag or a commit fixes has another commit than before, or
// publications that were not served.
func (g *Guard) moved(s *content.Snapshot) bool {
	if s.Commit != g.Decisions().Accepted.Commit {
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
func (g *Guard) Loses(s *content.Snapshot) bool { return len(missingFrom(s, g.served)) > 0 }

// lost lists the publications that a snapshot lacks: served ones, and those that were lost before.
func (g *Guard) lost(s *content.Snapshot) []string { return missingFrom(s, g.served, g.missing) }

// missingFrom lists publications that a snapshot lacks or has with another content, by name.
func missingFrom(s *content.Snapshot, all ...map[string]string) []string {
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
func (g *Guard) Hold(h *HeldState) {
	if before := g.Decisions().Held; before != nil && before.State == h.State {
		return
	}
	g.heldTotal.Add(1)
	g.log.Error("the state that the repository has is held back, and what was served goes on being served; to serve "+
		"it: rulestore admin confirm "+h.State,
		"state", h.State, "commit", content.ShortCommit(h.Commit), "branch", h.Branch, "rewritten", h.Rewritten,
		"losses", h.Losses,
		"lost", strings.Join(h.Lost, " "))
	_ = g.decide(func(r *Decisions) { r.Held = h }) // logged, and stored by Rewrite
}

// IsHeldBack reports whether a state is held back.
func (g *Guard) IsHeldBack(r loader.Result) bool {
	h := g.Decisions().Held
	return h != nil && h.State == NameState(r)
}

// DropHeld records that the repository has moved on from the state that is held back, to one that
// cannot be loaded: the former can no longer be confirmed.
func (g *Guard) DropHeld() {
	h := g.Decisions().Held
	if h == nil {
		return
	}
	g.log.Warn(
		"the repository has moved on from the state that was held back, to one that cannot be loaded", "state", h.State,
	)
	_ = g.decide(func(r *Decisions) { r.Held = nil }) // logged, and stored by Rewrite
}

// Accept records that the newest state, which was loaded last, is served from now on.
func (g *Guard) Accept(r loader.Result) {
	before := g.Decisions()
	next := State{
		State: NameState(r), Commit: r.Snapshot.Commit, Branch: r.Snapshot.Branch,
		Since: now(),
	}
	served := publicationsOf(r.Snapshot)
	switch {
	case next.State == before.Accepted.State:
		next.Since = before.Accepted.Since
		served = g.withUnreadable(r, served)
	case g.served != nil:
		g.missing = g.missingTotal(next.State, served)
	}
	var head *log.Checkpoint
	if l := r.Log.Leaves(); l.Size() > 0 {
		head = new(l.Head(""))
	}
	if before.Held == nil && next == before.Accepted && maps.Equal(served, g.served) &&
		(head == nil) == (before.Log == nil) && (head == nil || *head == *before.Log) {
		return
	}
	g.served = served
	_ = g.decide(func(r *Decisions) { r.Accepted, r.Held, r.Log = next, nil, head }) // logged, and stored by Rewrite
}

// UpdateAccepted records the content of the accepted state after it was loaded again: it may differ on
// another day, or with another build.
func (g *Guard) UpdateAccepted(r loader.Result) {
	served := g.withUnreadable(r, publicationsOf(r.Snapshot))
	if maps.Equal(served, g.served) {
		return
	}
	g.served = served
	_ = g.decide(func(*Decisions) {}) // logged, and stored by Rewrite
}

// withUnreadable returns the served publications of the accepted state, including those that cannot be read
// at the moment.
func (g *Guard) withUnreadable(r loader.Result, served map[string]string) map[string]string {
	if r.Damaged {
		return united(g.served, served)
	}
	return served
}

// Confirming calls a function while a state is confirmed: it is not held back.
func (g *Guard) Confirming(state string, do func()) {
	g.confirmed = state
	defer func() { g.confirmed = "" }()
	do()
}

// missingTotal returns the publications missing after a state is served: several small losses together
// must not exceed the limit. A confirmed state starts anew.
func (g *Guard) missingTotal(state string, served map[string]string) map[string]string {
	if g.maxLosses < 0 || state == g.confirmed {
		return nil
	}
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
	r := g.Decisions()
	if h := r.Held; h != nil {
		all = append(all, check.Find(h.reason()))
	}
	if g.readError != nil {
		all = append(all, check.Find(content.Say("held-back", "record", nil)))
	}
	return all
}

// reason is the reason why a state is held back.
func (h *HeldState) reason() content.RuleText {
	switch {
	case h.Moved:
		return content.Say("held-back", "moved", content.Args{"state": h.State, "branch": h.Branch})
	case h.Log && !h.Rewritten && h.Losses == 0:
		return content.Say("held-back", "log", content.Args{"state": h.State})
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

// PinnedFinding returns the tag or commit that --ref pins.
func PinnedFinding(what string) content.Finding {
	return check.Find(content.Say("pinned", "pinned", content.Args{"to": what}))
}

// Counts are the metrics of the
func (g *Guard) Counts() *admin.HeldBack {
	c := &admin.HeldBack{Total: g.heldTotal.Load()}
	if h := g.Decisions().Held; h != nil {
		c.Now, c.Losses = true, h.Losses
	}
	return c
}

// HeldBack returns the value of the header for a state that is held back; nil if there is none.
// It is called for each response.
func (g *Guard) HeldBack() []string { return *g.header.Load() }
