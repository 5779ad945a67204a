package loader

import (
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/loader/git"
)

// reviewBehind reports items whose highest publication was sealed before its text was finished:
// the file has other content at the commit that introduced the seal on the branch, so the
// merged text is not what is served. A later publication fixes it.
func (b *build) reviewBehind(s *content.Snapshot) error {
	for _, it := range s.Items {
		i := slices.IndexFunc(
			it.Entries, func(e *content.Entry) bool { return !e.Draft && e.Version.Prerelease() == "" },
		)
		if i < 0 || !it.Entries[i].Sealed || it.Entries[i].Status == content.Redacted ||
			it.Entries[i].Status == content.Archived {
			continue
		}
		e := it.Entries[i]
		behind, err := b.behind(e.Publication)
		if err != nil {
			return err
		}
		if behind {
			b.report.Add(about(e.Tag(), finding(
				it.Kind.File(it.Name),
				say("seal-behind", "merged", args{"version": e.Version, "next": e.Version.IncPatch().String()}),
			)))
		}
	}
	return nil
}

// behind reports whether the file does not have the sealed content at the commit that
// introduced the seal on the branch. It need not have it if a tag had published that content
// before.
func (b *build) behind(p *content.Publication) (bool, error) {
	line := b.seals.inForce(p.Tag())
	on, path := b.seals.cameBy(b.history, line), p.Kind.File(p.Name)
	at, exists := b.history.At(on, path)
	if at.Mode == git.Several {
		return false, nil // ambiguous
	}
	if at.OID.String() == p.Blob || line == nil || line.Checksum != p.Checksum || b.taggedBefore(p, on) {
		return false, nil
	}
	if _, unread := b.unreadFolderOf(on, path); unread || !exists {
		return !unread, nil
	}
	tag := content.Tag{Kind: p.Kind, Name: p.Name, Version: p.Version}
	it, err := b.itemFile(tag, at.File)
	if err != nil || it.parsed().Body == nil {
		return err == nil, err
	}
	sum, err := it.checksum(tag)
	return err != nil || sum != p.Checksum, nil
}

// taggedBefore reports whether a tag had published the same content, with its own date, when a
// commit introduced the seal: later edits are then edits after the publication.
func (b *build) taggedBefore(p *content.Publication, on git.OID) bool {
	r := refNamed(b.tags, p.Tag())
	if r == nil || r.unsigned != nil || r.tag.Commit.String() != p.Commit {
		return false
	}
	tagged, _ := b.history.Commit(r.tag.Commit)
	came, _ := b.history.Commit(on)
	return b.history.Contains(r.tag.Commit) && !r.publishedAt(tagged).After(came.Committed)
}

// refNamed returns the valid tag with a name, of tags by name; nil if there is none.
func refNamed(tags []*ref, name string) *ref {
	i, ok := slices.BinarySearchFunc(
		tags, name, func(r *ref, name string) int { return strings.Compare(r.name, name) },
	)
	if !ok || !tags[i].isSound() {
		return nil
	}
	return tags[i]
}
