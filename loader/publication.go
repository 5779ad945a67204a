package loader

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/loader/git"
)

// describe adds dates and notes, and makes publications. One of the last load with the same
// inputs is reused. The remaining claims failed.
func (b *build) describe(claims []*claim, all []*resolved) (err error) {
	slices.SortFunc(all, func(x, y *resolved) int {
		return cmp.Or(strings.Compare(x.item, y.item), x.Version.Compare(y.Version))
	})
	served := make(map[*claim]bool, len(all))
	var lower *resolved   // the next lower stable version of the same item
	var named []*resolved // the version that says what the id of the item is
	for i, r := range all {
		if i == 0 || all[i-1].outcome != r.outcome {
			lower, named = nil, b.idVersions(all[i:])
		}
		if !r.checkID(named) {
			continue
		}
		m, err := b.publication(r, lower)
		switch _, crashed := errors.AsType[*crash.Error](err); {
		case crashed:
			r.refuse(b.crashFinding(r.path, "reading the publication", err))
			continue
		case err != nil:
			return err
		}
		served[r.claim] = true
		r.outcome.derived = append(r.outcome.derived, m)
		if r.Version.Prerelease() == "" {
			lower = r
		}
	}
	for _, c := range claims {
		if !served[c] {
			if c.seal != nil {
				c.outcome.spent = append(c.outcome.spent, c.Version)
			}
			c.outcome.lose(c.tag.Commit.String())
		}
		c.outcome.limit()
	}
	return nil
}

// publication makes the publication of a claim; lower is that of the next lower stable version.
func (b *build) publication(r, lower *resolved) (d derived, err error) {
	defer crash.Rescue(&err)
	var since git.OID
	if lower != nil {
		since = lower.commit
	}
	by, err := b.signature(r)
	if err != nil {
		return d, err
	}
	f := inputs{r.oid, r.version.OID, r.commit, r.version.Changed.OID, since, content.Seal{}, by}
	if r.seal != nil {
		f.seal = *r.seal
	}
	if r.previous != nil && r.previous.inputs == f {
		return *r.previous, nil
	}
	p := &content.Publication{
		Kind: r.Kind, Name: r.Name, Version: r.Version,
		Checksum: r.checksum,
		Sealed:   r.seal != nil,
		Commit:   r.commit.String(), Blob: r.version.OID.String(), SignedBy: f.by,
	}
	if r.text != nil {
		p.Text = r.text
	} else {
		p.Text = r.file.text()
	}
	if r.seal != nil {
		p.PublishedAt = r.seal.PublishedAt
	} else {
		p.PublishedAt = b.taggedAt(r.claim)
	}
	return derived{r.name, f, p}, b.annotate(p, r, since)
}

// annotate adds the date and the note of the change: the tag's message, else those of commits,
// with trusted signers only of signed ones.
func (b *build) annotate(p *content.Publication, r *resolved, since git.OID) error {
	ok, err := b.isTrusted(r.version.Changed.OID)
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
	commits, err := b.trustedCommits(b.history.Since(r.commit, since, r.path))
	p.ChangeNote = subjects(commits)
	if p.ChangeNote == "" && ok { // the next lower version was published from a later commit
		p.ChangeNote = content.ParseMessage(r.version.Changed.Message).Subject
	}
	return err
}

// signature returns the signature of a publication: of its tag, if the content is the tag's,
// else of its seal.
func (b *build) signature(r *resolved) (by content.Signature, err error) {
	if r.matchesTag && r.signature != nil {
		return *r.signature, nil
	}
	if commit := b.seals.inForce(r.name).by(b.history); b.Signers != nil && !commit.IsZero() {
		v, err := b.verify(commit)
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
func (b *build) trustedCommits(commits []git.Commit) (kept []git.Commit, err error) {
	for _, c := range commits {
		ok, err := b.isTrusted(c.OID)
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

// reviewNotes reports notes that nobody can read: they are served with signs of replacement.
func (b *build) reviewNotes(publications []*content.Publication, releases []*content.Release) {
	review := func(tag, note string) {
		if !utf8.ValidString(note) {
			b.report.Add(about(tag, warning("", say("encoding", "note", nil).Advise(say("encoding", "note", nil)))))
		}
	}
	for _, p := range publications {
		review(p.Tag(), fmt.Sprint(p.ChangeNote, p.Trailers))
	}
	for _, r := range releases {
		review(content.Tag{Version: r.Version}.String(), fmt.Sprint(r.Message))
	}
}

// taggedAt returns the date of an unsealed publication.
func (b *build) taggedAt(c *claim) time.Time {
	commit, _ := b.history.Commit(c.tag.Commit)
	return c.publishedAt(commit)
}
