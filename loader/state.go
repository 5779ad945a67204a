package loader

import (
	"rulestore/content"
	"rulestore/loader/git"
)

// state is what the last successful load came to, from which the next one goes on; empty before the first. A
// new loader comes to the same: it saves work alone. Contrary to what the [cache] has, it is only true of the
// history that was loaded.
type state struct {
	head     git.OID
	outcomes map[string]*outcome // by item
	snapshot *content.Snapshot
	history  *git.History
	settings content.Settings
	work     *workTree // see [Loader.ReviewDrafts]
	torn     bool      // folders could not be read: the next load may find more

	missed string // the state in which the last load, successful or not, repeatedly found objects missing
}

// remember keeps what the next load can reuse, after this one has succeeded.
func (l *Loader) remember(b *build, all []*outcome, snapshot *content.Snapshot) {
	before, outcomes := l.state.outcomes, make(map[string]*outcome, len(all))
	for _, o := range all {
		outcomes[o.item] = o
	}
	l.cache.rotate(func(item string) bool { return before[item] == nil || before[item] != outcomes[item] })
	l.state = &state{
		b.refs.Commit, outcomes, snapshot, b.history, b.settings, b.work, b.history.IsTorn(), l.state.missed,
	}
}
