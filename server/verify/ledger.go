package verify

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/log"
)

const (
	logRoot = "/log/"

	// maxLeaves is the maximum number of leaves of a log, and maxLeafBytes their total size.
	maxLeaves    = 1 << 20
	maxLeafBytes = 256 << 20
	// maxTile is the maximum size of a tile or an entry bundle, in bytes.
	maxTile = 256 * (2 + log.MaxLeaf)
)

// Log has the policy for heads of a log, and the head seen last.
type Log struct {
	Policy log.Policy
	Last   log.Checkpoint // without leaves if there was none
	// Untrue returns a leaf that is no fact of the repository, "" if there is none; nil: there is no
	// repository to compare with.
	Untrue func(*log.Log) (log.Leaf, error)
	// Remember stores a trusted signed head that matches the served leaves and is consistent
	// with the last one. It may be nil.
	Remember func(signed []byte) error
}

// ledger is what the log of the server says, as far as it is signed.
type ledger struct {
	*log.Log
	by        *Log
	may, must marks                   // in force: where it is the next day already, and where it is the day before
	longer    map[log.Checkpoint]bool // heads of proofs with more leaves than these
}

// readLedger checks the log of the server, nil if it cannot be read or nobody asks. Faults of
// the log are differences; an error is that of Remember.
func (v *verifier) readLedger(ctx context.Context) (*ledger, error) {
	by := v.Log
	if by == nil {
		return nil, nil
	}
	signed, err := v.part(ctx, logRoot+"checkpoint", log.MaxCheckpoint)
	if err != nil {
		v.distrust(err)
		return nil, nil
	}
	head, err := by.Policy.Open(signed)
	if err != nil {
		v.distrust(err)
		return nil, nil
	}
	distrust := by.Policy.Accept(head, time.Now())
	v.distrust(distrust)
	l, err := v.leaves(ctx, head.Checkpoint)
	if err != nil {
		v.distrust(err)
		return nil, nil
	}
	contradiction := l.Follows(by.Last, head.Checkpoint)
	v.distrust(contradiction)
	v.distrust(v.untrue(l))
	v.result.Leaves = l.Size()
	if distrust == nil && contradiction == nil && by.Remember != nil {
		err = by.Remember(signed)
	}
	return newLedger(l, by, time.Now()), err
}

// distrust records why the log cannot be trusted.
func (v *verifier) distrust(err error) {
	if err != nil {
		v.differ(logRoot+"checkpoint", "the signed log", "", err.Error())
	}
}

// untrue returns the reason why a leaf cannot be in the log.
func (v *verifier) untrue(l *log.Log) error {
	if _, i := l.Marks(); i >= 0 {
		return fmt.Errorf("leaf %d cannot follow those before it: %s", i, safe(string(l.Since(i)[0])))
	}
	if v.Log.Untrue == nil {
		return nil
	}
	leaf, err := v.Log.Untrue(l)
	if err == nil && leaf != "" {
		i, _ := l.Index(leaf)
		err = fmt.Errorf("leaf %d is no fact of the repository: %s", i, safe(string(leaf)))
	}
	return err
}

// part fetches a part of the log.
func (v *verifier) part(ctx context.Context, path string, limit int64) ([]byte, error) {
	a, err := v.client.ask(ctx, path, anyType, limit)
	switch {
	case err != nil:
		return nil, fmt.Errorf("fetch %s: %w", path, err)
	case a.status != http.StatusOK:
		return nil, fmt.Errorf("fetch %s: the answer is %d, and 200 is expected", path, a.status)
	}
	v.noteSnapshot(a)
	return a.body, nil
}

