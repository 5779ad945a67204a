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

// branchLog is the log of the branch up to the last commit read. It records the facts that each
// commit of the branch itself added. Facts only have to be well-formed: signatures, whether a
// fact is in force, and whether this build supports its kind have no influence, otherwise two
// replicas could differ (see package log).
type branchLog struct {
	log    *log.Log
	commit gitrepo.OID // the commit of the branch whose facts are being added
	added  []log.Leaf  // facts of this commit so far
	sizes  []logSize   // growth of the log by commit

	uncounted map[string]*gitrepo.Text // seal files in which no line counts, in their last state

	readBytes  int64 // size of the marks and approvals read, in bytes
	unreadable bool  // some of them can no longer be read
}

func newBranchLog() *branchLog { return &branchLog{uncounted: map[string]*gitrepo.Text{}} }

// maxMarks is the maximum total size of all states of lifecycle.yaml and of approvals files, in
// bytes: more would take minutes at each start.
const maxMarks = 256 << 20

// hasFacts reports whether the log has facts from a path.
func hasFacts(path string) bool {
	return content.HoldsSeals(path) || path == content.LifecycleFile || inApprovals(path)
}

// inApprovals reports whether a path is that of approvals, or of something in their place.
func inApprovals(path string) bool {
	return path == content.ApprovalsFolder || strings.HasPrefix(path, content.ApprovalsFolder+"/")
}

// logSize is the size of the log at a commit of the branch.
type logSize struct {
	commit gitrepo.OID
	size   int64
}

// beginCommit sets the commit of the branch that the following facts belong to.
func (l *branchLog) beginCommit(commit gitrepo.OID) {
	if commit != l.commit {
		l.endCommit()
		l.commit = commit
	}
}

// detach releases the packed data of files that are not read.
func (l *branchLog) detach() {
	for path, text := range l.uncounted {
		l.uncounted[path] = text.Whole()
	}
}

// endCommit appends the recorded facts of a commit to the log.
func (l *branchLog) endCommit() {
	slices.Sort(l.added)
	before := l.log.Size()
	l.log, l.added = l.log.Extend(l.added...), nil
	if size := l.log.Size(); size > before {
		l.sizes = append(l.sizes, logSize{l.commit, size})
	}
}

// commitAt returns a function that finds the first commit of the branch at which the log had that
// many leaves, or the next fewer; zero if there is none.
func (l *branchLog) commitAt() func(size int64) gitrepo.OID {
	steps := l.sizes // which are only added to
	return func(size int64) gitrepo.OID {
		i := sort.Search(len(steps), func(i int) bool { return steps[i].size > size })
		if i == 0 {
			return gitrepo.OID{}
		}
		return steps[i-1].commit
	}
}

// addSeal records a line of a seal file, with the result of [content.ParseSeal].
func (l *branchLog) addSeal(line string, seal content.Seal, err error) {
	if l == nil {
		return
	}
	if err == nil {
		l.added = append(l.added, log.SealOf(seal))
	} else if leaf, ok := log.ReadSeal(line); ok {
		l.added = append(l.added, leaf)
	}
}

// logUncountedSeals records the lines of a seal file in which none counts, since its path is not
// that of an item known to this build.
func (b *build) logUncountedSeals(l *branchLog, state gitrepo.Version) error {
	text, read, err := b.sealsOf(state.File)
	if err != nil || !read {
		return err
	}
	for _, line := range numbered(text.Slice(text.Differing(l.uncounted[state.Path]))) {
		seal, err := content.ParseSeal(line)
		l.addSeal(line, seal, err)
	}
	l.uncounted[state.Path] = text
	return nil
}

// logMarks records the marks in a state of lifecycle.yaml. If one can no longer be read there
// is no log, without further consequences: the newest state determines what is in force.
func (b *build) logMarks(seals *sealHistory, state gitrepo.Version) error {
	l := seals.log
	if !state.Mode.IsFile() || !l.complete() {
		return nil
	}
	raw, refusal, err := b.file(state.File, state.Path)
	switch {
	case gitrepo.IsDamaged(err):
		l.unreadable = true
		return nil
	case err != nil:
		return err
	case refusal != nil:
		return nil
	}
	l.readBytes += int64(len(raw))
	for _, m := range check.MarksIn(raw) {
		if leaf, ok := log.MarkOf(m); ok {
			l.added = append(l.added, leaf)
		}
	}
	return nil
}

// logApprovals records the approvals in a state of an approvals file.
func (b *build) logApprovals(seals *sealHistory, state gitrepo.Version) error {
	l := seals.log
	if state.Mode == gitrepo.Unreadable {
		l.unreadable = true
		return nil
	}
	if !state.Mode.IsFile() || !content.HoldsApprovals(state.Path) || !l.complete() {
		return nil
	}
	raw, err := b.repo.Blob(state.OID, maxItemSeals)
	switch {
	case gitrepo.IsDamaged(err):
		l.unreadable = true
		return nil
	case errors.Is(err, gitrepo.ErrTooLarge):
		return nil
	case err != nil:
		return err
	}
	l.readBytes += int64(len(raw))
	for _, line := range numbered(raw) {
		if leaf, ok := log.ReadApproval(line); ok {
			l.added = append(l.added, leaf)
		}
	}
	return nil
}

// complete reports whether all facts of the log were read.
func (l *branchLog) complete() bool { return l.readBytes <= maxMarks && !l.unreadable }

// view returns the log with the newest checkpoint of the branch that agrees with it, nil if it
// could not be read completely. If a newer checkpoint disagrees, there is a finding: the
// history was rewritten or rolled back, or the signer signed another log.
func (b *build) view() (*log.View, error) {
	l := b.seals.log
	if !l.complete() {
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

// maxCheckpoints is the number of the newest checkpoints that are searched for one that agrees.
const maxCheckpoints = 1000

// checkpoint reads a checkpoint, and returns the reason if it does not count.
func (b *build) checkpoint(l *branchLog, f gitrepo.File) (raw []byte, why *content.RuleText, err error) {
	wrong := func(s content.RuleText) (_ []byte, why *content.RuleText, err error) { return nil, &s, nil }
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
