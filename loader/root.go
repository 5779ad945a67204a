package loader

import (
	"bytes"
	"errors"
	"path"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// reader reads a root file. The value counts only if there are no findings.
type reader[T any] = func(raw []byte) (*T, []content.Finding)

// readSettings reads rulestore.yaml. The lack of a valid one is an error, since the product is
// not defined. With trusted signers it also returns who signed the version.
func (b *build) readSettings() (content.Settings, []content.SignedFile, error) {
	read := func(raw []byte) (*content.Settings, []content.Finding) { return check.Settings(b.Schemas, raw) }
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
	signed, err := signedVersions(b, content.SettingsFile, read)
	if err != nil || len(signed) == 0 {
		return content.Unsettled(), nil, err
	}
	return *signed[0].value, []content.SignedFile{signed[0].vouched(content.SettingsFile)}, nil
}

// readMarks reads lifecycle.yaml, which is optional. With trusted signers it also returns who
// signed the versions.
func (b *build) readMarks() (marks []content.Mark, vouched []content.SignedFile, err error) {
	read := func(raw []byte) (*[]content.Mark, []content.Finding) {
		marks, findings := check.Lifecycle(b.Schemas, raw)
		return &marks, findings
	}
	if b.Signers == nil {
		newest, findings, err := newestValid(b, content.LifecycleFile, read)
		b.report.Add(findings...)
		if err != nil || newest == nil {
			return nil, nil, err
		}
		return *newest, nil, nil
	}
	signed, err := signedVersions(b, content.LifecycleFile, read)
	if err != nil || len(signed) == 0 {
		return nil, nil, err
	}
	changes, err := b.markChanges()
	if err != nil {
		return nil, nil, err
	}
	var written []content.Mark
	for _, v := range signed {
		marks = append(marks, marksWithout(marksBy(v, changes), marks)...)
		written = append(written, *v.value...)
		vouched = append(vouched, v.vouched(content.LifecycleFile))
	}
	b.reportUnsigned(written, marks, changes)
	return marks, vouched, nil
}

// marksWithout returns the marks that are not in another list.
func marksWithout(marks, others []content.Mark) (added []content.Mark) {
	held := make(map[content.Mark]bool, len(others))
	for _, m := range others {
		held[m] = true
	}
	for _, m := range marks {
		if !held[m] {
			added = append(added, m)
		}
	}
	return added
}

// newestValid reads a root file from the newest commit of the branch in which it is valid. The
// findings are those of the head, if it is invalid there. A file that was removed counts as
// invalid: its last content stays in force, so that redacted content is not restored by
// accident. The file is read in every load, which also checks that the repository is still
// readable.
func newestValid[T any](b *build, path string, read reader[T]) (*T, []content.Finding, error) {
	states := b.history.Mainline(path)
	var atHead []content.Finding
	for i := len(states) - 1; i >= 0; i-- {
		raw, refusal, err := b.file(states[i].File, path)
		if err != nil {
			return nil, nil, err
		}
		var value *T
		findings := refusal
		if len(refusal) == 0 {
			if err := crash.Do(func() { value, findings = read(raw) }); err != nil {
				value, findings = nil, []content.Finding{b.crashFinding(path, "checking the file", err)}
			}
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
			atHead = findings
		}
	}
	return nil, atHead, nil
}

// lfsPointer is the beginning of a Git LFS pointer file.
const lfsPointer = "version https://git-lfs.github.com/spec/"

// file reads what is at a path (see readFile).
func (b *build) file(f git.File, path string) ([]byte, []content.Finding, error) {
	return readFile(b.repo, f, path, check.MaxSize)
}

// readFile reads what is at a path. The findings are the reasons why it cannot be used; the
// error means that the repository cannot be read.
func readFile(repo *git.Repo, f git.File, path string, limit int64) ([]byte, []content.Finding, error) {
	if f.Mode == git.Unreadable {
		return nil, []content.Finding{tornFolder(path, f.OID)}, nil
	}
	if refusal := refusedMode(path, f.Mode); refusal != nil {
		return nil, refusal, nil
	}
	raw, err := repo.Blob(f.OID, limit)
	switch {
	case errors.Is(err, git.ErrTooLarge):
		return nil, tooLarge(path, err), nil
	case err != nil:
		return nil, nil, err
	}
	return raw, refusedContent(path, raw), nil
}

// refusedMode returns the reason why an entry is not a usable file.
func refusedMode(path string, m git.Mode) []content.Finding {
	switch m {
	case git.Absent:
		return []content.Finding{finding(path, say("missing-file", "file", nil))}
	case git.Symlink:
		return []content.Finding{finding(path, say("symlink", "link", nil))}
	case git.Submodule:
		return []content.Finding{finding(path, say("submodule", "path", nil))}
	case git.Folder:
		return []content.Finding{unreadFolder(path)}
	case git.Several:
		return []content.Finding{finding(path, say("two-places", "tagged", nil))}
	}
	return nil
}

// maxNames is the maximum size of the names in a folder, in MiB.
const maxNames = git.MaxFolder >> 20

// unreadFolder is the finding about a folder that is not read, because it is too deep or too
// large.
func unreadFolder(path string) content.Finding {
	if strings.Count(path, "/") >= git.MaxDepth {
		return warning(path, say("name", "deep", args{"most": git.MaxDepth}))
	}
	return bomb(path, say("size", "folder", args{"most": maxNames}))
}

// bomb is the finding about a folder that is not read because of its content.
func bomb(path string, s content.RuleText) content.Finding {
	return finding(path, s.Advise(say("size", "fewer", nil)))
}

// tooManySeals is the finding about a file of seals that is not read.
func tooManySeals(path string, err error) []content.Finding {
	if e, ok := errors.AsType[*git.SizeError](err); ok {
		return []content.Finding{finding(path, say("size", "seals", args{"size": e.Size, "most": e.Limit}))}
	}
	return tooLarge(path, err)
}

// tooLarge is the finding about another file that is not read.
func tooLarge(path string, err error) []content.Finding {
	if e, ok := errors.AsType[*git.SizeError](err); ok {
		return []content.Finding{finding(path, say("size", "item", args{"size": e.Size, "most": e.Limit}))}
	}
	return []content.Finding{finding(path, say("size", "other", args{"problem": err}))}
}

// refusedContent returns the reason why the content of a file is not what its name promises.
func refusedContent(path string, raw []byte) []content.Finding {
	if !bytes.HasPrefix(raw, []byte(lfsPointer)) {
		return nil
	}
	return []content.Finding{finding(path, say("lfs", "pointer", nil))}
}
