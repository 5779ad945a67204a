package loader

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/log"
	"rulestore/loader/git"
)

const (
	maxLogFiles  = 1 << 12   // of leaves
	maxFacts     = 256 << 20 // bytes of the files that are searched for the facts of leaves
	maxLeafBytes = 256 << 20 // of the leaves of a log
	maxOlderLogs = 10        // that are tried if the newest does not stand
)

// logMemo is what is known of the log since the last load.
type logMemo struct {
	head  git.OID   // of the branch
	view  *log.Log  // that stood at a commit
	files []git.OID // its files of leaves

	stood  map[log.Leaf]bool // marks in states of lifecycle.yaml
	states map[git.OID]bool  // of these, those that were read
	read   int64             // their bytes
}

// logFault is the error that a log does not stand, with the finding that says why.
type logFault struct{ content.Finding }

func (f *logFault) Error() string { return f.Finding.String() }

// logFaultAt returns the fault in a file of a log, in one of its lines if that is not zero.
func logFaultAt(path string, line int, why content.RuleText) error {
	f := finding(path, why)
	f.Line, f.Column = line, min(line, 1)
	return &logFault{f}
}

// leafFault returns the fault of a leaf, by its index.
func leafFault(index int64, why content.RuleText) error {
	return logFaultAt(log.FilePath(index/256), int(index%256)+1, why)
}

// shownLeaf returns a leaf of a log as findings show it.
func shownLeaf(l *log.Log, index int64) string { return content.Printable(string(l.Since(index)[0])) }

// logState is a state of the history that has a signed head of the log.
type logState struct {
	commit git.OID
	signed time.Time
	size   int64
}

// logReader reads the log of a history.
type logReader struct {
	*facts
	*logMemo
	now marksAt // at the head
}

// marksAt are the marks in a state of lifecycle.yaml.
type marksAt struct {
	leaves map[log.Leaf]bool
	valid  bool
}

// newLogReader returns a reader of the log at the head, which goes on from what was known before if the history does.
func (fs *facts) newLogReader() (r *logReader, err error) {
	m := &fs.cache.log
	if !fs.history.Contains(m.head) {
		*m = logMemo{stood: map[log.Leaf]bool{}, states: map[git.OID]bool{}}
	}
	m.head = fs.refs.Commit
	now, err := fs.marksAt(m.head)
	return &logReader{fs, m, now}, err
}

// readLog reads the log at the head, but for what the head has and the log has not. If it does not stand,
// there is a finding, and the newest one before it that stands is served.
func (fs *facts) readLog() (result LogResult, err error) {
	_, signed := fs.history.At(fs.refs.Commit, content.CheckpointFile)
	if _, begun := fs.history.At(fs.refs.Commit, log.FilePath(0)); !signed && !begun && !fs.signing {
		return result, nil
	}
	r, err := fs.newLogReader()
	if err != nil {
		return result, err
	}
	result.Log, err = r.logAt(r.head)
	if wrong, is := errors.AsType[*logFault](err); is {
		hint := say("log", "begin", nil)
		older, commit, e := r.olderLog(0, func(*log.Served) bool { return true })
		if result.Log, err = (&log.Served{Refused: true}), e; older != nil {
			result.Log.Log, result.Log.Checkpoint = older.Log, older.Checkpoint
			hint = say("log", "restore", args{"commit": commit.String()[:12]})
		}
		fs.report.Add(check.Advise(wrong.Finding, hint))
	}
	if err == nil && fs.signing { // leaves that were signed may have been taken out since
		result.Longer, result.LongerCommit, err = r.olderLog(result.Log.Leaves().Size(), func(v *log.Served) bool {
			return v.Continues(result.Log)
		})
	}
	return result, err
}

// completeLog adds to the log what the next signing appends.
func (rs *review) completeLog() (r LogResult, err error) {
	if r = rs.logged; rs.signing || r.Log != nil {
		r.Unlogged, err = rs.unlogged(r.Log)
	}
	if r.Log != nil {
		served := *r.Log
		served.Unlogged, r.Log = len(r.Unlogged), &served
	}
	return r, err
}

// olderLog returns the newest log that is fit and has more leaves than size, and its commit; nil if there is none
// among the last ones that stand.
func (r *logReader) olderLog(size int64, fits func(*log.Served) bool) (*log.Served, git.OID, error) {
	states, err := r.logStates()
	for _, s := range states[:min(len(states), maxOlderLogs)] {
		if s.size <= size {
			continue
		}
		v, err := r.logAt(s.commit)
		if _, stands := errors.AsType[*logFault](err); err != nil && !stands {
			return nil, git.OID{}, err
		}
		if v != nil && fits(v) {
			return v, s.commit, nil
		}
	}
	return nil, git.OID{}, err
}

