package verify

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/content/log"
)

const (
	logRoot, sourcesRoot = "/log/", "/sources/"

	// maxLeaves is the maximum number of leaves of a log, and maxLeafBytes their total size.
	maxLeaves    = 1 << 20
	maxLeafBytes = 256 << 20
	// maxTile is the maximum size of a tile or an entry bundle, in bytes.
	maxTile = 256 * (2 + log.MaxLeaf)
)

// Log has the policy for heads of a log, and the head seen last.
type Log struct {
	Source string // the name of the repository, if there are several
	Policy log.Policy
	Last   log.Checkpoint // without leaves if there was none
	// Untrue returns a leaf that is no fact of the repository, "" if there is none; nil: there is no
	// repository to compare with.
	Untrue func(*log.Log) (log.Leaf, error)
	// Remember stores a trusted signed head that matches the served leaves and is consistent
	// with the last one. It may be nil.
	Remember func(signed []byte) error

	root string // the path of the log, with a slash at its end
}

// placed are the logs with their paths: each after the first is below that of its repository.
func placed(all []Log) []Log {
	all = slices.Clone(all)
	for i := range all {
		if all[i].root = logRoot; i > 0 {
			all[i].root = sourcesRoot + all[i].Source + logRoot
		}
	}
	return all
}

// signedLog is what a log of the server says, as far as it is signed.
type signedLog struct {
	*log.Log
	by        *Log
	items     map[string]bool         // of which it has a version that was ever to be served
	may, must marks                   // in force: where it is the next day already, and where it is the day before
	longer    map[log.Checkpoint]bool // heads of proofs with more leaves than these
}

// readLedgers checks the logs of the server, and checks the list of publications against them.
// What is wrong with a log is a difference; an error is that of Remember.
func (v *verifier) readLedgers(ctx context.Context, listed []content.Seal) error {
	var all ledgers
	for i := range v.Logs {
		l, err := v.readLedger(ctx, &v.Logs[i])
		if err != nil {
			return err
		}
		if l != nil {
			all = append(all, l)
		}
	}
	if len(all) == 0 || len(all) < len(v.Logs) {
		return nil // of each publication it has to be known which log has it
	}
	v.ledgers = all
	v.checkListed(listed)
	v.checkLeaves(listed, time.Now())
	return nil
}

// readLedger checks the log of the server, and the list of publications against it. Faults of
// the log are differences; an error is that of Remember.
func (v *verifier) readLedger(ctx context.Context, by *Log) (*signedLog, error) {
	signed, err := v.part(ctx, by.root+"checkpoint", log.MaxCheckpoint)
	if err != nil {
		v.distrust(by, err)
		return nil, nil
	}
	head, err := by.Policy.Open(signed)
	if err != nil {
		v.distrust(by, err)
		return nil, nil
	}
	distrust := by.Policy.Accept(head, time.Now())
	v.distrust(by, distrust)
	l, err := v.leaves(ctx, by, head.Checkpoint)
	if err != nil {
		v.distrust(by, err)
		return nil, nil
	}
	contradiction := l.Follows(by.Last, head.Checkpoint)
	v.distrust(by, contradiction)
	v.distrust(by, v.untrue(l, by))
	v.result.Leaves += l.Size()
	if distrust == nil && contradiction == nil && by.Remember != nil {
		err = by.Remember(signed)
	}
	return newLedger(l, by, time.Now()), err
}

// distrust records why the log cannot be trusted.
func (v *verifier) distrust(by *Log, err error) {
	if err != nil {
		v.differ(by.root+"checkpoint", i18n.New("the signed log"), "", err)
	}
}

// untrue returns the reason why a leaf cannot be in the log.
func (v *verifier) untrue(l *log.Log, by *Log) error {
	if _, i := l.Marks(); i >= 0 {
		return i18n.Errorf("leaf %d cannot follow those before it: %s", i, clip(string(l.Since(i)[0])))
	}
	if by.Untrue == nil {
		return nil
	}
	leaf, err := by.Untrue(l)
	if err == nil && leaf != "" {
		i, _ := l.Index(leaf)
		err = i18n.Errorf("leaf %d is no fact of the repository: %s", i, clip(string(leaf)))
	}
	return err
}

