package loader

import (
	"cmp"
	"slices"

	"rulestore/loader/git"
)

// source returns the commit in which the content of a claim is looked for first: the tagged
// one. If no trusted signer signed the tag, whoever pushed it could choose among the commits
// with the sealed content, and so its metadata; then it is the commit that vouches for the
// seal.
func (b *build) source(c *claim) git.OID {
	if c.seal != nil && b.Signers != nil && (!c.tagged() || c.unsigned != nil) {
		return b.seals.inForce(c.name).by(b.history)
	}
	return c.tag.Commit
}

// sealedVersions lists the versions of a file that may have the sealed content, the likely ones
// first: those made by signers, of these those from before the seal's date, of these the
// newest. The version of an unsigned tag is last.
func (b *build) sealedVersions(c *claim) ([]git.Version, error) {
	versions := b.history.Versions(c.path)
	rank := make(map[git.OID]int, len(versions))
	for _, v := range versions {
		signed, err := b.isTrusted(v.At)
		if err != nil {
			return nil, err
		}
		if !signed {
			rank[v.At] = 2
		}
		if v.Changed.Committed.After(c.seal.PublishedAt) {
			rank[v.At]++
		}
	}
	slices.SortStableFunc(versions, func(x, y git.Version) int { return cmp.Compare(rank[x.At], rank[y.At]) })
	if at, exists := b.history.At(c.tag.Commit, c.path); exists && c.from != c.tag.Commit {
		versions = append(versions, at)
	}
	return versions, nil
}

// compareTag reports a tag whose content is not the sealed one, after that was found in another
// commit.
func (b *build) compareTag(c *claim, in git.OID) error {
	if !c.tagged() || c.unfit != nil || in == c.tag.Commit {
		return nil
	}
	at, exists := b.history.At(c.tag.Commit, c.path)
	if at.Mode == git.Several {
		return nil // nobody knows which is the tag's
	}
	if exists {
		it, err := b.itemFile(c.Tag, at.File)
		if err != nil {
			return err
		}
		if it.parsed().Body != nil {
			if sum, err := c.checksum(it, at.OID); err == nil && sum == c.seal.Checksum {
				return nil
			}
		}
	}
	tag := b.repo.FullTag(c.name)
	c.report(finding(c.path, say("seal-disagrees", "commit", args{
		"commit": c.tag.Commit.String()[:12], "from": in.String()[:12], "tag": quotedRef(tag),
		"remote": quotedRef(":refs/tags/" + tag),
	})))
	return nil
}