// logStates lists the states of the history with a signed head, newest first; of those of one second, as git
// counts time, that of the longest log, which is the last.
func (r *logReader) logStates() (states []logState, err error) {
	for _, v := range r.history.Versions(content.CheckpointFile) {
		raw, err := r.contentOf(v.File, log.MaxCheckpoint)
		if err != nil {
			return nil, err
		}
		if c, _ := log.ReadCheckpoint(raw); c.Size > 0 {
			states = append(states, logState{v.At, v.Changed.Committed, c.Size})
		}
	}
	slices.SortStableFunc(states, func(x, y logState) int {
		return cmp.Or(y.signed.Compare(x.signed), cmp.Compare(y.size, x.size))
	})
	return states, nil
}

// logAt reads the log at a commit, nil if that has no part of one. The error is a [logFault] if it does not stand.
func (r *logReader) logAt(commit git.OID) (*log.Served, error) {
	l, files, err := r.leavesAt(commit)
	if err != nil {
		return nil, err
	}
	signed, exists := r.history.At(commit, content.CheckpointFile)
	if !exists {
		if l.Size() > 0 {
			err = logFaultAt(content.CheckpointFile, 0, say("log", "missing", nil))
		}
		return nil, err
	}
	raw, err := r.contentOf(signed.File, log.MaxCheckpoint)
	if err != nil {
		return nil, err
	}
	c, unfit := log.ReadCheckpoint(raw)
	_, misplaced := l.Marks()
	switch {
	case unfit != nil:
		return nil, logFaultAt(content.CheckpointFile, 0, say("log", "form", nil))
	case c.Size != l.Size() || !l.Agrees(c):
		return nil, logFaultAt(content.CheckpointFile, 0, say("log", "disagrees", args{
			"size": c.Size, "root": c.Root.String(), "now": l.Size(),
		}))
	case misplaced >= 0:
		return nil, leafFault(misplaced, say("log", "misplaced", args{"leaf": shownLeaf(l, misplaced)}))
	}
	from := int64(0)
	if l.Extends(r.view) { // facts of a history that goes on stay facts
		from = r.view.Size()
	}
	switch untrue, err := r.untrue(l, from); {
	case err != nil:
		return nil, err
	case untrue >= 0:
		return nil, leafFault(untrue, say("log", "no-fact", args{"leaf": shownLeaf(l, untrue)}))
	}
	r.view, r.files = l, files
	return &log.Served{Log: l, Checkpoint: raw}, nil
}

// leavesAt reads the leaves at a commit.
func (r *logReader) leavesAt(commit git.OID) (l *log.Log, files []git.OID, err error) {
	var leaves []log.Leaf
	size := 0
	for n := int64(0); n < maxLogFiles; n++ {
		path := log.FilePath(n)
		v, exists := r.history.At(commit, path)
		if !exists {
			break
		}
		more := r.view.Since(n * 256)
		more = more[:min(len(more), 256)]
		if n >= int64(len(r.files)) || r.files[n] != v.OID {
			if more, err = r.leavesIn(v.File); err != nil {
				return nil, nil, err
			}
		}
		for _, leaf := range more {
			size += len(leaf)
		}
		if size > maxLeafBytes {
			return nil, nil, logFaultAt(path, 0, say("log", "unread", nil))
		}
		files, leaves = append(files, v.OID), append(leaves, more...)
		if len(more) < 256 {
			break
		}
	}
	if size := r.view.Size(); size <= int64(len(leaves)) && slices.Equal(r.view.Since(0), leaves[:size]) {
		return r.view.Extend(leaves[size:]...), files, nil
	}
	return (*log.Log)(nil).Extend(leaves...), files, nil
}

// leavesIn reads a file of leaves.
func (r *logReader) leavesIn(f git.File) ([]log.Leaf, error) {
	raw, err := r.contentOf(f, log.MaxFile)
	if err != nil {
		return nil, err
	}
	leaves, line := log.ReadFile(raw)
	if line == 0 {
		return leaves, nil
	}
	for _, text := range content.Lines(raw) {
		if check.IsConflict([]byte(text)) {
			return nil, logFaultAt(f.Path, line, say("log", "conflict", nil))
		}
	}
	return nil, logFaultAt(f.Path, line, say("log", "leaf", nil))
}

// Untrue returns the first leaf of a log that is no fact of the repository as it was loaded last, ""
// if there is none.
func (l *Loader) Untrue(of *log.Log) (log.Leaf, error) {
	repo, err := l.Source.Open()
	if err != nil {
		return "", err
	}
	defer repo.Close()
	fs := &facts{past: past{listed: &listed{Config: l.Config, cache: l.cache, repo: repo}, history: l.state.history}}
	fs.seals, fs.refs.Commit = l.cache.seals, l.state.head
	r, err := fs.newLogReader()
	if err != nil {
		return "", err
	}
	if i, err := r.untrue(of, 0); i >= 0 || err != nil {
		return of.Since(max(i, 0))[0], err
	}
	return "", nil
}

