package loader

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// publish turns claims into publications, or refuses them.
func (b *build) publish(ctx context.Context, marks []content.Mark) error {
	for _, c := range b.claims {
		if c.tagged() {
			c.at, _ = b.history.At(c.tag.Commit, c.path)
		}
	}
	b.supersede(marks)
	if err := b.prepare(ctx, b.wanted()); err != nil {
		return err
	}
	all, err := b.resolveAll(ctx)
	if err != nil {
		return err
	}
	b.describe(all)
	return nil
}

// resolveAll resolves what cannot wait, and then what can: unless what was to
// supersede it is not served.
func (b *build) resolveAll(ctx context.Context) (all []*resolved, err error) {
	fallen := map[string]bool{} // items
	for _, late := range []bool{false, true} {
		for _, c := range b.claims {
			if c.late != late {
				continue
			}
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			r, err := b.resolve(c, late && !fallen[c.Kind.Folder+"/"+c.Name])
			if err != nil {
				return nil, err
			}
			if r != nil {
				all = append(all, r)
			} else {
				fallen[c.Kind.Folder+"/"+c.Name] = true
			}
		}
	}
	return all, nil
}

// wanted lists the files of claims that are still to be read, those of the newest
// commits first: the order in which git stores versions close together.
func (b *build) wanted() (wants []want) {
	dates := map[gitrepo.OID]time.Time{}
	for _, c := range b.claims {
		if !c.there() {
			continue
		}
		if it := b.items.lookup(fileKey{c.Kind, c.Name, c.at.OID}, c.at.Mode); it != nil && (c.late || !it.late.Load()) {
			continue
		}
		commit, _ := b.history.Commit(c.tag.Commit)
		dates[c.tag.Commit] = commit.Committed
		wants = append(wants, want{c.Tag, c.at.File, c.tag.Commit, c.late})
	}
	slices.SortStableFunc(wants, func(x, y want) int { return dates[y.commit].Compare(dates[x.commit]) })
	return wants
}

// resolved is a claim whose content is found.
type resolved struct {
	*claim
	item     *item
	later    *lateText // nil if what it says is known
	version  gitrepo.Version
	commit   gitrepo.OID
	agrees   bool // the content is the tag's
	checksum string
}

// resolve finds the content of a claim, and what it says unless that can wait; nil
// if there is none that may be served.
func (b *build) resolve(c *claim, later bool) (*resolved, error) {
	if later {
		return b.resolveLater(c)
	}
	if c.seal != nil {
		return b.resolveSealed(c)
	}
	if c.unsigned != nil {
		b.report.Refuse(c.name, *c.unsigned)
		return nil, nil
	}
	if !b.history.Contains(c.tag.Commit) {
		b.report.Refuse(c.name, b.notMerged(c.path, c.tag.Commit))
		return nil, nil
	}
	if !c.there() {
		b.report.Refuse(c.name, b.missingFile(c.path, c.tag.Commit))
		return nil, nil
	}
	it, err := b.item(c.Tag, c.at.File)
	if err != nil {
		return nil, err
	}
	if r := it.open(); !r.OK() {
		b.report.Refuse(c.name, r.Findings...)
		return nil, nil
	}
	sum, err := b.checksum(c, it, c.at.OID)
	if err != nil {
		b.report.Refuse(c.name, finding(c.path, "checksum", err.Error(), ""))
		return nil, nil
	}
	f := warning(c.path, "unsealed", "the publication has no seal: if the tag is moved or lost, so is the content", "seal it with a line in rulestore.sum: "+content.Seal{Tag: c.name, Checksum: sum, PublishedAt: b.taggedAt(c)}.String())
	f.Tag = c.name
	b.report.Add(f)
	return &resolved{c, it, nil, c.at, c.tag.Commit, true, sum}, nil
}

