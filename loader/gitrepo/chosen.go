package gitrepo

// choice is a state of a mirror that is opened in place of the newest.
type choice struct {
	generation int    // 0 for the newest
	at         OID    // the commit used as head; zero for the branch
	branch     string // the branch that the commit was the head of; empty if it is on its own
}

// Choose selects a generation to open, with a commit as its head, until another one is
// selected; 0 is the newest generation, and the zero id is its branch. The commit goes by the name of
// a branch of which it was the head, if there is one.
func (m *Mirror) Choose(generation int, at OID, branch string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.older, m.chosen = 0, choice{generation, at, branch}
}

// Opened returns the number of the generation opened last, 0 if there is none.
func (m *Mirror) Opened() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.opened
}

// Retain sets the generation that is kept because it is served: one that was retained before is
// removed if nothing else needs it.
func (m *Mirror) Retain(generation int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.retained = generation
	_ = m.prune() // the rest is removed the next time
}

// Kept returns the newest generation that was read completely, by any process; 0 if there is
// none.
func (m *Mirror) Kept() (newest int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range m.generations() {
		if m.at(n).kept() {
			newest = n
		}
	}
	return newest
}
