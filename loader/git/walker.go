package git

// Walker reads histories. Commits and their changes are immutable, so a later history of the same walker
// reads only new ones.
type Walker struct {
	// Name returns the name of the file at a path: the path, if it is not set. If several paths have one
	// name, moving the file from one to another is not a change; if a file exists at several of
	// them at once, its mode is Several. It is a function of the path alone, and idempotent.
	Name func(path string) string

	keep   func(path string, m Mode) bool
	branch *History // the last one of a branch alone
	beside *History // the last one with other commits
}

// NewWalker returns a walker that follows the files that keep accepts.
func NewWalker(keep func(path string, m Mode) bool) *Walker {
	return &Walker{Name: func(path string) string { return path }, keep: keep}
}

// History reads everything reachable from the commits. The first is the branch's head. The last history of a branch
// alone is extended, if all that is new follows it.
func (w *Walker) History(r *Repo, head OID, others []OID) (*History, error) {
	tips := append([]OID{head}, others...)
	data, err := w.read(r, tips)
	if err != nil {
		return nil, err
	}
	h, last := w.branch, &w.branch
	if len(others) > 0 {
		last = &w.beside
	}
	if h == nil || len(others) > 0 || !h.continues(data, head) {
		h = newHistory(w.Name)
	}
	if !h.add(data, tips) {
		*last = nil // it may be the one that is incomplete now
		return nil, tooLarge(head)
	}
	*last = h
	return h, nil
}

// cached returns what is known of a commit that was read before, nil if it was not.
func (w *Walker) cached(id OID) *commitData {
	for _, h := range [...]*History{w.branch, w.beside} {
		if h == nil {
			continue
		}
		if n := h.index[id]; n != nil {
			return n.commitData
		}
	}
	return nil
}
