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
	b.report.Origins = map[string]content.Origin{}
	commits := map[string]git.OID{}
	for _, all := range [][]string{b.report.Refused, b.report.Held} {
		all = slices.Sorted(slices.Values(all))
		for _, tag := range all[:min(len(all), content.MaxRejected)] {
			r := refNamed(b.tags, tag)
			if r == nil {
				continue
			}
			commit, _ := b.history.Commit(r.tag.Commit)
			author, _ := b.repo.Author(r.tag.Commit)
			commits[tag] = r.tag.Commit
			b.report.Origins[tag] = content.Origin{
				Commit: r.tag.Commit.String(), Committed: commit.Committed, Author: author,
			}
		}
	}
	for i := range b.report.Findings {
		f := &b.report.Findings[i]
		if commit, known := commits[f.Tag]; known && f.Line > 0 {
			f.Excerpt, _ = content.ExcerptAt(b.textAt(commit, f.Path), f.Line, f.Column)
		}
	}
}

// textAt reads the file of an item in a commit, nil if that cannot be read.
func (b *build) textAt(commit git.OID, path string) []byte {
	at, exists := b.history.At(commit, path)
	if _, ok := itemAt(path); !ok || !exists || at.Mode == git.Absent {
		return nil
	}
	raw, _ := b.repo.Blob(at.OID, sizeLimit(path))
	return raw
}
