package loader

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/loader/git"
)

// describe adds dates and notes, and makes publications. One of the last load with the same
// inputs is reused. The remaining claims failed.
func (fs *facts) describe(claims []*claim, all []*resolved) (err error) {
	slices.SortFunc(all, func(x, y *resolved) int {
		return cmp.Or(strings.Compare(x.item, y.item), x.Version.Compare(y.Version))
	})
	served := make(map[*claim]bool, len(all))
	var lower *resolved   // the next lower stable version of the same item
	var named []*resolved // the version that says what the id of the item is
	for i, r := range all {
		if i == 0 || all[i-1].outcome != r.outcome {
			lower, named = nil, fs.idVersions(all[i:])
		}
		if !r.checkID(named) {
			continue
		}
		m, err := fs.publication(r, lower)
		switch _, crashed := errors.AsType[*crash.Error](err); {
		case crashed:
			r.refuse(fs.crashFinding(r.path, "reading the publication", err))
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
func (fs *facts) publication(r, lower *resolved) (d derived, err error) {
	defer crash.Rescue(&err)
	var since git.OID
	if lower != nil {
		since = lower.commit
	}
	by, err := fs.signature(r)
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
		p.PublishedAt = fs.taggedAt(r.claim)
	}
	return derived{r.name, f, p}, fs.annotate(p, r, since)
}

// annotate adds the date and the note of the change: the tag's message, else those of commits,
// with trusted signers only of signed ones.
func (fs *facts) annotate(p *content.Publication, r *resolved, since git.OID) error {
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
func (fs *facts) signature(r *resolved) (by content.Signature, err error) {
	if r.matchesTag && r.signature != nil {
		return *r.signature, nil
	}
	if commit := fs.seals.inForce(r.name).by(fs.history); fs.Signers != nil && !commit.IsZero() {
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

// idVersions returns, of the versions of one item at the beginning of a list, the one that
// determines the item's id permanently: the one whose seal came first, so that no later
// publication, for instance of a lower version, can remove a sealed one; without seals, the
// lowest stable one. If the first seal is ambiguous, the tagged ones determine the id, or all
// if none has a tag. If the id is the name, none is needed.
func (fs *facts) idVersions(all []*resolved) []*resolved {
	if all[0].Kind.NameIsID {
		return nil
	}
	var lowest, sealed []*resolved
	for _, r := range all {
		if r.outcome != all[0].outcome {
			break
		}
		if r.seal != nil {
			sealed = append(sealed, r)
		}
		if lowest == nil && r.Version.Prerelease() == "" {
			lowest = []*resolved{r}
		}
	}
	if len(sealed) == 0 {
		return lowest
	}
	return fs.sealedFirst(sealed)
}

// sealedFirst returns the publications whose seals came first; one of them if all are known to have the
// same id.
func (fs *facts) sealedFirst(all []*resolved) []*resolved {
	if !slices.ContainsFunc(all, func(r *resolved) bool {
		return r.file.unparsed.Load() || r.file.parsed().id != all[0].file.parsed().id
	}) {
		return all[:1]
	}
	all[0].outcome.final = false // what came first may show later
	var lines []*sealLine
	byLine := map[*sealLine]*resolved{}
	for _, r := range all {
		l := fs.seals.of(r.name).line(*r.seal)
		lines, byLine[l] = append(lines, l), r
	}
	var first []*resolved
	for _, l := range fs.first(lines) {
		first = append(first, byLine[l])
	}
	if tagged := slices.DeleteFunc(slices.Clone(first), func(r *resolved) bool {
		return !r.matchesTag || !fs.tagCounts(r.claim)
	}); len(tagged) > 0 {
		return tagged
	}
	return first
}

// checkID reports whether a publication has the id of its item, and refuses it if not. That of a deferred text
// is checked when it is parsed.
func (r *resolved) checkID(named []*resolved) bool {
	for _, n := range named {
		if n.text != nil && !n.text.sealed() {
			continue
		}
		if r.text != nil {
			r.text.ids = append(r.text.ids, n.file.parsed().id)
			continue
		}
		if is, was := r.file.parsed().id, n.file.parsed().id; was != is {
			r.refuse(otherID(r.Kind, r.Name, is, was, n.Version))
			return false
		}
	}
	return true
}

// otherID is the finding about an id that differs from that in another version.
func otherID(k *content.Kind, name string, is, was string, other *semver.Version) content.Finding {
	return finding(k.File(name), say("id", "changed", args{"field": k.ID, "is": is, "was": was, "version": other}))
}