// part fetches a part of the log.
func (v *verifier) part(ctx context.Context, path string, limit int64) ([]byte, error) {
	a, err := v.client.ask(ctx, request{path: path, accept: "*/*"}, limit)
	switch {
	case err != nil:
		return nil, i18n.Errorf("fetch %s: %w", path, err)
	case a.status != http.StatusOK:
		return nil, i18n.Errorf("fetch %s: the answer is %d, and 200 is expected", path, a.status)
	}
	v.noteSnapshot(a)
	return a.body, nil
}

// leaves fetches the leaves of a tree, and checks them against its root.
func (v *verifier) leaves(ctx context.Context, by *Log, c log.Checkpoint) (*log.Log, error) {
	if last := by.Last; last.Size >= c.Size && log.CheckConsistency(nil, last, c) != nil {
		return nil, log.CheckConsistency(nil, last, c) // inconsistent whatever the leaves are
	}
	if c.Size > maxLeaves {
		return nil, i18n.Errorf("the log has %d leaves, and at most %d are read", c.Size, maxLeaves)
	}
	patience := cmp.Or(v.Timeout, defaultTimeout) + time.Duration(c.Size/256)*maxWait
	ctx, cancel := context.WithTimeoutCause(
		ctx, patience, i18n.Errorf("the server is too slow: its log took more than %s", patience),
	)
	defer cancel()
	var l *log.Log
	for size := 0; l.Size() < c.Size; {
		t := log.Bundle(l.Size(), c.Size)
		raw, err := v.part(ctx, by.root+t.Path(), maxTile)
		if err != nil {
			return nil, cmp.Or(context.Cause(ctx), err)
		}
		if size += len(raw); size > maxLeafBytes {
			return nil, i18n.Errorf("the leaves of the log have more than %d MiB", maxLeafBytes>>20)
		}
		more, err := log.ReadBundle(raw)
		if err != nil {
			return nil, i18n.Errorf("%s: %w", by.root+t.Path(), err)
		}
		if l = l.Extend(more...); len(more) != t.W {
			return nil, i18n.Errorf("%s has %d leaves, and %d are expected", by.root+t.Path(), len(more), t.W)
		}
	}
	if !l.Agrees(c) {
		return nil, i18n.Errorf("the %d leaves that are served have another root than the one that is signed", c.Size)
	}
	return l, nil
}

// marks are those in force, by tag, or by item for all its versions.
type marks map[string]map[content.Status]bool

