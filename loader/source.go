package loader

import (
	"cmp"
	"slices"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// source returns the commit that the content of a claim is looked for first: the tagged
// one. Where nobody trusted signed the tag, it would be a stranger's choice which of the
// commits with the sealed content it is, and so what is said of it; then it is the one
// that vouches for the seal.
func (b *build) source(c *claim) gitrepo.OID {
	if c.seal != nil && b.Signers != nil && (!c.tagged() || c.unsigned != nil) {
		return b.memos.seals.by[b.memos.seals.text[c.name]].commit
	}
	return c.tag.Commit
}

// sealedVersions lists the versions of a file that may be what was sealed, the likely
// ones first: those that signers made, of these those from before the seal's date, of
// these the newest. Last is what a tag says that nobody signed.
func (b *build) sealedVersions(c *claim) ([]gitrepo.Version, error) {
	versions := b.history.Versions(c.path)
	rank := make(map[gitrepo.OID]int, len(versions))
	for _, v := range versions {
		signed, err := b.vouched(v.At)
		if err != nil {
			return nil, err
		}
		if !signed {
			rank[v.At] = 2
		}
		rank[v.At] += afterSeal(v, c.seal)
	}
	slices.SortStableFunc(versions, func(x, y gitrepo.Version) int { return cmp.Compare(rank[x.At], rank[y.At]) })
	if at, exists := b.history.At(c.tag.Commit, c.path); exists && c.from != c.tag.Commit {
		versions = append(versions, at)
	}
	return versions, nil
}

// afterSeal puts versions from after the seal's date behind the others.
func afterSeal(v gitrepo.Version, s *content.Seal) int {
	if v.Changed.Committed.After(s.PublishedAt) {
		return 1
	}
	return 0
}

// compareTag reports a tag whose content is not what was sealed, once that is found
// in another commit.
func (b *build) compareTag(c *claim, in gitrepo.OID) error {
	if !c.tagged() || c.unfit != nil || in == c.tag.Commit {
		return nil
	}
	at, exists := b.history.At(c.tag.Commit, c.path)
	if at.Mode == gitrepo.Several {
		return nil // nobody knows which is the tag's
	}
	if exists {
		it, err := b.item(c.Tag, at.File)
		if err != nil {
			return err
		}
		if it.open().Body != nil {
			if sum, err := c.checksum(it, at.OID); err == nil && sum == c.seal.Checksum {
				return nil
			}
		}
	}
	c.report(finding(c.path, say("seal-disagrees", "commit", args{"commit": c.tag.Commit.String()[:12], "from": in.String()[:12]})))
	return nil
}