// missingFile is the finding about a tagged commit without the file.
func (b *build) missingFile(path string, commit gitrepo.OID) content.Finding {
	message := fmt.Sprintf("the file is not in the tagged commit %s", commit.String()[:12])
	if folder, ok := b.unread(commit, path); ok && folder == "" {
		message = fmt.Sprintf("nothing of the tagged commit %s is read", commit.String()[:12])
	} else if ok {
		message = fmt.Sprintf("the folder %s is not read in the tagged commit %s", folder, commit.String()[:12])
	}
	return finding(path, "missing-file", message, "tag a commit that has it")
}

// resolveSealed finds content that agrees with the seal: the tag's, or that of
// any version of the file. What the rules of this build find wrong with it is
// worth a warning, no more: it was served before.
func (b *build) resolveSealed(c *claim) (*resolved, error) {
	if c.there() {
		r, err := b.agreeing(c, c.at, c.tag.Commit)
		if r != nil || err != nil {
			return r, err
		}
	}
	versions := b.history.Versions(c.path)
	slices.SortStableFunc(versions, func(x, y gitrepo.Version) int { return late(x, c.seal) - late(y, c.seal) })
	for _, v := range versions {
		r, err := b.agreeing(c, v, v.Changed.OID)
		if err != nil {
			return nil, err
		}
		if r == nil {
			continue
		}
		if c.tagged() {
			f := finding(c.path, "seal-disagrees", fmt.Sprintf("the tag points to commit %s, whose content is not what was sealed; the sealed content is served, from commit %s", c.tag.Commit.String()[:12], v.Changed.OID.String()[:12]), "move the tag back, and publish the new content as a new version")
			f.Tag = c.name
			b.report.Add(f)
		}
		r.agrees = false
		return r, nil
	}
	b.report.Refuse(c.name, finding(c.path, "seal-lost", fmt.Sprintf("no version of the file in the history of branch %s has the sealed checksum %s", b.refs.Branch, c.seal.Checksum), "bring back the commit that was published"))
	return nil, nil
}

// checksum returns the checksum of a claim's content: the last load's, if it was
// the same content.
func (b *build) checksum(c *claim, it *item, blob gitrepo.OID) (string, error) {
	if k, ok := b.known[c.name]; ok && k.blob == blob {
		if late, is := k.Text.(*lateText); !is || late.sealed() {
			return k.Checksum, nil
		}
	}
	return it.checksum(c.Tag)
}

// late puts versions from after the seal's date behind the others.
func late(v gitrepo.Version, s *content.Seal) int {
	if v.Changed.Committed.After(s.PublishedAt) {
		return 1
	}
	return 0
}

// agreeing returns the claim with this version's content if the seal's checksum
// is that content's.
func (b *build) agreeing(c *claim, v gitrepo.Version, commit gitrepo.OID) (*resolved, error) {
	it, err := b.item(c.Tag, v.File)
	if err != nil {
		return nil, err
	}
	if it.open().Body == nil {
		return nil, nil
	}
	sum, err := b.checksum(c, it, v.OID)
	if err != nil || sum != c.seal.Checksum {
		return nil, nil
	}
	for _, f := range it.open().Findings {
		f.Tag, f.Severity = c.name, content.Warning
		f.Hint = joinHint(f.Hint, "the publication is sealed and goes on being served")
		b.report.Add(f)
	}
	return &resolved{c, it, nil, v, commit, true, sum}, nil
}

// describe adds dates and notes, and makes publications. One that was there in
// the last load, with the same facts, is used again.
func (b *build) describe(all []*resolved) {
	slices.SortFunc(all, func(x, y *resolved) int {
		return cmp.Or(strings.Compare(x.Kind.Folder, y.Kind.Folder), strings.Compare(x.Name, y.Name), x.Version.Compare(y.Version))
	})
	var lower *resolved // the next lower stable version of the same item
	for _, r := range all {
		if lower != nil && (lower.Kind != r.Kind || lower.Name != r.Name) {
			lower = nil
		}
		if lower != nil && !b.sameID(r, lower) {
			continue
		}
		b.publications = append(b.publications, b.publication(r, lower))
		if r.Version.Prerelease() == "" {
			lower = r
		}
	}
}

