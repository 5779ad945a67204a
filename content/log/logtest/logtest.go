// Package logtest makes logs for tests.
package logtest

import (
	"slices"

	"rulestore/content"
	"rulestore/content/log"
)

// Of is the log of what is sealed and marked in a snapshot, as `rulestore log sign` writes it, signed.
func Of(s *content.Snapshot, key log.Key) *log.Served {
	var leaves []log.Leaf
	add := func(p *content.Publication) {
		if p.Sealed {
			leaf := log.SealOf(content.Seal{Tag: p.Tag(), Checksum: p.Checksum, PublishedAt: p.PublishedAt})
			leaves = append(leaves, leaf)
		}
	}
	for _, item := range s.Items {
		for _, e := range item.Entries {
			add(e.Publication)
		}
	}
	for _, p := range slices.Concat(s.Upcoming, s.Held) {
		add(p)
	}
	for _, m := range s.AllMarks() {
		if leaf, ok := log.MarkOf(m); ok {
			leaves = append(leaves, leaf)
		}
	}
	slices.Sort(leaves)
	return Signed((*log.Log)(nil).Extend(leaves...), key)
}

// Signed is a log with its signed head.
func Signed(l *log.Log, key log.Key) *log.Served {
	signed, err := l.Head(key.Name()).Sign(key.Log())
	if err != nil {
		panic(err) // a key signs everything
	}
	return &log.Served{Log: l, Checkpoint: signed}
}
