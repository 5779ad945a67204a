package gitrepo

// choice is a state of a mirror that is opened in place of its newest.
type choice struct {
	generation int // 0: the newest
	at         OID // the commit that it is read at; zero: a branch
}

// Choose has a generation opened, as if a commit were the head of what is served, until
// another one is chosen; 0 is the newest, and no commit its branch.
func (m *Mirror) Choose(generation int, at OID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.older, m.chosen = 0, choice{generation, at}
}

// Opened returns the number of the generation that was opened last, 0 if none was.
func (m *Mirror) Opened() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.opened
}

// Retain says which generations somebody wants to go back to: they stay until others are
// named, and those that were named before go, if nobody else needs them.
func (m *Mirror) Retain(generations ...int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.retained = generations
	_ = m.prune() // what cannot be removed goes the next time
}

// Kept returns the newest generation that was read in full, by whichever process; 0 if
// none was.
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
