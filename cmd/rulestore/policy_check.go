package main

import (
	"path/filepath"
	"sync/atomic"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/i18n"
	"rulestore/content/log"
	"rulestore/loader"
	"rulestore/loader/git"
)

// seenFile is where a server keeps, beside the copy of a repository elsewhere, the signed head
// of the log that it served last.
const seenFile = "seen.checkpoint"

// policyCheck checks that states of a repository are signed as a policy requires, and that the log
// of each extends that of the one before.
type policyCheck struct {
	policy   log.Policy
	seen     stateFile // "" if nothing is kept
	last     log.Checkpoint
	readOnly bool // what is seen is not stored

	signedAt atomic.Pointer[time.Time] // when the witnesses signed the last head
}

// policyCheck returns the check of loaded states; nil without a policy.
func (f serveFlags) policyCheck(e *env) (*policyCheck, error) {
	if f.policy == "" {
		return nil, nil
	}
	policy, err := readPolicy(f.policy)
	if err != nil {
		return nil, err
	}
	v := &policyCheck{policy: policy, readOnly: f.checkOnly}
	if !git.IsAddress(f.repo) {
		return v, nil
	}
	mirror, err := f.mirrorFolder(e)
	if err != nil {
		return nil, err
	}
	v.seen = stateFile(filepath.Join(mirror, seenFile))
	raw, err := v.seen.read()
	if err == nil && raw != nil {
		v.last, err = policy.Seen(raw)
	}
	if err != nil {
		return nil, i18n.Errorf("what was seen of the log before, in %s, cannot be read: %w", v.seen, err)
	}
	return v, nil
}

// findings says that the witnesses have signed the log too long ago. Time makes that true of a state that
// was right when it was accepted, so that it goes on being served.
func (v *policyCheck) findings() []content.Finding {
	at, now := v.signedAt.Load(), time.Now()
	if at == nil || !v.policy.Old(*at, now) {
		return nil
	}
	return []content.Finding{check.Find(content.Say("log-old", "signed", content.Args{
		"at": at.Format(time.RFC3339), "age": v.policy.MaxAge().String(),
	}))}
}

// check returns the reason why a state must not be served: its log is not signed to its end,
// contradicts what was served before, or lacks publications.
func (v *policyCheck) check(r loader.Loaded) error {
	if r.Log == nil || r.Log.Checkpoint == nil {
		return i18n.Errorf(
			"--policy asks for a signed log, and nobody has signed that of the repository: `rulestore log sign` does",
		)
	}
	signed, err := v.policy.Open(r.Log.Checkpoint)
	var at time.Time
	if err == nil {
		at, err = v.policy.Witnessed(signed, time.Now())
	}
	switch {
	case err != nil:
		return i18n.Errorf("the log of the repository is not signed as --policy asks: %w", err)
	case r.Log.Refused:
		return i18n.Errorf("the log of the repository does not stand, and --policy asks for one that does")
	case len(r.Unlogged) > 0:
		return i18n.Errorf(
			"the log lacks %d of the seals and marks of the repository, and --policy asks for all: `rulestore log sign` "+
				"adds them, the first is %s", len(r.Unlogged), content.Printable(string(r.Unlogged[0])),
		)
	case v.last.Size > 0 && !r.Log.Agrees(v.last):
		return i18n.Errorf(
			"the log contradicts what was served before: %d leaves were signed, and they are not its beginning",
			v.last.Size,
		)
	}
	for _, item := range r.Snapshot.Items {
		for _, e := range item.Entries {
			seal := content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}
			if _, ok := r.Log.Index(log.SealOf(seal)); !ok {
				return i18n.Errorf(
					"%s is published and is not in the log: --policy serves only what is sealed", e.Tag(),
				)
			}
		}
	}
	if v.readOnly { // nothing will be served
		v.signedAt.Store(&at)
	}
	return nil
}

// remember notes the signed head of a state that was checked and is served from now on, for the next state and
// for the next process. A state that is held back is not remembered: what is served would contradict it.
func (v *policyCheck) remember(r loader.Loaded) error {
	signed, err := v.policy.Open(r.Log.Checkpoint)
	if err != nil {
		return err
	}
	if at, err := v.policy.Witnessed(signed, time.Now()); err == nil {
		v.signedAt.Store(&at)
	}
	if signed.Checkpoint == v.last {
		return nil
	}
	if v.seen != "" && !v.readOnly {
		if err := v.seen.write(r.Log.Checkpoint); err != nil {
			return i18n.Errorf("keep what was seen of the log: %w", err)
		}
	}
	v.last = signed.Checkpoint
	return nil
}
