package loader

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// damaged is the finding about a damaged object.
func damaged(path string, err error) content.Finding {
	return finding(path, whyDamaged(err).Advise(say("damaged", "restore", nil)))
}

// tornFolder is the finding about a damaged folder, or about a file in it.
func tornFolder(path string, folder git.OID) content.Finding {
	return finding(path, say("damaged", "folder", args{"folder": folder}))
}

// tornAt returns the folder of a file, if it is damaged at a commit.
func (b *build) tornAt(commit git.OID, path string) (folder git.OID, ok bool) {
	dir, unread := b.unreadFolderOf(commit, path)
	at, _ := b.history.At(commit, dir)
	return at.OID, unread && at.Mode == git.Unreadable
}

// maybeTorn returns the findings about unreadable folders that may have a version of a file.
func (b *build) maybeTorn(path string) (found []content.Finding) {
	for dir := range b.history.Torn() {
		if strings.HasPrefix(path, dir.Path+"/") || strings.HasPrefix(dir.Path, path[:strings.IndexByte(path, '/')+1]) {
			return []content.Finding{tornFolder(path, dir.OID)}
		}
	}
	return nil
}

// advise adds the remedy for a repository with so much damage that nothing can be served.
func advise(err error) error {
	if !git.IsDamaged(err) {
		return err
	}
	return i18n.Errorf("%w; fetch the repository again, or restore the object from another copy", err)
}

// reportCrash reports an error that is a panic to [Config].Crashed.
func (c Config) reportCrash(err error) {
	if _, ok := errors.AsType[*crash.Error](err); ok && c.Crashed != nil {
		c.Crashed(err)
	}
}

// crashFinding reports a panic and returns the finding about it.
func (c Config) crashFinding(path string, doing content.Word, err error) content.Finding {
	c.reportCrash(err)
	return CrashFinding(path, doing, err)
}

// CrashFinding is the finding about a panic, in a file if it concerns one. doing is a word defined
// for findings. The text of the panic, which may contain input, is a detail.
func CrashFinding(path string, doing content.Word, err error) content.Finding {
	f := finding(path, say("crash", "crashed", args{"doing": doing}))
	f.Detail = strings.TrimPrefix(err.Error(), "crashed: ")
	return f
}

// unreadable reports whether findings mean that the content of a file is unknown.
func unreadable(found []content.Finding) bool {
	return slices.ContainsFunc(found, func(f content.Finding) bool { return f.Rule == "damaged" || f.Rule == "crash" })
}

// readItemRaw is readFile for a file that only one publication needs: if the object is damaged,
// that publication is refused.
func readItemRaw(repo *git.Repo, f git.File, path string, limit int64) ([]byte, []content.Finding, error) {
	raw, refusal, err := readFile(repo, f, path, limit)
	if git.IsDamaged(err) {
		return nil, []content.Finding{damaged(path, err)}, nil
	}
	return raw, refusal, err
}

// checkItem is check.Item, and recovers from a panic.
func (c Config) checkItem(t content.Tag, raw []byte) (result check.Checked) {
	path := t.Kind.File(t.Name)
	if err := crash.Do(func() { result = check.Item(c.Schemas, t.Kind, t.Name, raw) }); err != nil {
		return check.Checked{Findings: []content.Finding{c.crashFinding(path, "checking the file", err)}}
	}
	return result
}

// open is check.Open.
func (c Config) open(t content.Tag, raw []byte) check.File {
	return check.Open(c.Schemas, t.Kind, t.Name, raw)
}

// openItemFile is check.Open, and recovers from a panic.
func (c Config) openItemFile(t content.Tag, raw []byte) (f check.File) {
	path := t.Kind.File(t.Name)
	if err := crash.Do(func() { f = c.open(t, raw) }); err != nil {
		found := []content.Finding{c.crashFinding(path, "checking the file", err)}
		return check.File{Kind: t.Kind, Name: t.Name, Raw: raw, Checked: check.Checked{Findings: found}}
	}
	return f
}

// damage identifies the damaged objects that publications need: the snapshot depends on them.
func damage(r content.Report) string {
	var names strings.Builder
	for _, f := range r.Findings {
		if f.Rule == "damaged" {
			fmt.Fprintf(&names, " %q %q", f.Tag, f.Path)
		}
	}
	return names.String()
}
