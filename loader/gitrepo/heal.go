package gitrepo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"rulestore/content/crash"
	"rulestore/content/i18n"
)

// renewEvery is the minimum interval of complete fetches while they do not help: the remote
// itself may be damaged.
const renewEvery = 10 * time.Minute

// mostTries is the number of failures with the same generation after which everything is
// fetched again.
const mostTries = 2

// Keep marks the generation opened last as read completely: older ones are removed, and a later
// process serves it if it can read nothing newer. The newest is opened next.
func (m *Mirror) Keep() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.older, m.misses = 0, 0
	if m.opened == m.newest && m.why == "" {
		m.again = time.Time{}
	}
	m.read = m.opened
	m.at(m.opened).keep()
	if err := m.prune(); err != nil && !readOnly(err) {
		return i18n.Errorf("remove what the mirror no longer needs: %w", err)
	}
	return nil
}

// prune removes all generations except the newest, the retained one and the newest that was
// read completely; if there is none, also except the one before the newest.
func (m *Mirror) prune() error {
	older := slices.DeleteFunc(m.generations(), func(n int) bool { return n == m.newest })
	slices.Reverse(older)
	keep := []int{m.retained}
	if len(older) > 0 && !m.at(m.newest).kept() {
		good := slices.IndexFunc(older, func(n int) bool { return m.at(n).kept() })
		keep = append(keep, older[max(good, 0)])
	}
	var errs []error
	for _, n := range older {
		if !slices.Contains(keep, n) {
			errs = append(errs, os.RemoveAll(string(m.at(n))))
		}
	}
	return errors.Join(errs...)
}

// Pass reports whether there is a generation before the one opened last, which is useless to the
// caller: the previous one is opened next, or the newest if there is none.
func (m *Mirror) Pass() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.older = 0
	for _, n := range m.generations() {
		if n < m.opened {
			m.older = n
		}
	}
	return m.older != 0
}

// Failed records why the generation opened last could not be loaded completely, and reports
// whether the next fetch therefore starts from an empty generation: immediately if the mirror is
// unreadable, otherwise after the second failure, unless everything was just fetched. Panics and
// exhausted resources are not failures of the mirror. The newest generation is opened next.
func (m *Mirror) Failed(err error) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.older = 0
	_, crashed := errors.AsType[*crash.Error](err)
	if crashed || IsShortage(err) || errors.Is(err, context.Canceled) || m.opened == 0 || m.opened != m.newest {
		return false
	}
	if isReading(err) {
		return m.condemn(err)
	}
	if m.missed != m.opened {
		m.missed, m.misses = m.opened, 0
	}
	m.misses++
	return m.misses >= mostTries && m.opened != m.whole && m.condemn(err)
}

// isReading reports whether an error is of reading files, not of their content.
func isReading(err error) bool {
	_, read := errors.AsType[*ReadError](err)
	_, file := errors.AsType[*fs.PathError](err)
	return read || file || IsDamaged(err) || IsTransient(err)
}

// Condemned returns the reason why the next fetch starts from an empty generation; empty if it
// does not.
func (m *Mirror) Condemned() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.why
}

// Renewal describes the last complete fetch.
func (m *Mirror) Renewal() Renewal {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.renewal
}

// Generations returns the numbers of the newest generation and of the last one that was read
// completely, 0 if there is none.
func (m *Mirror) Generations() (newest, read int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.newest, m.read
}

// Intact returns the damage to the files of the newest generation, nil if they are unchanged or
// there is none. It reads little: the content of packs is checked when they are loaded.
func (m *Mirror) Intact() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.intact()
}

func (m *Mirror) intact() error {
	if m.newest == 0 {
		return nil
	}
	return m.at(m.newest).intact()
}

// base returns the generation that the next one extends; 0 for none.
func (m *Mirror) base() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.intact(); err != nil {
		m.condemn(err)
	}
	// After two failures one fetch requests everything. If that more expensive fetch fails,
	// the following ones extend the newest generation again.
	if m.why != "" || m.stumbles%(mostTries+1) == mostTries {
		return 0
	}
	return m.newest
}

// condemn makes the next fetch request everything, unless that has been done without success.
// It reports whether it does.
func (m *Mirror) condemn(why error) bool {
	if time.Now().Before(m.again) {
		return false
	}
	m.why = why.Error()
	return true
}

// renewed records a complete fetch, if there was a reason for it.
func (m *Mirror) renewed() {
	if m.why == "" {
		return
	}
	now := time.Now()
	m.renewal = Renewal{now, m.why, m.renewal.Count + 1}
	m.why, m.again = "", now.Add(renewEvery)
}

// stumbled counts fetches that failed after the remote had answered.
func (m *Mirror) stumbled(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err == nil {
		m.stumbles = 0
	} else {
		m.stumbles++
	}
}
