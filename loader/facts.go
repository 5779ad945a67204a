package loader

import (
	"errors"
	"slices"
	"sync"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// facts are what the history of the branch says of the whole of it: stage 3. No later stage changes them.
type facts struct {
	past
	settings content.Settings
	zone     *time.Location // of the settings
	today    string         // in this zone
	seals    *sealHistory
	ancestry func() *ancestry // of the branch: only tags with several lines need it
	logged   LogResult        // but for what the next signing appends
	marks    []content.Mark
	signed   []content.SignedFile // who signed settings and marks
	damaged  map[git.OID]error    // of tagged commits that are read for their seals alone, see [facts.readBeyond]
	report   content.Report
}

// fold reads the facts: what the history has gained since the last load is added to what is known.
func (p *past) fold() (*facts, error) {
	fs := &facts{
		past: *p, ancestry: sync.OnceValue(func() *ancestry { return ancestryOf(p.history) }),
		damaged: map[git.OID]error{},
	}
	signed, err := []content.SignedFile(nil), error(nil)
	if fs.settings, fs.signed, err = fs.readSettings(); err != nil {
		return nil, err
	}
	fs.zone = fs.settings.Zone()
	fs.today = fs.now.In(fs.zone).Format(content.Date)
	if err = fs.readSeals(); err != nil {
		return nil, err
	}
	if fs.logged, err = fs.readLog(); err != nil {
		return nil, err
	}
	if err = fs.settleSeals(fs.logged.Log.Leaves()); err != nil {
		return nil, err
	}
	if fs.history, err = fs.readBeyond(); err != nil {
		return nil, err
	}
	fs.marks, signed, err = fs.readMarks()
	fs.signed = append(fs.signed, signed...)
	fs.report.Add(fs.seals.wrong(content.Voided(fs.marks, fs.today))...)
	return fs, err
}

// ahead reports whether a date is in the future, by days in the time zone of the settings.
func (fs *facts) ahead(t time.Time) bool {
	return t.After(fs.now) && t.In(fs.zone).Format(content.Date) > fs.today
}

// readBeyond returns the history with that of tagged commits that are not reachable from the
// branch and are sealed, except those that cannot be read, as they are damaged or too large: sealed content may be
// found elsewhere.
func (fs *facts) readBeyond() (*git.History, error) {
	var commits []git.OID
	for _, r := range fs.tags {
		if r.isSound() && r.Kind != nil && !r.isMerged(fs.history) && fs.seals.sealed(r.name) {
			commits = append(commits, r.tag.Commit)
		}
	}
	if len(commits) == 0 {
		return fs.history, nil
	}
	history, err := fs.cache.walker.History(fs.repo, fs.refs.Commit, commits)
	stays := func(err error) bool { return git.IsDamaged(err) || errors.Is(err, git.ErrTooLarge) }
	if stays(err) {
		commits = slices.DeleteFunc(commits, func(id git.OID) bool {
			_, err := fs.cache.walker.History(fs.repo, fs.refs.Commit, []git.OID{id})
			if git.IsDamaged(err) {
				fs.damaged[id] = err
			}
			return stays(err)
		})
		history, err = fs.cache.walker.History(fs.repo, fs.refs.Commit, commits)
	}
	return history, err
}

// reader reads a state of a root file. The value counts only if there are no findings.
type reader[T any] = func(git.File) (*T, []content.Finding, error)

// readSettings reads rulestore.yaml. The lack of a valid one is an error, since the product is
// not defined. With trusted signers it also returns who signed the version.
func (fs *facts) readSettings() (content.Settings, []content.SignedFile, error) {
	read := func(f git.File) (s *content.Settings, findings []content.Finding, err error) {
		findings, err = fs.readRoot(f, content.SettingsFile, func(raw []byte) (found []content.Finding) {
			s, found = check.Settings(fs.Schemas, raw)
			return found
		})
		return s, findings, err
	}
	newest, findings, err := newestValid(fs, content.SettingsFile, read)
	switch {
	case err != nil:
		return content.Settings{}, nil, err
	case newest == nil && len(findings) > 0:
		return content.Settings{}, nil, i18n.Errorf("no version of %s on branch %s is valid: %s",
			content.SettingsFile, fs.refs.Branch, findings[0])
	case newest == nil:
		return content.Settings{}, nil, i18n.Errorf("branch %s has no %s: `rulestore init DIR` writes an example",
			fs.refs.Branch, content.SettingsFile)
	case fs.Signers == nil:
		fs.report.Add(findings...)
		return *newest, nil, nil
	}
	_, signed, err := signedVersions(fs, content.SettingsFile, read)
	if err != nil || len(signed) == 0 {
		return content.Unsettled(), nil, err
	}
	return *signed[0].value, []content.SignedFile{signed[0].vouched(content.SettingsFile)}, nil
}

// readMarks reads lifecycle.yaml, which is optional. With trusted signers it also returns who
// signed the versions.
func (fs *facts) readMarks() (marks []content.Mark, vouched []content.SignedFile, err error) {
	if fs.Signers == nil {
		newest, findings, err := newestValid(fs, content.LifecycleFile, fs.readLifecycle)
		fs.report.Add(findings...)
		if err != nil || newest == nil {
			return nil, nil, err
		}
		return newest.marks, nil, nil
	}
	versions, inForce, err := signedVersions(fs, content.LifecycleFile, fs.readLifecycle)
	if err != nil || len(inForce) == 0 {
		return nil, nil, err
	}
	changes, err := fs.markChanges(versions)
	if err != nil {
		return nil, nil, err
	}
	var written []content.Mark
	for _, v := range inForce {
		marks = append(marks, marksWithout(marksBy(v, changes), marks)...)
		written = append(written, v.value.marks...)
		vouched = append(vouched, v.vouched(content.LifecycleFile))
	}
	fs.reportUnsigned(written, marks, changes)
	return marks, vouched, nil
}

// lifecycle is what a state of lifecycle.yaml says, also one that is not valid.
type lifecycle struct {
	marks    []content.Mark
	findings []content.Finding
}

// readLifecycle is a [reader] of lifecycle.yaml.
func (ls *listed) readLifecycle(f git.File) (*lifecycle, []content.Finding, error) {
	if l, known := ls.cache.lifecycles.get(f); known {
		return l, l.findings, nil
	}
	l := &lifecycle{}
	found, err := ls.readRoot(f, content.LifecycleFile, func(raw []byte) (found []content.Finding) {
		if l.marks, found = check.Lifecycle(ls.Schemas, raw); len(found) > 0 {
			l.marks = check.MarksIn(raw)
		}
		return found
	})
	if l.findings = found; err != nil {
		return l, found, err
	}
	return ls.cache.lifecycles.keep(f, l), found, nil
}

// readRoot reads a state of a root file and has it checked.
func (ls *listed) readRoot(
	f git.File, path string, review func(raw []byte) []content.Finding,
) (findings []content.Finding, err error) {
	raw, findings, err := worktree.ReadFile(ls.repo, f, path, check.MaxSize)
	if err != nil || len(findings) > 0 {
		return findings, err
	}
	if err := crash.Do(func() { findings = review(raw) }); err != nil {
		return []content.Finding{ls.crashFinding(path, "checking the file", err)}, nil
	}
	return findings, nil
}

// newestValid reads a root file from the newest commit of the branch in which it is valid. The
// findings are those of the head, if it is invalid there. A file that was removed counts as
// invalid: its last content stays in force, so that redacted content is not restored by
// accident.
func newestValid[T any](fs *facts, path string, read reader[T]) (*T, []content.Finding, error) {
	states := fs.history.Mainline(path)
	var atHead []content.Finding
	for i := len(states) - 1; i >= 0; i-- {
		value, findings, err := read(states[i].File)
		if err != nil {
			return nil, nil, err
		}
		if len(findings) == 0 {
			for j := range atHead {
				atHead[j] = check.Advise(
					atHead[j], say("", "used", args{"commit": states[i].Changed.OID.String()[:12]}),
				)
			}
			return value, atHead, nil
		}
		if atHead == nil {
			atHead = slices.Clone(findings)
		}
	}
	return nil, atHead, nil
}
