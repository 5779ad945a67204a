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
	head  git.OID     // of the branch
	view  *log.Served // the newest log that stood at a head
	files []git.OID   // its files of leaves

	older  map[git.OID]*log.Served // at earlier commits; nil if it does not stand there
	sizes  map[git.OID]int64       // leaves of checkpoints; 0: it is none
	stood  map[log.Leaf]bool       // marks in states of lifecycle.yaml
	states map[git.OID]bool        // of these, those that were read
	read   int64                   // their bytes
	marks  marksOf                 // at the head
}

// marksOf are the marks in a state of lifecycle.yaml.
type marksOf struct {
	state  git.OID
	leaves map[log.Leaf]bool
	valid  bool
}

// logState is a state of the history that has a signed head of the log.
type logState struct {
	commit git.OID
	signed time.Time
	size   int64
}

// readLog reads the log at the head, but for what the head has and the log has not. If it does not stand,
// there is a finding, and the newest one before it that stands is served.
func (fs *facts) readLog() (r LogResult, err error) {
	m := &fs.cache.log
	if m.sizes == nil || !fs.history.Contains(m.head) {
		*m = logMemo{
			older: map[git.OID]*log.Served{}, sizes: map[git.OID]int64{},
			stood: map[log.Leaf]bool{}, states: map[git.OID]bool{},
		}
	}
	m.head = fs.refs.Commit
	states, err := fs.logStates()
	if err != nil {
		return r, err
	}
	var wrong *content.Finding
	if r.Log, wrong, err = fs.logAt(fs.refs.Commit, states); err != nil {
		return r, err
	}
	if wrong != nil {
		hint := say("log", "begin", nil)
		r.Log = &log.Served{Refused: true}
		for _, s := range states[:min(len(states), maxOlderLogs)] {
			older, err := fs.olderLog(s, states)
			if err != nil {
				return r, err
			}
			if older != nil {
				r.Log.Log, r.Log.Checkpoint = older.Log, older.Checkpoint
				hint = say("log", "restore", args{"commit": s.commit.String()[:12]})
				break
			}
		}
		fs.report.Add(check.Advise(*wrong, hint))
	}
	if fs.signing {
		r.Longer, r.LongerCommit, err = fs.continued(r.Log, states)
	}
	return r, err
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

// olderLog returns the log at a commit before the head, nil if it does not stand.
func (fs *facts) olderLog(s logState, states []logState) (*log.Served, error) {
	v, known := fs.cache.log.older[s.commit]
	if known {
		return v, nil
	}
	v, _, err := fs.logAt(s.commit, states)
	if err == nil {
		fs.cache.log.older[s.commit] = v
	}
	return v, err
}

// logStates lists the states of the history with a signed head, newest first; of those of one second, as git
// counts time, that of the longest log, which is the last.
func (fs *facts) logStates() (states []logState, err error) {
	m := &fs.cache.log
	for _, v := range fs.history.Versions(content.CheckpointFile) {
		size, known := m.sizes[v.OID]
		if !known {
			raw, err := fs.contentOf(v.File, log.MaxCheckpoint)
			if err != nil {
				return nil, err
			}
			c, _ := log.ReadCheckpoint(raw)
			size, m.sizes[v.OID] = c.Size, c.Size
		}
		if size > 0 {
			states = append(states, logState{v.At, v.Changed.Committed, size})
		}
	}
	slices.SortStableFunc(states, func(x, y logState) int {
		return cmp.Or(y.signed.Compare(x.signed), cmp.Compare(y.size, x.size))
	})
	return states, nil
}

// logAt reads the log at a commit. wrong is the reason why it does not stand; a commit without any
// part of a log has none.
func (fs *facts) logAt(commit git.OID, states []logState) (v *log.Served, wrong *content.Finding, err error) {
	m, fault := &fs.cache.log, func(path string, s content.RuleText) (*log.Served, *content.Finding, error) {
		return nil, new(finding(path, s)), nil
	}
	l, files, wrong, err := fs.leavesAt(commit)
	if err != nil || wrong != nil {
		return nil, wrong, err
	}
	signed, exists := fs.history.At(commit, content.CheckpointFile)
	switch {
	case !exists && l.Size() == 0:
		return nil, nil, nil
	case !exists:
		return fault(content.CheckpointFile, say("log", "missing", nil))
	}
	raw, err := fs.contentOf(signed.File, log.MaxCheckpoint)
	if err != nil {
		return nil, nil, err
	}
	c, unfit := log.ReadCheckpoint(raw)
	_, misplaced := l.Marks()
	switch {
	case unfit != nil:
		return fault(content.CheckpointFile, say("log", "form", nil))
	case c.Size != l.Size() || !l.Agrees(c):
		return fault(content.CheckpointFile, say(
			"log", "disagrees", args{"size": c.Size, "root": c.Root.String(), "now": l.Size()},
		))
	case misplaced >= 0:
		return nil, new(aboutLeaf(misplaced, say("log", "misplaced", args{"leaf": shown(l, misplaced)}))), nil
	}
	from := int64(0)
	if known := m.view.Leaves(); l.Extends(known) {
		from = known.Size()
	}
	for i := from; i < l.Size(); i++ {
		fact, err := fs.isFact(l.Since(i)[0], i, states)
		if err != nil {
			return nil, nil, err
		}
		if m.read > maxFacts {
			return fault(log.FilePath(0), say("log", "unread", nil))
		}
		if !fact {
			return nil, new(aboutLeaf(i, say("log", "no-fact", args{"leaf": shown(l, i)}))), nil
		}
	}
	v = &log.Served{Log: l, Checkpoint: raw}
	if commit == fs.refs.Commit {
		m.view, m.files = v, files
	}
	return v, nil, nil
}

// shown is a leaf for messages.
func shown(l *log.Log, index int64) string { return content.Printable(string(l.Since(index)[0])) }

// aboutLeaf is a finding about a leaf.
func aboutLeaf(index int64, s content.RuleText) content.Finding {
	f := finding(log.FilePath(index/256), s)
	f.Line, f.Column = int(index%256)+1, 1
	return f
}

// leavesAt reads the leaves at a commit. wrong is the reason why they cannot be read.
func (fs *facts) leavesAt(commit git.OID) (l *log.Log, files []git.OID, wrong *content.Finding, err error) {
	m := &fs.cache.log
	known := m.view.Leaves()
	var leaves []log.Leaf
	size := 0
	for n := int64(0); n < maxLogFiles; n++ {
		path := log.FilePath(n)
		v, exists := fs.history.At(commit, path)
		if !exists {
			break
		}
		more := known.Since(n * 256)
		more = more[:min(len(more), 256)]
		if n >= int64(len(m.files)) || m.files[n] != v.OID {
			if more, wrong, err = fs.leavesIn(v.File); wrong != nil || err != nil {
				return nil, nil, wrong, err
			}
		}
		for _, leaf := range more {
			size += len(leaf)
		}
		if size > maxLeafBytes {
			return nil, nil, new(finding(path, say("log", "unread", nil))), nil
		}
		files, leaves = append(files, v.OID), append(leaves, more...)
		if len(more) < 256 {
			break
		}
	}
	if known.Size() <= int64(len(leaves)) && slices.Equal(known.Since(0), leaves[:known.Size()]) {
		return known.Extend(leaves[known.Size():]...), files, nil, nil
	}
	return (*log.Log)(nil).Extend(leaves...), files, nil, nil
}

// leavesIn reads a file of leaves.
func (fs *facts) leavesIn(f git.File) (leaves []log.Leaf, wrong *content.Finding, err error) {
	raw, err := fs.contentOf(f, log.MaxFile)
	if err != nil {
		return nil, nil, err
	}
	leaves, line := log.ReadFile(raw)
	if line == 0 {
		return leaves, nil, nil
	}
	w := finding(f.Path, say("log", "leaf", nil))
	for _, text := range numbered(raw) {
		if check.IsConflict([]byte(text)) {
			w = finding(f.Path, say("log", "conflict", nil))
		}
	}
	w.Line, w.Column = line, min(line, 1)
	return nil, &w, nil
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
	fs.seals = l.cache.seals
	fs.refs.Commit = l.state.head
	states, err := fs.logStates()
	for i, leaf := range of.Since(0) {
		if fact, e := fs.isFact(leaf, int64(i), states); err != nil || e != nil || !fact {
			return leaf, errors.Join(err, e)
		}
	}
	return "", err
}

// isFact reports whether a leaf with an index is a fact of the history: a line of a seal file, or a
// mark, in any state of it; or the end of a mark that the head does not have, or did not have when
// the end was signed.
func (fs *facts) isFact(leaf log.Leaf, index int64, states []logState) (bool, error) {
	if seal, ok := leaf.Seal(); ok {
		return fs.seals.has(seal), nil
	}
	mark, ends := leaf.Begin()
	now, err := fs.marksAt(fs.refs.Commit)
	if err != nil || !ends && now.leaves[leaf] || ends && !now.leaves[mark] {
		return err == nil, err
	}
	if !ends {
		return fs.stood(leaf)
	}
	for _, s := range states {
		if s.size <= index {
			continue
		}
		if then, err := fs.marksAt(s.commit); err != nil || !then.leaves[mark] {
			return err == nil, err
		}
	}
	return false, nil
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

// stood reports whether any state of lifecycle.yaml has the mark of a leaf.
func (fs *facts) stood(mark log.Leaf) (bool, error) {
	m := &fs.cache.log
	for _, v := range fs.history.Versions(content.LifecycleFile) {
		if m.stood[mark] {
			break
		}
		if m.states[v.OID] || m.read > maxFacts {
			continue
		}
		raw, err := fs.contentOf(v.File, check.MaxSize)
		if err != nil {
			return false, err
		}
		m.states[v.OID], m.read = true, m.read+int64(len(raw))
		maps.Copy(m.stood, marksIn(raw))
	}
	return m.stood[mark], nil
}

// marksIn returns the leaves of the marks in a state of lifecycle.yaml.
func marksIn(raw []byte) map[log.Leaf]bool {
	leaves := map[log.Leaf]bool{}
	for _, mark := range check.MarksIn(raw) {
		if leaf, ok := log.MarkOf(mark); ok {
			leaves[leaf] = true
		}
	}
	return leaves
}

// marksAt reads the marks at a commit.
func (fs *facts) marksAt(commit git.OID) (of marksOf, err error) {
	m := &fs.cache.log
	v, exists := fs.history.At(commit, content.LifecycleFile)
	switch {
	case !exists:
		return marksOf{}, nil
	case v.OID == m.marks.state:
		return m.marks, nil
	}
	raw, err := fs.contentOf(v.File, check.MaxSize)
	if err != nil {
		return marksOf{}, err
	}
	_, findings := check.Lifecycle(fs.Schemas, raw)
	of = marksOf{v.OID, marksIn(raw), len(findings) == 0}
	if commit == fs.refs.Commit {
		m.marks = of
	}
	return of, nil
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

// continued returns a log of the history, and its commit, that goes on where one ends; nil if there
// is none. Its leaves were signed, and were taken out since.
func (fs *facts) continued(l *log.Served, states []logState) (longer *log.Served, commit git.OID, err error) {
	for _, s := range states[:min(len(states), maxOlderLogs)] {
		if s.size <= max(l.Leaves().Size(), longer.Leaves().Size()) {
			continue
		}
		v, err := fs.olderLog(s, states)
		if err != nil {
			return nil, commit, err
		}
		if v != nil && v.Continues(l) {
			longer, commit = v, s.commit
		}
	}
	return longer, commit, nil
}
