package loader

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/loader/git"
)

// describe adds dates and notes to the claims of an item that were resolved, and makes publications. One of the
// last load with the same inputs is reused. The other claims failed.
func (fs *facts) describe(claims []*claim) error {
	var lower *claim          // the next lower stable version
	named := fs.named(claims) // the version that says what the id of the item is
	for _, c := range claims {
		if c.found != nil && c.checkID(named) {
			if err := fs.attempt(c, func() error { return fs.publication(c, lower) }); err != nil {
				return err
			}
		}
		if c.publication == nil {
			c.outcome.lose(c)
			continue
		}
		c.outcome.derived = append(c.outcome.derived, *c.publication)
		note := c.publication.ChangeNote + fmt.Sprint(c.publication.Trailers)
		c.outcome.report.Add(unreadableNote(c.name, note)...)
		if c.Version.Prerelease() == "" {
			lower = c
		}
	}
	claims[0].outcome.limit()
	return nil
}

// publication makes the publication of a claim; lower is that of the next lower stable version.
func (fs *facts) publication(c, lower *claim) error {
	var since git.OID
	if lower != nil {
		since = lower.commit
	}
	by, err := fs.signature(c)
	if err != nil {
		return err
	}
	from := inputs{c.oid, c.version.OID, c.commit, c.version.Changed.OID, since, content.Seal{}, by}
	if c.seal != nil {
		from.seal = *c.seal
	}
	if c.previous != nil && c.previous.inputs == from {
		c.publication = c.previous
		return nil
	}
	p := &content.Publication{
		Kind: c.Kind, Name: c.Name, Version: c.Version,
		Checksum: c.sum, Sealed: c.seal != nil,
		Commit: c.found.commit.String(), Blob: c.version.OID.String(), SignedBy: by,
		PublishedAt: from.seal.PublishedAt,
	}
	if c.text != nil {
		p.Text = c.text
	} else {
		p.Text = c.file.text()
	}
	if c.seal == nil {
		p.PublishedAt = fs.taggedAt(c)
	}
	if err = fs.annotate(p, c, since); err == nil {
		c.publication = &derived{c.name, from, p}
	}
	return err
}

// annotate adds the date and the note of the change: the tag's message, else those of commits,
// with trusted signers only of signed ones.
func (fs *facts) annotate(p *content.Publication, r *claim, since git.OID) error {
	ok, err := fs.isTrusted(r.version.Changed.OID)
	if err != nil {
		return err
	}
	if ok {
		p.UpdatedAt = r.version.Changed.Committed
	}
	if r.matchesTag && r.tag.Annotated {
		m := content.ParseMessage(r.tag.Message)
		p.ChangeNote, p.Trailers = m.Text(), m.Trailers
	}
	if p.ChangeNote != "" {
		return nil
	}
	commits, err := fs.trustedCommits(fs.history.Since(r.commit, since, r.path))
	p.ChangeNote = subjects(commits)
	if p.ChangeNote == "" && ok { // the next lower version was published from a later commit
		p.ChangeNote = content.ParseMessage(r.version.Changed.Message).Subject
	}
	return err
}

// signature returns the signature of a publication: of its tag, if the content is the tag's,
// else of its seal.
func (fs *facts) signature(r *claim) (by content.Signature, err error) {
	if r.matchesTag && r.signature != nil {
		return *r.signature, nil
	}
	if fs.Signers == nil {
		return by, nil
	}
	if commit := fs.seals.inForce(r.name).by(fs.history); !commit.IsZero() {
		v, err := fs.verify(commit)
		v.by.Object = content.SignedSeal
		return v.by, err
	}
	return by, nil
}

// inputs are all inputs of a publication: equal inputs give equal publications.
type inputs struct {
	ref, blob, commit, changed, since git.OID
	seal                              content.Seal
	by                                content.Signature
}

// trustedCommits removes unsigned commits.
func (ls *listed) trustedCommits(commits []git.Commit) (kept []git.Commit, err error) {
	for _, c := range commits {
		ok, err := ls.isTrusted(c.OID)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// subjects returns the subjects of commits.
func subjects(commits []git.Commit) string {
	var lines []string
	for _, c := range commits {
		lines = append(lines, content.ParseMessage(c.Message).Subject)
	}
	return strings.Join(lines, "\n")
}

// taggedAt returns the date of an unsealed publication.
func (fs *facts) taggedAt(c *claim) time.Time {
	commit, _ := fs.history.Commit(c.tag.Commit)
	return c.publishedAt(commit)
}

// named returns, of the claims of an item that were resolved, the one that
// determines the item's id permanently: the one whose seal came first, so that no later
// publication, for instance of a lower version, can remove a sealed one; without seals, the
// lowest stable one. If the first seal is ambiguous, the tagged ones determine the id, or all
// if none has a tag. If the id is the name, or was proved to stay, none is needed.
func (fs *facts) named(claims []*claim) []*claim {
	if claims[0].Kind.NameIsID || fs.Proven {
		return nil
	}
	var lowest, sealed []*claim
	for _, c := range claims {
		switch {
		case c.found == nil:
		case c.seal != nil:
			sealed = append(sealed, c)
		case lowest == nil && c.Version.Prerelease() == "":
			lowest = []*claim{c}
		}
	}
	if len(sealed) == 0 {
		return lowest
	}
	return fs.sealedFirst(sealed)
}

// sealedFirst returns the claims whose seals came first; one of them if all are known to have the
// same id.
func (fs *facts) sealedFirst(all []*claim) (first []*claim) {
	if !slices.ContainsFunc(all, func(c *claim) bool {
		return c.file.unparsed.Load() || c.file.id(c.Kind) != all[0].file.id(c.Kind)
	}) {
		return all[:1]
	}
	all[0].outcome.final = false // what came first may show later
	var lines []*sealLine
	byLine := map[*sealLine]*claim{}
	for _, c := range all {
		l := fs.seals.of(c.name).line(*c.seal)
		lines, byLine[l] = append(lines, l), c
	}
	for _, l := range fs.first(lines) {
		first = append(first, byLine[l])
	}
	if tagged := slices.DeleteFunc(slices.Clone(first), func(c *claim) bool {
		return !c.matchesTag || !fs.tagCounts(c)
	}); len(tagged) > 0 {
		return tagged
	}
	return first
}

// checkID reports whether a claim has the id of its item, and refuses it if not. That of a deferred text
// is checked when it is parsed.
func (c *claim) checkID(named []*claim) bool {
	for _, n := range named {
		if n.text != nil && !n.text.sealed() {
			continue
		}
		if c.text != nil {
			c.text.ids = append(c.text.ids, n.file.id(n.Kind))
			continue
		}
		if is, was := c.file.id(c.Kind), n.file.id(c.Kind); was != is {
			c.refuse(otherID(c.Kind, c.Name, is, was, n.Version))
			return false
		}
	}
	return true
}

// otherID is the finding about an id that differs from that in another version.
func otherID(k *content.Kind, name string, is, was string, other *semver.Version) content.Finding {
	return finding(k.File(name), say("id", "changed", args{"field": k.ID, "is": is, "was": was, "version": other}))
}