// untrue returns the index of the first leaf of a log, from an index on, that is no fact of the history; -1 if
// there is none.
func (r *logReader) untrue(l *log.Log, from int64) (int64, error) {
	for i, leaf := range l.Since(from) {
		index := from + int64(i)
		if fact, err := r.isFact(leaf, index); err != nil || !fact {
			return index, err
		}
	}
	return -1, nil
}

// isFact reports whether a leaf with an index is a fact of the history: a line of a seal file, or a
// mark, in any state of it; or the end of a mark that the head does not have, or did not have when
// the end was signed.
func (r *logReader) isFact(leaf log.Leaf, index int64) (bool, error) {
	if seal, ok := leaf.Seal(); ok {
		return r.seals.has(seal), nil
	}
	mark, ends := leaf.Begin()
	if !ends {
		if r.now.leaves[leaf] {
			return true, nil
		}
		return r.hasStood(leaf)
	}
	if !r.now.leaves[mark] {
		return true, nil
	}
	states, err := r.logStates()
	for _, s := range states {
		if s.size <= index {
			continue
		}
		if then, err := r.marksAt(s.commit); err != nil || !then.leaves[mark] {
			return err == nil, err
		}
	}
	return false, err
}

// has reports whether a line of the history, whether it counts or not, is that of a seal.
func (l *sealHistory) has(s content.Seal) bool {
	f := l.files[content.SealsPath(itemName(s.Tag))]
	if f == nil {
		return false
	}
	leaf := log.SealOf(s)
	if line := f.lines[s.String()]; line != nil && log.SealOf(line.Seal) == leaf {
		return true
	}
	for _, line := range f.lines {
		if line.Tag == s.Tag && log.SealOf(line.Seal) == leaf {
			return true
		}
	}
	return false
}

// hasStood reports whether any state of lifecycle.yaml has the mark of a leaf.
func (r *logReader) hasStood(mark log.Leaf) (bool, error) {
	for _, v := range r.history.Versions(content.LifecycleFile) {
		if r.stood[mark] {
			break
		}
		if r.states[v.OID] {
			continue
		}
		raw, err := r.contentOf(v.File, check.MaxSize)
		if err != nil {
			return false, err
		}
		if r.states[v.OID], r.read = true, r.read+int64(len(raw)); r.read > maxFacts {
			return false, logFaultAt(log.FilePath(0), 0, say("log", "unread", nil))
		}
		maps.Copy(r.stood, leavesOf(check.MarksIn(raw)))
	}
	return r.stood[mark], nil
}

// leavesOf returns the leaves of marks.
func leavesOf(marks []content.Mark) map[log.Leaf]bool {
	leaves := map[log.Leaf]bool{}
	for _, mark := range marks {
		if leaf, ok := log.MarkOf(mark); ok {
			leaves[leaf] = true
		}
	}
	return leaves
}

// marksAt reads the marks at a commit.
func (fs *facts) marksAt(commit git.OID) (marksAt, error) {
	at, exists := fs.history.At(commit, content.LifecycleFile)
	if !exists {
		return marksAt{}, nil
	}
	l, found, err := fs.readLifecycle(at.File)
	return marksAt{leavesOf(l.marks), len(found) == 0}, err
}

// contentOf reads a file; what is no file, is too large, or cannot be read any more is empty.
func (ls *listed) contentOf(f git.File, limit int64) ([]byte, error) {
	if !f.Mode.IsFile() {
		return nil, nil
	}
	raw, err := ls.repo.Blob(f.OID, limit)
	if git.IsDamaged(err) || errors.Is(err, git.ErrTooLarge) {
		return nil, nil
	}
	return raw, err
}

// unlogged lists what the head has and a log, which may be nil, has not, sorted: seals in force,
// marks, and the ends of marks. While lifecycle.yaml is not valid, nothing begins or ends there.
func (fs *facts) unlogged(l *log.Served) (leaves []log.Leaf, err error) {
	own := l.Leaves()
	for _, f := range fs.seals.files {
		for _, t := range f.tags {
			if t.inForce == nil {
				continue
			}
			leaf := log.SealOf(t.inForce.Seal)
			if _, logged := own.Index(leaf); !logged {
				leaves = append(leaves, leaf)
			}
		}
	}
	now, err := fs.marksAt(fs.refs.Commit)
	if now.valid {
		open, _ := own.Marks()
		for leaf := range now.leaves {
			if !open[leaf] {
				leaves = append(leaves, leaf)
			}
		}
		for leaf := range open {
			if !now.leaves[leaf] {
				leaves = append(leaves, leaf.End())
			}
		}
	}
	slices.Sort(leaves)
	return leaves, err
}