// newLedger reads the marks of a log that are in force.
func newLedger(l *log.Log, by *Log, now time.Time) *signedLog {
	const easternmost, westernmost = 14 * time.Hour, -12 * time.Hour // of all time zones
	all := &signedLog{l, by, map[string]bool{}, marks{}, marks{}, map[log.Checkpoint]bool{}}
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
	for _, leaf := range l.Since(0) {
		if s, ok := leaf.Seal(); ok && isStable(s) {
			all.items[s.Item()] = true
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
		if l := v.ledgers.of(s.Item()); l == nil || !l.has(s) {
			v.differ(s.Tag, i18n.New("not in the signed log"), "", sealed(s))
		}
	}
}

// checkLeaves finds publications in the log that are not listed without a reason.
func (v *verifier) checkLeaves(listed []content.Seal, now time.Time) {
	served := make(map[string]content.Seal, len(listed))
	for _, s := range listed {
		served[s.Tag] = s
	}
	for l, s := range v.ledgers.seals() {
		if !l.mustBeServed(s, now) {
			continue
		}
		switch found, ok := served[s.Tag]; {
		case !ok:
			v.differ(s.Tag, i18n.New("in the signed log, and not served"), sealed(s), "")
		case log.SealOf(found) != log.SealOf(s):
			v.differ(s.Tag, i18n.New("another one in the signed log"), sealed(s), sealed(found))
		}
	}
}

// mustBeServed reports whether a seal must be served: its day has come, and it is valid.
func (l *signedLog) mustBeServed(s content.Seal, now time.Time) bool {
	return !s.PublishedAt.After(now) && l.isValid(s)
}

// isValid reports whether a seal is not a prerelease, lost, withdrawn or redacted, and of a
// known kind.
func (l *signedLog) isValid(s content.Seal) bool {
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

// proofs are the requests that check tiles, proofs of publications and current versions
// against the leaves.
func (v *verifier) proofs(listed []content.Seal) (jobs []job) {
	if v.ledgers == nil {
		return nil
	}
	checks := map[string]func(answer, *report){}
	var views []view
	for _, l := range v.ledgers {
		for _, t := range l.Tiles() {
			if t.L < 0 {
				continue // already read
			}
			w := plain(l.by.root+t.Path(), l.by.root+t.Path(), "*/*")
			views, checks[w.path] = append(views, w), func(a answer, r *report) { l.tile(w, t, a, r) }
		}
	}
	highest := map[string]content.Tag{} // by item, among the versions without a mark that removes them
	sums := map[string]string{}         // of all versions, by tag
	for _, s := range listed {
		sums[s.Tag] = s.Checksum
		l, t := v.ledgers.of(s.Item()), s.Named()
		if l == nil || !l.has(s) {
			continue
		}
		if h, known := highest[t.Item()]; l.counts(t, s) && (!known || h.Version.LessThan(t.Version)) {
			highest[t.Item()] = t
		}
		w := plain(i18n.New("%s (proof)", s.Tag), pathOf(t)+"/proof", "*/*")
		views, checks[w.path] = append(views, w), func(a answer, r *report) { v.proof(l, w, s, a, r) }
	}
	for item, t := range highest {
		w := plain(i18n.New("%s (current)", item), t.Kind.ItemPath(t.Name), anyJSON())
		views, checks[w.path] = append(views, w), func(a answer, r *report) { v.highest(w, t, sums, a, r) }
	}
	jobs = v.lists(highest, sums)
	for _, w := range v.chooseViews(views, maxViews) {
		jobs = append(jobs, job{view: w, check: checks[w.path]})
	}
	return jobs
}

// counts reports whether a version can be the current one: no mark removes it.
func (l *signedLog) counts(t content.Tag, s content.Seal) bool {
	return t.Version.Prerelease() == "" && !l.may[s.Tag][content.Archived] && !l.may.of(s, content.Redacted)
}

// highest checks that the address of an item serves one of its versions as sealed, at least
// the highest that counts. A higher one may have had a temporary mark.
func (v *verifier) highest(w view, highest content.Tag, sums map[string]string, a answer, r *report) {
	k, must := highest.Kind, v.ledgers.of(highest.Item()).must
	if a.status != http.StatusOK {
		r.differ(w.what, theStatus, "200", strconv.Itoa(a.status))
		return
	}
	item, sum, err := read(a.body)
	if err != nil {
		r.differ(w.what, theBody, aJSONObject, err)
		return
	}
	found := item.Text(k.Version)
	tag := highest.Item() + "/v" + found
	served, err := content.ParseTag(tag)
	switch {
	case err != nil || served.Version.LessThan(highest.Version):
		r.differ(w.what, k.Version, highest.Version.String(), clip(found))
	case sums[tag] == "":
		r.differ(w.what, k.Version, i18n.New("not listed among the publications"), clip(found))
	case must[tag][content.Archived]:
		r.differ(w.what, k.Version, i18n.New("another, as this one is archived in the signed log"), clip(found))
	default:
		r.same(w.what, recomputed, sums[tag], sum)
	}
	if must[highest.Item()][content.Archived] {
		r.same(w.what, "status", string(content.Archived), item.Text("status"))
	}
}

// tile checks a tile against the leaves.
func (l *signedLog) tile(w view, t log.Tile, a answer, r *report) {
	want, _ := l.Tile(t)
	if a.status != http.StatusOK || !bytes.Equal(a.body, want) {
		r.differ(
			w.what, theBody, i18n.New("the hashes of the leaves"),
			i18n.New("%d bytes, status %d", len(a.body), a.status),
		)
	}
}

// proof checks the proof of a publication, and its head against the leaves, so that the
// server cannot show different logs.
func (v *verifier) proof(l *signedLog, w view, s content.Seal, a answer, r *report) {
	p, err := log.ParseProof(a.body)
	if err != nil {
		r.differ(w.what, theBody, "", err)
		return
	}
	head, err := l.by.Policy.Open(p.Checkpoint)
	if err == nil {
		err = log.CheckInclusion(p.Hashes, p.Index, log.SealOf(s), head.Checkpoint)
	}
	if err == nil && head.Size > l.Size() {
		v.addLonger(l, head.Checkpoint)
	}
	index, _ := l.Index(log.SealOf(s))
	if err == nil && (p.Index != index || head.Size <= l.Size() && !l.Agrees(head.Checkpoint)) {
		err = i18n.Errorf("the proof is for another log of %d leaves, where this is leaf %d", head.Size, p.Index)
	}
	if err != nil {
		r.differ(w.what, i18n.New("the signed log"), "", err)
	}
}
