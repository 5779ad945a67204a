package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// published is what stage 5 makes of the claims.
type published struct {
	publications []*content.Publication       // drafts last
	lost         []content.Intent             // that were refused
	spent        map[string][]*semver.Version // by item: sealed, and not served
	report       content.Report
	damage       string // damaged objects of outcomes, if their reports may not have all
}

// publish makes publications of the claims, or refuses them, and so completes the outcomes of their items, and
// adds drafts: stage 5.
func (fs *facts) publish(ctx context.Context, k *stock) (p *published, err error) {
	claims, void := slices.Concat(k.claims...), content.Voided(fs.marks, fs.today)
	for _, c := range claims {
		c.from, c.void = fs.source(c), void[c.name]
		c.at, _ = fs.history.At(c.from, c.path)
	}
	fs.deferSuperseded(claims)
	if err := fs.prepare(ctx, claims); err != nil {
		return nil, err
	}
	for _, ofItem := range k.claims {
		err := context.Cause(ctx)
		if err == nil {
			err = fs.resolveItem(ofItem)
		}
		if err == nil {
			err = fs.describe(ofItem)
		}
		if err != nil {
			return nil, err
		}
	}
	p = collect(k.outcomes)
	fs.withdraw(p, void)
	if !fs.Drafts {
		return p, nil
	}
	ds := drafts{facts: fs, report: &p.report}
	unpublished, err := ds.read(p.publications)
	p.publications = append(p.publications, unpublished...)
	return p, err
}

// withdraw removes publications in advance that were marked void before their day, and adds
// their numbers to the spent ones. A later mark has no effect.
func (fs *facts) withdraw(p *published, void map[string]bool) {
	if len(void) == 0 {
		return
	}
	since := map[string]string{}
	for _, m := range fs.marks {
		if tag := m.Item + "/v" + m.Version; void[tag] && m.Status == content.Void &&
			(since[tag] == "" || m.Since < since[tag]) {
			since[tag] = m.Since
		}
	}
	p.publications = slices.DeleteFunc(p.publications, func(q *content.Publication) bool {
		day, isVoid := since[q.Tag()]
		if !isVoid || day >= q.PublishedAt.In(fs.zone).Format(content.Date) {
			return false
		}
		p.spent[q.Item()] = append(slices.Clone(p.spent[q.Item()]), q.Version)
		return true
	})
}

// resolveItem finds the content of the claims of an item: of those that are deferred after the others, and as of
// these if the version that supersedes them is not served.
func (fs *facts) resolveItem(claims []*claim) error {
	fallen := false
	for _, deferred := range []bool{false, true} {
		for _, c := range claims {
			if c.deferred != deferred {
				continue
			}
			c.deferred = deferred && !fallen
			if err := fs.attempt(c, func() (err error) { c.found, err = fs.resolve(c); return err }); err != nil {
				return err
			}
			fallen = fallen || c.found == nil
		}
	}
	return nil
}

// found is the content of a claim.
type found struct {
	file       *itemFile
	text       *deferredText // nil if it is not deferred
	version    git.Version
	commit     git.OID
	matchesTag bool // the content is that of the tag
	sum        string
}

// attempt does something for a claim, which is refused if that panics.
func (fs *facts) attempt(c *claim, do func() error) (err error) {
	if crashed := crash.Do(func() { err = do() }); crashed != nil {
		c.found = nil
		c.refuse(fs.crashFinding(c.path, "reading the publication", crashed))
		return nil
	}
	return err
}

