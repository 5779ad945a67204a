package loader

import (
	"slices"

	"rulestore/content"
	"rulestore/loader/git"
)

// addOrigins adds commit, author and lines to publications that are not served, so that their
// authors can be found, as far as they are listed individually. Unreadable data is left out,
// because findings report it already.
func (b *build) addOrigins() {
	commits := b.taggedCommits()
	b.report.Origins = make(map[string]content.Origin, len(commits))
	for tag, commit := range commits {
		o := content.Origin{Commit: commit.String()}
		if c, ok := b.history.Commit(commit); ok {
			o.Committed = c.Committed
		}
		o.Author, _ = b.repo.Author(commit)
		b.report.Origins[tag] = o
	}
	texts := map[string][]byte{}
	for i := range b.report.Findings {
		f := &b.report.Findings[i]
		commit, known := commits[f.Tag]
		if !known || f.Line == 0 {
			continue
		}
		at := commit.String() + " " + f.Path
		raw, read := texts[at]
		if !read {
			raw = b.textAt(commit, f.Path)
			texts[at] = raw
		}
		f.Excerpt, _ = content.ExcerptAt(raw, f.Line, f.Column)
	}
}

// taggedCommits returns the commits of tags that are not served.
func (b *build) taggedCommits() map[string]git.OID {
	told := map[string]bool{}
	for _, all := range [][]string{b.report.Refused, b.report.Held} {
		all = slices.Sorted(slices.Values(all))
		for _, tag := range all[:min(len(all), content.MaxRejected)] {
			told[tag] = true
		}
	}
	commits := map[string]git.OID{}
	if len(told) == 0 {
		return commits
	}
	for _, r := range b.tags {
		if told[r.name] && r.tag.Commit != (git.OID{}) {
			commits[r.name] = r.tag.Commit
		}
	}
	return commits
}

// textAt reads the file of an item in a commit, nil if that cannot be read.
func (b *build) textAt(commit git.OID, path string) []byte {
	if _, ok := itemAt(path); !ok {
		return nil
	}
	at, ok := b.history.At(commit, path)
	if !ok || at.Mode == git.Absent {
		return nil
	}
	raw, _ := b.repo.Blob(at.OID, sizeLimit(path))
	return raw
}
