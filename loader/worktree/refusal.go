package worktree

import (
	"bytes"
	"errors"
	"io/fs"
	"os"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
)

// args are the arguments of a message.
type args = content.Args

// say makes a message of a rule, see [content.Say].
func say(rule, key string, named args) content.RuleText { return content.Say(rule, key, named) }

// finding makes a finding about a file, with the severity of its rule.
func finding(path string, s content.RuleText) content.Finding {
	f := check.Find(s)
	f.Path = path
	return f
}

// warning makes a warning about a file.
func warning(path string, s content.RuleText) content.Finding {
	f := finding(path, s)
	f.Severity = content.Warning
	return f
}

// refuse determines why files do not count.
func (c *Content) refuse() {
	for i := range c.Files {
		c.Files[i].refuse()
	}
}

func (f *File) refuse() {
	f.Refusal = refusedPlace(f.Path, f.mode)
	limit, size := Limit(f.Path), max(f.size, int64(len(f.Raw)))
	switch {
	case f.Refusal != nil:
	case f.mode == special:
		f.Refusal = []content.Finding{finding(f.Path, say("symlink", "special", nil))}
	case !f.mode.IsFile():
		f.Refusal = refusedMode(f.Path, f.mode)
	case size > limit:
		f.Refusal = TooLarge(f.Path, &git.SizeError{Size: size, Limit: limit})
	default:
		f.Refusal = refusedContent(f.Path, f.Raw)
	}
	if f.Refusal != nil {
		f.Raw = nil
	}
}

// lfsPointer is the beginning of a Git LFS pointer file.
const lfsPointer = "version https://git-lfs.github.com/spec/"

// ReadFile reads what is at a path. The findings are the reasons why it cannot be used; the
// error means that the repository cannot be read.
func ReadFile(repo *git.Repo, f git.File, path string, limit int64) ([]byte, []content.Finding, error) {
	if refusal := refusedMode(path, f.Mode); refusal != nil {
		return nil, refusal, nil
	}
	raw, err := repo.Blob(f.OID, limit)
	switch {
	case errors.Is(err, git.ErrTooLarge):
		return nil, TooLarge(path, err), nil
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
	case git.Several:
		return []content.Finding{finding(path, say("two-places", "tagged", nil))}
	}
	return nil
}

// TooLarge is the finding about a file that is not read.
func TooLarge(path string, err error) []content.Finding {
	e, ok := errors.AsType[*git.SizeError](err)
	switch {
	case !ok:
		return []content.Finding{finding(path, say("size", "other", args{"problem": err}))}
	case content.HoldsSeals(path):
		return []content.Finding{finding(path, say("size", "seals", args{"size": e.Size, "most": e.Limit}))}
	}
	return []content.Finding{finding(path, say("size", "item", args{"size": e.Size, "most": e.Limit}))}
}

// refusedContent returns the reason why the content of a file is not what its name promises.
func refusedContent(path string, raw []byte) []content.Finding {
	if !bytes.HasPrefix(raw, []byte(lfsPointer)) {
		return nil
	}
	return []content.Finding{finding(path, say("lfs", "pointer", nil))}
}

// Damaged is the finding about a damaged object.
func Damaged(path string, err error) content.Finding {
	return finding(path, whyDamaged(err).Advise(say("damaged", "restore", nil)))
}

// ReadItem is [ReadFile] for a file that only one publication needs: if the object is damaged,
// that publication is refused.
func ReadItem(repo *git.Repo, f git.File, path string, limit int64) ([]byte, []content.Finding, error) {
	raw, refusal, err := ReadFile(repo, f, path, limit)
	if git.IsDamaged(err) {
		return nil, []content.Finding{Damaged(path, err)}, nil
	}
	return raw, refusal, err
}

// whyDamaged returns the damaged object.
func whyDamaged(err error) content.RuleText {
	e, ok := errors.AsType[*git.ReadError](err)
	if !ok || e.Kind == "" {
		return say("damaged", "other", args{"problem": err})
	}
	return say("damaged", "object", args{"kind": content.Word("git " + e.Kind), "object": e.Object})
}

// similarFolders reports unread folders whose names are similar to those of kinds.
func similarFolders(dir string) (found []content.Finding, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) { // a sparse checkout leaves it out
		return nil, nil
	}
	kinds := []string{content.SealsFolder}
	for _, k := range content.Kinds {
		kinds = append(kinds, k.Folder)
	}
	for _, e := range entries {
		if near := check.Nearest(e.Name(), kinds); e.IsDir() && near != "" && near != e.Name() {
			s := say("folder", "unread", nil).Guess(near)
			if nth, foreign := check.Foreign(e.Name()); nth > 0 {
				s = s.Advise(foreign)
			}
			found = append(found, warning(e.Name(), s))
		}
	}
	return found, err
}