// resolve finds the content of a claim, and its text unless that is deferred; nil if there is
// no content that may be served.
func (fs *facts) resolve(c *claim) (*found, error) {
	if goesOn, err := fs.resolveContested(c); !goesOn || err != nil {
		return nil, err
	}
	switch {
	case c.deferred:
		return fs.resolveDeferred(c)
	case fs.Proven && c.seal != nil && c.hasFile():
		it, err := fs.itemFile(c.Tag, c.at.File)
		return &found{it, nil, c.at, c.from, true, c.seal.Checksum}, err
	case c.seal != nil:
		return fs.resolveSealed(c)
	}
	if why := fs.bare(c.ref); why != nil {
		c.outcome.final = c.outcome.final && fs.history.Contains(c.tag.Commit)
		if !fs.isLater(c.ref) {
			c.refuse(*why)
		}
		return nil, nil
	}
	it, err := fs.itemFile(c.Tag, c.at.File)
	if err != nil {
		return nil, err
	}
	if r := it.parsed(); !r.OK() {
		c.outcome.final = c.outcome.final && !unreadable(r.Findings)
		c.refuse(r.Findings...)
		return nil, nil
	}
	sum, err := c.checksum(it, c.at.OID)
	if err != nil {
		c.refuse(fs.noChecksum(c.path, err))
		return nil, nil
	}
	seal := content.Seal{Tag: c.name, Checksum: sum, PublishedAt: fs.taggedAt(c)}
	c.report(warning(c.path, say("unsealed", "seal", args{"file": content.SealsPath(c.item()), "line": seal})))
	return &found{it, nil, c.at, c.tag.Commit, true, sum}, nil
}

// refuse reports the reason why a claim is refused.
func (c *claim) refuse(why ...content.Finding) { c.outcome.report.Refuse(c.name, why...) }

// report reports a problem that does not prevent the claim from being served.
func (c *claim) report(f content.Finding) { c.outcome.report.Add(about(c.name, f)) }

// missingFile is the finding about a tagged commit without the file.
func (fs *facts) missingFile(path string, commit git.OID) content.Finding {
	return finding(path, say("missing-file", "tagged", args{"commit": commit.String()[:12]}))
}

// stillServed turns findings about sealed content that is served into warnings.
func stillServed(f content.Finding) content.Finding {
	f = check.Advise(f, say("", "served", nil))
	f.Severity = content.Warning
	return f
}

// tolerate reports the findings about sealed content that is still served.
func (c *claim) tolerate(found []content.Finding) {
	for _, f := range found {
		c.report(stillServed(f))
	}
}

// resolveSealed finds content that matches the seal: the tag's, or that of any version of the
// file. Violations of rules that are later than the seal are only warnings, since the content
// was served before. Violations of other rules refuse it.
func (fs *facts) resolveSealed(c *claim) (*found, error) {
	if c.hasFile() {
		f, err := fs.agreeing(c, c.at, c.from)
		if err != nil {
			return nil, err
		}
		if f != nil {
			c.outcome.final = c.outcome.final && fs.history.Contains(c.from)
			return f, fs.compareTag(c, c.from)
		}
	}
	c.outcome.final = false
	versions, err := fs.sealedVersions(c)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		f, err := fs.agreeing(c, v, v.Changed.OID)
		if err != nil {
			return nil, err
		}
		if f != nil {
			c.tolerate(c.unfit) // the same content stands in another file as it should
			f.matchesTag = false
			return f, fs.compareTag(c, v.Changed.OID)
		}
	}
	if c.void && len(c.unreadable) == 0 {
		return nil, nil // declared void
	}
	if err := fs.damaged[c.tag.Commit]; err != nil {
		c.unreadable = append(c.unreadable, worktree.Damaged(c.path, err))
	}
	switch {
	case c.unfit != nil:
		c.refuse(append([]content.Finding{finding(c.path, say("seal-unfit", "refused", nil))}, c.unfit...)...)
	case len(c.unreadable) > 0:
		c.refuse(c.unreadable...)
	default:
		c.refuse(finding(c.path, say("seal-lost", "content", args{
			"branch": fs.refs.Branch, "checksum": c.seal.Checksum, "version": fmt.Sprintf("%s@%s", c.item(), c.Version),
		})))
	}
	return nil, nil
}

