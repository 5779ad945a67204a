package loader

import (
	"errors"
	"fmt"
	"slices"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// claim is what a tag or a seal, or both, want to publish.
type claim struct {
	content.Tag
	name string // of the tag
	path string // of the file
	ref  gitrepo.OID
	tag  gitrepo.Tag
	seal *content.Seal

	at   gitrepo.Version // the file in the tagged commit, if there is one
	late bool            // what it says can wait until somebody asks

	// Where signers are asked for, one of them.
	by       *content.Signature // who vouches for the tag, or for its commit
	unsigned *content.Finding   // why nobody does
}

// tagged says whether there is a tag, not only a seal.
func (c *claim) tagged() bool { return !c.ref.IsZero() }

// there says whether the tagged commit has the file.
func (c *claim) there() bool { return c.at.Mode != gitrepo.Absent }

// ref is a tag that publishes an item or a release.
type ref struct {
	parsed
	name string
	oid  gitrepo.OID
	tag  gitrepo.Tag

	// Where signers are asked for, one of them.
	by       *content.Signature
	unsigned *content.Finding
}

// readTags follows the tags to their commits. A tag that cannot be one of ours is
// refused; one that is somebody else's is left alone.
func (b *build) readTags() error {
	peeled, names := make(map[gitrepo.OID]gitrepo.Tag, len(b.refs.Tags)), make(map[string]parsed, len(b.refs.Tags))
	defer func() { b.tags, b.names = peeled, names }()
	b.tagged = make([]ref, 0, len(b.refs.Tags))
	for _, r := range b.refs.Tags {
		name := b.parse(r.Name, names)
		if errors.Is(name.err, content.ErrForeignTag) {
			continue
		}
		if name.err != nil {
			b.report.Refuse(r.Name, finding("", "tag", name.err.Error(), "delete the tag and make a new one"))
			continue
		}
		tag, err := b.peel(r.OID)
		switch {
		case errors.Is(err, gitrepo.ErrNotCommit):
			b.report.Refuse(r.Name, finding("", "tag", err.Error(), "tag the commit that holds the file"))
			continue
		case err != nil:
			return err
		}
		peeled[r.OID] = tag
		tag, by, unsigned, err := b.vouch(r.Name, r.OID, tag)
		if err != nil {
			return err
		}
		b.tagged = append(b.tagged, ref{name, r.Name, r.OID, tag, by, unsigned})
	}
	return nil
}

// parsed is what the name of a tag says, or why it says nothing.
type parsed struct {
	content.Tag
	path string // of the file that it publishes
	err  error
}

// parse reads the name of a tag, unless the last load did, and remembers it in
// names.
func (b *build) parse(name string, names map[string]parsed) parsed {
	p, ok := b.names[name]
	if !ok {
		p.Tag, p.err = content.ParseTag(name)
		if p.Kind != nil {
			p.path = p.Kind.File(p.Name)
		}
	}
	names[name] = p
	return p
}

// makeClaims turns tags and seals into claims, and root tags into releases.
func (b *build) makeClaims() {
	seen := make(map[string]bool, len(b.tagged))
	b.claims = make([]*claim, 0, len(b.tagged))
	for _, r := range b.tagged {
		switch {
		case r.Kind != nil:
			seen[r.name] = true
			b.claim(&claim{Tag: r.Tag, name: r.name, path: r.path, ref: r.oid, tag: r.tag, by: r.by, unsigned: r.unsigned})
		case r.unsigned != nil:
			b.report.Refuse(r.name, *r.unsigned)
		default:
			b.release(r.name, r.Tag, r.tag)
		}
	}
	var alone []string // sealed, and no tag any more
	for tag := range b.sealed {
		if !seen[tag] {
			alone = append(alone, tag)
		}
	}
	slices.Sort(alone)
	for _, tag := range alone {
		name, _ := content.ParseTag(tag) // valid, or it would not have been read
		b.claim(&claim{Tag: name, name: tag, path: name.Kind.File(name.Name)})
	}
}

func (b *build) claim(c *claim) {
	if seal, ok := b.sealed[c.name]; ok {
		c.seal = &seal
	}
	b.claims = append(b.claims, c)
}

func (b *build) peel(id gitrepo.OID) (gitrepo.Tag, error) {
	if tag, ok := b.tags[id]; ok {
		return tag, nil
	}
	return b.repo.Tag(id)
}

// release reads a product release. Its date is the tag's, but never before the
// commit's; a lightweight tag has the commit's message.
func (b *build) release(name string, t content.Tag, tag gitrepo.Tag) {
	commit, ok := b.history.Commit(tag.Commit)
	if !ok {
		b.report.Refuse(name, b.notMerged("", tag.Commit))
		return
	}
	date, message := publishedAt(tag, commit), tag.Message
	if !tag.Annotated {
		message = commit.Message
		f := warning("", "lightweight", "the release has no notes of its own: the commit's message is used", "make it with `git tag -a`")
		f.Tag = name
		b.report.Add(f)
	}
	if b.ahead(date) {
		b.report.Hold(name, future(date))
		return
	}
	if t.Version.Prerelease() != "" && !b.Drafts {
		return
	}
	b.releases = append(b.releases, &content.Release{
		Version: t.Version, Date: date, Commit: tag.Commit.String(), Message: content.ParseMessage(message),
	})
}

func (b *build) notMerged(path string, commit gitrepo.OID) content.Finding {
	return finding(path, "not-merged",
		fmt.Sprintf("the tagged commit %s is not part of branch %s", commit.String()[:12], b.refs.Branch),
		"merge it, or move the tag to the commit that was merged; what is not merged is not published")
}