// leaves fetches the leaves of a tree, and checks them against its root.
func (v *verifier) leaves(ctx context.Context, c log.Checkpoint) (*log.Log, error) {
	if last := v.Log.Last; last.Size >= c.Size && log.CheckConsistency(nil, last, c) != nil {
		return nil, log.CheckConsistency(nil, last, c) // inconsistent whatever the leaves are
	}
	if c.Size > maxLeaves {
		return nil, fmt.Errorf("the log has %d leaves, and at most %d are read", c.Size, maxLeaves)
	}
	patience := cmp.Or(v.Timeout, defaultTimeout) + time.Duration(c.Size/256)*maxWait
	ctx, cancel := context.WithTimeoutCause(
		ctx, patience, fmt.Errorf("the server is too slow: its log took more than %s", patience),
	)
	defer cancel()
	var l *log.Log
	for size := 0; l.Size() < c.Size; {
		t := log.Bundle(l.Size(), c.Size)
		raw, err := v.part(ctx, logRoot+t.Path(), maxTile)
		if err != nil {
			return nil, cmp.Or(context.Cause(ctx), err)
		}
		if size += len(raw); size > maxLeafBytes {
			return nil, fmt.Errorf("the leaves of the log have more than %d MiB", maxLeafBytes>>20)
		}
		more, err := log.ReadBundle(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", logRoot+t.Path(), err)
		}
		if l = l.Extend(more...); len(more) != t.W {
			return nil, fmt.Errorf("%s has %d leaves, and %d are expected", logRoot+t.Path(), len(more), t.W)
		}
	}
	if !l.Agrees(c) {
		return nil, fmt.Errorf("the %d leaves that are served have another root than the one that is signed", c.Size)
	}
	return l, nil
}

// marks are those in force, by tag, or by item for all its versions.
type marks map[string]map[content.Status]bool

// newLedger reads the marks of a log that are in force.
func newLedger(l *log.Log, by *Log, now time.Time) *ledger {
	const easternmost, westernmost = 14 * time.Hour, -12 * time.Hour // of all time zones
	all := &ledger{l, by, marks{}, marks{}, map[log.Checkpoint]bool{}}
	open, _ := l.Marks()
	for leaf := range open {
		m, _ := leaf.Mark()
		what := m.Item
		if m.Version != "" {
			what += "/v" + m.Version
		}
		for in, zone := range map[*marks]time.Duration{&all.may: easternmost, &all.must: westernmost} {
			if m.Since <= now.UTC().Add(zone).Format(content.Date) {
				if (*in)[what] == nil {
					(*in)[what] = map[content.Status]bool{}
				}
				(*in)[what][m.Status] = true
			}
		}
	}
	return all
}

// of reports whether a publication has a status, by a mark of its own or of its item.
func (m marks) of(s content.Seal, status content.Status) bool {
	return m[s.Tag][status] || m[s.Item()][status]
}

// checkListed finds publications that are listed, but not in the log.
func (v *verifier) checkListed(listed []content.Seal) {
	for _, s := range listed {
		if !v.ledger.has(s) {
			v.differ(s.Tag, "not in the signed log", "", sealed(s))
		}
	}
}

// checkLeaves finds publications in the log that are not listed without a reason.
func (v *verifier) checkLeaves(listed []content.Seal, now time.Time) {
	served := make(map[string]content.Seal, len(listed))
	for _, s := range listed {
		served[s.Tag] = s
	}
	for s := range v.ledger.seals() {
		if !v.ledger.mustBeServed(s, now) {
			continue
		}
		switch found, ok := served[s.Tag]; {
		case !ok:
			v.differ(s.Tag, "in the signed log, and not served", sealed(s), "")
		case log.SealOf(found) != log.SealOf(s):
			v.differ(s.Tag, "another one in the signed log", sealed(s), sealed(found))
		}
	}
}

// seals are those of publications.
func (l *ledger) seals() iter.Seq[content.Seal] {
	return func(yield func(content.Seal) bool) {
		for _, leaf := range l.Since(0) {
			if s, ok := leaf.Seal(); ok && !yield(s) {
				return
			}
		}
	}
}

// has reports whether a publication is in the log as it was sealed.
func (l *ledger) has(s content.Seal) bool {
	_, ok := l.Index(log.SealOf(s))
	return ok
}

// mustBeServed reports whether a seal must be served: its day has come, and it is valid.
func (l *ledger) mustBeServed(s content.Seal, now time.Time) bool {
	return !s.PublishedAt.After(now) && l.isValid(s)
}

// isValid reports whether a seal is not a prerelease, lost, withdrawn or redacted, and of a
// known kind.
func (l *ledger) isValid(s content.Seal) bool {
	return isStable(s) && !l.may[s.Tag][content.Void] && !l.may.of(s, content.Redacted)
}

// isStable reports whether a seal in a log is of a known kind and not a prerelease.
func isStable(s content.Seal) bool {
	t, err := content.ParseTag(s.Tag)
	return err == nil && t.Kind != nil && t.Version.Prerelease() == ""
}

// sealed describes the content of a seal.
func sealed(s content.Seal) string {
	return s.Checksum + " " + s.PublishedAt.UTC().Format(time.RFC3339)
}