// checksum returns the checksum of a claim's content; the last load's is reused for the same
// content.
func (c *claim) checksum(it *itemFile, blob git.OID) (string, error) {
	if k := c.previous; k != nil && k.blob == blob {
		if text, deferred := k.Text.(*deferredText); !deferred || text.sealed() {
			return k.Checksum, nil
		}
	}
	return it.checksum(c.Tag)
}

// noChecksum is the finding about content whose checksum cannot be computed.
func (c Config) noChecksum(path string, err error) content.Finding {
	if _, ok := errors.AsType[*crash.Error](err); ok {
		return c.crashFinding(path, "computing the checksum", err)
	}
	return finding(path, say("checksum", "none", args{"problem": err}))
}

// agreeing returns the content of a version if its checksum is that of the seal.
func (fs *facts) agreeing(c *claim, v git.Version, commit git.OID) (*found, error) {
	it, err := fs.itemFile(c.Tag, v.File)
	if err != nil {
		return nil, err
	}
	if it.parsed().Body == nil {
		if why := it.parsed().Findings; unreadable(why) {
			c.unreadable = append(c.unreadable, why...)
		}
		return nil, nil
	}
	sum, err := c.checksum(it, v.OID)
	if _, crashed := errors.AsType[*crash.Error](err); crashed {
		c.unreadable = append(c.unreadable, fs.noChecksum(c.path, err))
	}
	if err != nil || sum != c.seal.Checksum {
		return nil, nil
	}
	if !it.parsed().OK() {
		c.outcome.final = false // when the seal came may show later
		if !it.parsed().Outlives(fs.sealedAt(c)) {
			c.unfit = it.parsed().Findings
			return nil, nil
		}
	}
	c.tolerate(it.parsed().Findings)
	return &found{it, nil, v, commit, true, sum}, nil
}

// source returns the commit in which the content of a claim is looked for first: the tagged
// one. If no trusted signer signed the tag, whoever pushed it could choose among the commits
// with the sealed content, and so its metadata; then it is the commit that vouches for the
// seal.
func (fs *facts) source(c *claim) git.OID {
	if c.seal != nil && fs.Signers != nil && (!c.tagged() || c.unsigned != nil) {
		return fs.seals.inForce(c.name).by(fs.history)
	}
	return c.tag.Commit
}

// sealedVersions lists the versions of a file that may have the sealed content, the likely ones
// first: those made by signers, of these those from before the seal's date, of these the
// newest. The version of an unsigned tag is last.
func (fs *facts) sealedVersions(c *claim) ([]git.Version, error) {
	versions := fs.history.Versions(c.path)
	rank := make(map[git.OID]int, len(versions))
	for _, v := range versions {
		signed, err := fs.isTrusted(v.At)
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
	if at, exists := fs.history.At(c.tag.Commit, c.path); exists && c.from != c.tag.Commit {
		versions = append(versions, at)
	}
	return versions, nil
}

// compareTag reports a tag whose content is not the sealed one, after that was found in another
// commit.
func (fs *facts) compareTag(c *claim, in git.OID) error {
	if !c.tagged() || c.unfit != nil || in == c.tag.Commit {
		return nil
	}
	at, exists := fs.history.At(c.tag.Commit, c.path)
	if at.Mode == git.Several {
		return nil // nobody knows which is the tag's
	}
	if exists {
		it, err := fs.itemFile(c.Tag, at.File)
		if err != nil {
			return err
		}
		if it.parsed().Body != nil {
			if sum, err := c.checksum(it, at.OID); err == nil && sum == c.seal.Checksum {
				return nil
			}
		}
	}
	c.report(finding(c.path, say("seal-disagrees", "commit", args{
		"commit": c.tag.Commit.String()[:12], "from": in.String()[:12], "tag": quotedRef(c.name),
		"remote": quotedRef(":refs/tags/" + c.name),
	})))
	return nil
}
