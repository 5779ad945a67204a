package loader

import (
	"path"
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// reader reads a state of a root file. The value counts only if there are no findings.
type reader[T any] = func(git.File) (*T, []content.Finding, error)

// readSettings reads rulestore.yaml. The lack of a valid one is an error, since the product is
// not defined. With trusted signers it also returns who signed the version.
func (b *build) readSettings() (content.Settings, []content.SignedFile, error) {
	read := func(f git.File) (s *content.Settings, findings []content.Finding, err error) {
		findings, err = b.readRoot(f, content.SettingsFile, func(raw []byte) (found []content.Finding) {
			s, found = check.Settings(b.Schemas, raw)
			return found
		})
		return s, findings, err
	}
	newest, findings, err := newestValid(b, content.SettingsFile, read)
	switch {
	case err != nil:
		return content.Settings{}, nil, err
	case newest == nil && len(findings) > 0:
		return content.Settings{}, nil, i18n.Errorf("no version of %s on branch %s is valid: %s",
			content.SettingsFile, b.refs.Branch, findings[0])
	case newest == nil:
		if err := b.repo.FolderAt(b.refs.Commit); err != nil {
			return content.Settings{}, nil, i18n.Errorf("branch %s: %w", b.refs.Branch, err)
		}
		return content.Settings{}, nil, i18n.Errorf("branch %s has no %s: `rulestore init DIR` writes an example, and "+
			"--repo names a folder of the repository that has one",
			b.refs.Branch, path.Join(b.repo.Folder(), content.SettingsFile))
	case b.Signers == nil:
		b.report.Add(findings...)
		return *newest, nil, nil
	}
	_, signed, err := signedVersions(b, content.SettingsFile, read)
	if err != nil || len(signed) == 0 {
		return content.Unsettled(), nil, err
	}
	return *signed[0].value, []content.SignedFile{signed[0].vouched(content.SettingsFile)}, nil
}

// readMarks reads lifecycle.yaml, which is optional. With trusted signers it also returns who
// signed the versions.
func (b *build) readMarks() (marks []content.Mark, vouched []content.SignedFile, err error) {
	if b.Signers == nil {
		newest, findings, err := newestValid(b, content.LifecycleFile, b.readLifecycle)
		b.report.Add(findings...)
		if err != nil || newest == nil {
			return nil, nil, err
		}
		return newest.marks, nil, nil
	}
	versions, inForce, err := signedVersions(b, content.LifecycleFile, b.readLifecycle)
	if err != nil || len(inForce) == 0 {
		return nil, nil, err
	}
	changes, err := b.markChanges(versions)
	if err != nil {
		return nil, nil, err
	}
	var written []content.Mark
	for _, v := range inForce {
		marks = append(marks, marksWithout(marksBy(v, changes), marks)...)
		written = append(written, v.value.marks...)
		vouched = append(vouched, v.vouched(content.LifecycleFile))
	}
	b.reportUnsigned(written, marks, changes)
	return marks, vouched, nil
}

// lifecycle is what a state of lifecycle.yaml says, also one that is not valid.
type lifecycle struct {
	marks    []content.Mark
	findings []content.Finding
}

// readLifecycle is a [reader] of lifecycle.yaml.
func (b *build) readLifecycle(f git.File) (*lifecycle, []content.Finding, error) {
	if l, known := b.cache.lifecycles.get(f); known {
		return l, l.findings, nil
	}
	l := &lifecycle{}
	found, err := b.readRoot(f, content.LifecycleFile, func(raw []byte) (found []content.Finding) {
		if l.marks, found = check.Lifecycle(b.Schemas, raw); len(found) > 0 {
			l.marks = check.MarksIn(raw)
		}
		return found
	})
	if l.findings = found; err != nil {
		return l, found, err
	}
	return b.cache.lifecycles.keep(f, l), found, nil
}

// readRoot reads a state of a root file and has it checked.
func (b *build) readRoot(
	f git.File, path string, review func(raw []byte) []content.Finding,
) (findings []content.Finding, err error) {
	raw, findings, err := readFile(b.repo, f, path, check.MaxSize)
	if err != nil || len(findings) > 0 {
		return findings, err
	}
	if err := crash.Do(func() { findings = review(raw) }); err != nil {
		return []content.Finding{b.crashFinding(path, "checking the file", err)}, nil
	}
	return findings, nil
}

// newestValid reads a root file from the newest commit of the branch in which it is valid. The
// findings are those of the head, if it is invalid there. A file that was removed counts as
// invalid: its last content stays in force, so that redacted content is not restored by
// accident.
func newestValid[T any](b *build, path string, read reader[T]) (*T, []content.Finding, error) {
	states := b.history.Mainline(path)
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
