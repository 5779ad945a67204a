package loader

import (
	"bytes"
	"errors"
	"strings"

	"rulestore/content"
	"rulestore/loader/git"
)

// lfsPointer is the beginning of a Git LFS pointer file.
const lfsPointer = "version https://git-lfs.github.com/spec/"

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