// proofs are the requests that check tiles and the proofs of publications against the leaves.
func (v *verifier) proofs(listed []content.Seal) (jobs []job) {
	l := v.ledger
	if l == nil {
		return nil
	}
	for _, t := range l.Tiles() {
		if t.L < 0 {
			continue // already read
		}
		path := logRoot + t.Path()
		jobs = append(jobs, job{path, path, anyType, func(a response, r *report) { l.tile(path, t, a, r) }})
	}
	for _, s := range listed {
		if l.has(s) {
			check := func(a response, r *report) { v.proof(s, a, r) }
			jobs = append(jobs, job{s.Tag + " (proof)", pathOf(s.Named()) + "/proof", anyType, check})
		}
	}
	return jobs
}

// highest are the highest listed versions in the log, by item, without those that a mark removes.
func (l *ledger) highest(listed []content.Seal) map[string]content.Tag {
	highest := map[string]content.Tag{}
	for _, s := range listed {
		t := s.Named()
		if h, known := highest[t.Item()]; l.has(s) && l.counts(t, s) && (!known || h.Version.LessThan(t.Version)) {
			highest[t.Item()] = t
		}
	}
	return highest
}

// counts reports whether a version can be the current one: no mark removes it.
func (l *ledger) counts(t content.Tag, s content.Seal) bool {
	return t.Version.Prerelease() == "" && !l.may[s.Tag][content.Archived] && !l.may.of(s, content.Redacted)
}

// tile checks a tile against the leaves.
func (l *ledger) tile(path string, t log.Tile, a response, r *report) {
	want, _ := l.Tile(t)
	if a.status != http.StatusOK || !bytes.Equal(a.body, want) {
		r.differ(
			path, theBody, "the hashes of the leaves",
			fmt.Sprintf("%d bytes, status %d", len(a.body), a.status),
		)
	}
}

// proof checks the proof of a publication, and its head against the leaves, so that the
// server cannot show different logs.
func (v *verifier) proof(s content.Seal, a response, r *report) {
	l, what := v.ledger, s.Tag+" (proof)"
	p, err := log.ParseProof(a.body)
	if err != nil {
		r.differ(what, theBody, "", err.Error())
		return
	}
	head, err := l.by.Policy.Open(p.Checkpoint)
	if err == nil {
		err = log.CheckInclusion(p.Hashes, p.Index, log.SealOf(s), head.Checkpoint)
	}
	if err == nil && head.Size > l.Size() {
		v.addLonger(head.Checkpoint)
	}
	index, _ := l.Index(log.SealOf(s))
	if err == nil && (p.Index != index || head.Size <= l.Size() && !l.Agrees(head.Checkpoint)) {
		err = fmt.Errorf("the proof is for another log of %d leaves, where this is leaf %d", head.Size, p.Index)
	}
	if err != nil {
		r.differ(what, "the signed log", "", err.Error())
	}
}

// ahead checks announced publications against the log: they are in it, and all of it is
// announced.
func (v *verifier) ahead(said map[string]string, now time.Time, r *report) {
	sealed := map[string]bool{}
	for s := range v.ledger.seals() {
		sealed[s.Tag+s.Checksum] = true
		soon := now.Add(time.Minute) // the day may begin during the run
		if !s.PublishedAt.Before(soon) && v.ledger.isValid(s) && said[s.Tag] == "" {
			r.differ(s.Tag, "not listed as upcoming", s.Checksum, "")
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(said)) {
		if !sealed[tag+said[tag]] {
			r.differ(safe(tag), "not in the signed log", "", safe(said[tag]))
		}
	}
}

// maxLonger is the maximum number of longer heads kept: few are signed during a run.
const maxLonger = 16

// addLonger stores a head with more leaves than were read: either signed meanwhile, or of
// another log.
func (v *verifier) addLonger(head log.Checkpoint) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.ledger.longer) < maxLonger {
		v.ledger.longer[head] = true
	}
}

// checkLonger checks that the longer heads are consistent with the leaves that were read.
func (v *verifier) checkLonger(ctx context.Context) {
	if v.ledger == nil {
		return
	}
	for head := range v.ledger.longer {
		longer, err := v.leaves(ctx, head)
		if err == nil {
			err = longer.Follows(v.ledger.Head(head.Origin), head)
		}
		v.distrust(err)
	}
}
