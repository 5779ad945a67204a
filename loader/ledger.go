package loader

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/log"
	"rulestore/loader/gitrepo"
)

// ledger is the log of the branch as far as it was read. It takes down what each commit of
// the branch itself came to hold, and asks of a fact only whether it is well-formed: not
// who signed it, nor whether it is in force or of a kind that this build knows, or two
// replicas could differ (see package log).
type ledger struct {
	log   *log.Log
	on    int         // the position on the branch of the commit whose facts follow
	by    gitrepo.OID // that commit
	noted []log.Leaf  // of that commit so far
	steps []step      // by which the log grew

	unread map[string]*gitrepo.Text // files of seals in which no line counts, as they were noted last

	marks int64 // how many bytes of marks and approvals were read
	lost  bool  // some of them cannot be read any more
}

func newLedger() *ledger { return &ledger{unread: map[string]*gitrepo.Text{}} }

// maxMarks is how many bytes all states of lifecycle.yaml and of files of approvals may have
// together: more would take minutes at each start.
const maxMarks = 256 << 20

// holdsFacts reports whether a path is that of what the log holds.
func holdsFacts(path string) bool {
	return content.HoldsSeals(path) || path == content.LifecycleFile || inApprovals(path)
}

// inApprovals reports whether a path is that of approvals, or of what stands where they could.
func inApprovals(path string) bool {
	return path == content.ApprovalsFolder || strings.HasPrefix(path, content.ApprovalsFolder+"/")
}

// step says how many leaves the log had with a commit of the branch.
type step struct {
	commit gitrepo.OID
	size   int64
}

// turn says on which commit of the branch the facts came that follow. What came before
// those that were noted is known.
func (l *ledger) turn(position int, commit gitrepo.OID) {
	if position > l.on {
		l.close()
		l.on, l.by = position, commit
	}
}

// detach lets go of what the files that are not read were packed with.
func (l *ledger) detach() {
	for path, text := range l.unread {
		l.unread[path] = text.Whole()
	}
}

// close puts what was noted of a commit into the log.
func (l *ledger) close() {
	slices.Sort(l.noted)
	before := l.log.Size()
	l.log, l.noted = l.log.Extend(l.noted...), nil
	if size := l.log.Size(); size > before {
		l.steps = append(l.steps, step{l.by, size})
	}
}

// grown returns a function that finds the first commit of the branch with which the log had
// so many leaves, or as many as come next to that and no more; zero if there is none.
func (l *ledger) grown() func(size int64) gitrepo.OID {
	steps := l.steps // which are only added to
	return func(size int64) gitrepo.OID {
		i := sort.Search(len(steps), func(i int) bool { return steps[i].size > size })
		if i == 0 {
			return gitrepo.OID{}
		}
		return steps[i-1].commit
	}
}

// note notes a line of a file of seals, with what [content.ParseSeal] says of it.
func (l *ledger) note(line string, seal content.Seal, err error) {
	if l == nil {
		return
	}
	if err == nil {
		l.noted = append(l.noted, log.SealOf(seal))
	} else if leaf, ok := log.ReadSeal(line); ok {
		l.noted = append(l.noted, leaf)
	}
}

// noteUnread notes the lines of a file of seals in which none counts, since its path is
// that of no item that this build knows.
func (b *build) noteUnread(l *ledger, state gitrepo.Version) error {
	text, read, err := b.sealsOf(state.File)
	if err != nil || !read {
		return err
	}
	for _, line := range numbered(text.Slice(text.Differing(l.unread[state.Path]))) {
		seal, err := content.ParseSeal(line)
		l.note(line, seal, err)
	}
	l.unread[state.Path] = text
	return nil
}

// noteMarks notes the marks of a state of lifecycle.yaml. Where one cannot be read any more
// there is no log, and that is all: what is in force is in the newest.
func (b *build) noteMarks(seals *sealLog, state gitrepo.Version) error {
	l := seals.ledger
	if !state.Mode.IsFile() || !l.whole() {
		return nil
	}
	raw, refusal, err := b.file(state.File, state.Path)
	switch {
	case gitrepo.IsDamaged(err):
		l.lost = true
		return nil
	case err != nil:
		return err
	case refusal != nil:
		return nil
	}
	l.marks += int64(len(raw))
	for _, m := range check.MarksIn(raw) {
		if leaf, ok := log.MarkOf(m); ok {
			l.noted = append(l.noted, leaf)
		}
	}
	return nil
}

// noteApprovals notes the approvals in a state of a file of them.
func (b *build) noteApprovals(seals *sealLog, state gitrepo.Version) error {
	l := seals.ledger
	if state.Mode == gitrepo.Unreadable {
		l.lost = true
		return nil
	}
	if !state.Mode.IsFile() || !content.HoldsApprovals(state.Path) || !l.whole() {
		return nil
	}
	raw, err := b.repo.Blob(state.OID, maxItemSeals)
	switch {
	case gitrepo.IsDamaged(err):
		l.lost = true
		return nil
	case errors.Is(err, gitrepo.ErrTooLarge):
		return nil
	case err != nil:
		return err
	}
	l.marks += int64(len(raw))
	for _, line := range numbered(raw) {
		if leaf, ok := log.ReadApproval(line); ok {
			l.noted = append(l.noted, leaf)
		}
	}
	return nil
}

// whole reports whether all was read that the log is to hold.
func (l *ledger) whole() bool { return l.marks <= maxMarks && !l.lost }

// view returns the log with the newest checkpoint of the branch that agrees with it, nil
// if it could not be read whole. Where that is not the newest of all, there is a finding: the
// history was rewritten or rolled back, or somebody signed what is not there.
func (b *build) view() (*log.View, error) {
	l := b.memos.seals.ledger
	if !l.whole() {
		b.report.Add(finding(content.LifecycleFile, say("log", "unread", nil)))
		return nil, nil
	}
	v := &log.View{Log: l.log}
	states := b.history.Mainline(content.CheckpointFile)
	for i, state := range slices.Backward(states[max(0, len(states)-maxCheckpoints):]) {
		raw, why, err := b.checkpoint(l, state.File)
		if err != nil {
			return nil, err
		}
		if why == nil {
			v.Checkpoint = raw
			break
		}
		if newest := i == min(len(states), maxCheckpoints)-1; newest {
			b.report.Add(finding(content.CheckpointFile, *why))
			v.Refused = true
		}
	}
	return v, nil
}

// maxCheckpoints is among how many of the newest checkpoints one is looked for that agrees.
const maxCheckpoints = 1000

// checkpoint reads a checkpoint, and says why it does not count if it does not.
func (b *build) checkpoint(l *ledger, f gitrepo.File) (raw []byte, why *content.Said, err error) {
	wrong := func(s content.Said) (_ []byte, why *content.Said, err error) { return nil, &s, nil }
	if !f.Mode.IsFile() {
		return wrong(say("log", "missing", nil))
	}
	raw, err = b.repo.Blob(f.OID, log.MaxCheckpoint)
	if err != nil && !errors.Is(err, gitrepo.ErrTooLarge) {
		return nil, nil, err
	}
	c, unfit := log.ReadCheckpoint(raw)
	switch {
	case err != nil || unfit != nil:
		return wrong(say("log", "form", nil))
	case !l.log.Agrees(c):
		return wrong(say("log", "disagrees", args{"size": c.Size, "root": c.Root.String(), "now": l.log.Size()}))
	}
	return raw, nil, nil
}