// sameID refuses a publication that gives its item another id than the version
// before. A sealed one was served, and goes on being served.
func (b *build) sameID(r, lower *resolved) bool {
	if lower.later != nil || r.later != nil {
		return true // the next load says
	}
	was, is := lower.item.open().id, r.item.open().id
	if was == is {
		return true
	}
	f := otherID(r.Kind, r.Name, is, was, lower.Version)
	if r.seal == nil {
		b.report.Refuse(r.name, f)
		return false
	}
	f.Tag, f.Severity = r.name, content.Warning
	b.report.Add(f)
	return true
}

// otherID is the finding about an id that is not what it was.
func otherID(k *content.Kind, name, is, was string, before *semver.Version) content.Finding {
	return finding(k.File(name), "id", fmt.Sprintf("the %s is %q and was %q in version %s", k.ID, is, was, before), "an id never changes: restore it, or publish another item")
}

func (b *build) publication(r, lower *resolved) *content.Publication {
	var since gitrepo.OID
	if lower != nil {
		since = lower.commit
	}
	f := facts{r.ref, r.version.OID, r.commit, r.version.Changed.OID, since, content.Seal{}, b.signature(r)}
	if r.seal != nil {
		f.seal = *r.seal
	}
	if k, ok := b.known[r.name]; ok && k.facts == f {
		b.made[r.name] = k
		return k.Publication
	}
	p := &content.Publication{
		Kind: r.Kind, Name: r.Name, Version: r.Version,
		Checksum: r.checksum,
		Sealed:   r.seal != nil, UpdatedAt: r.version.Changed.Committed,
		Commit: r.commit.String(), Blob: r.version.OID.String(), SignedBy: f.by,
	}
	if r.later != nil {
		p.Text = r.later
	} else {
		p.Text = r.item.text()
	}
	if r.seal != nil {
		p.PublishedAt = r.seal.PublishedAt
	} else {
		p.PublishedAt = b.taggedAt(r.claim)
	}
	if r.agrees && r.tag.Annotated {
		m := content.ParseMessage(r.tag.Message)
		p.ChangeNote, p.Trailers = m.Text(), m.Trailers
	}
	if p.ChangeNote == "" {
		p.ChangeNote = b.subjects(r.commit, since, r.path)
	}
	if p.ChangeNote == "" { // the next lower version was published from a later commit
		p.ChangeNote = content.ParseMessage(r.version.Changed.Message).Subject
	}
	b.made[r.name] = made{f, p}
	return p
}

// signature says who vouches for a publication: for its tag, if the content is
// the tag's, else for its seal.
func (b *build) signature(r *resolved) content.Signature {
	sealed, ok := b.sealedFor[r.name]
	if r.agrees && r.by != nil && (r.by.Object == content.SignedTag || !ok) {
		return *r.by
	}
	return sealed
}

// facts are all that a publication is made of: equal facts, equal publications.
type facts struct {
	ref, blob, commit, changed, since gitrepo.OID
	seal                              content.Seal
	by                                content.Signature
}

type made struct {
	facts
	*content.Publication
}

// subjects says what happened to a file between two commits.
func (b *build) subjects(commit, since gitrepo.OID, path string) string {
	var lines []string
	for _, c := range b.history.Since(commit, since, path) {
		lines = append(lines, content.ParseMessage(c.Message).Subject)
	}
	return strings.Join(lines, "\n")
}

// taggedAt returns the date of an unsealed publication.
func (b *build) taggedAt(c *claim) time.Time {
	commit, _ := b.history.Commit(c.tag.Commit)
	return publishedAt(c.tag, commit)
}

// publishedAt is the tagger's time, or the commit's for a lightweight tag, and
// never before the commit's.
func publishedAt(t gitrepo.Tag, c gitrepo.Commit) time.Time {
	if t.Annotated && t.Tagged.After(c.Committed) {
		return t.Tagged
	}
	return c.Committed
}
