package verify

import (
	"iter"

	"rulestore/content"
	"rulestore/content/log"
)

// ledgers are the logs of the repositories, in their order.
type ledgers []*signedLog

// of returns the log that has to hold the versions of an item, folder and name: of several the
// first that has any that was ever to be served, as no later repository publishes under its name.
// It is nil if none has.
func (all ledgers) of(item string) *signedLog {
	for _, l := range all {
		if len(all) == 1 || l.items[item] {
			return l
		}
	}
	return nil
}

// seals are those of publications, each in the log that has to hold it.
func (all ledgers) seals() iter.Seq2[*signedLog, content.Seal] {
	return func(yield func(*signedLog, content.Seal) bool) {
		for _, l := range all {
			for _, leaf := range l.Since(0) {
				if s, ok := leaf.Seal(); ok && all.of(s.Item()) == l && !yield(l, s) {
					return
				}
			}
		}
	}
}

// has reports whether a publication is in the log as it was sealed.
func (l *signedLog) has(s content.Seal) bool {
	_, ok := l.Index(log.SealOf(s))
	return ok
}
