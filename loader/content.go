package loader

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/loader/git"
)

// publish makes publications of claims, or refuses them, and so completes the outcomes of their
// items: steps 7 to 10.
func (b *build) publish(ctx context.Context, claims []*claim, marks []content.Mark) error {
	void := voided(marks, b.today)
	for _, c := range claims {
		c.from, c.void = b.source(c), void[c.name]
		c.at, _ = b.history.At(c.from, c.path)
	}
	b.reviewSeals(void)
	b.deferSuperseded(claims, marks)
	if err := b.prepare(ctx, claims); err != nil {
		return err
	}
	all, err := b.resolveAll(ctx, claims)
	if err != nil {
		return err
	}
	return b.describe(claims, all)
}

// withdraw removes publications in advance that were marked void before their day, and adds
// their numbers to the spent ones. A later mark has no effect.
func (b *build) withdraw(
	all []*content.Publication, marks []content.Mark, spent map[string][]*semver.Version,
) []*content.Publication {
	void, since := voided(marks, b.today), map[string]string{}
	for _, m := range marks {
		if tag := m.Item + "/v" + m.Version; void[tag] && m.Status == content.Void &&
			(since[tag] == "" || m.Since < since[tag]) {
			since[tag] = m.Since
		}
	}
	return slices.DeleteFunc(all, func(p *content.Publication) bool {
		day, isVoid := since[p.Tag()]
		if !isVoid || p.Draft || day >= p.PublishedAt.In(b.zone).Format(content.Date) {
			return false
		}
		spent[p.Item()] = append(slices.Clone(spent[p.Item()]), p.Version)
		return true
	})
}

// endOfTime is after the first day of all marks.
const endOfTime = "9999-12-31"

// voided lists the tags that marks declare void on a day.
func voided(marks []content.Mark, today string) map[string]bool {
	void := map[string]bool{}
	for _, m := range marks {
		if m.Status == content.Void && m.Version != "" && m.Since <= today {
			void[m.Item+"/v"+m.Version] = true
		}
	}
	return void
}

// resolveAll resolves the claims that are not deferred, and then the deferred ones: as normal
// claims if the version that supersedes them is not served.
func (b *build) resolveAll(ctx context.Context, claims []*claim) (all []*resolved, err error) {
	fallen := map[*outcome]bool{}
	for _, deferred := range []bool{false, true} {
		for _, c := range claims {
			if c.deferred != deferred {
				continue
			}
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			r, err := b.tryResolve(c, deferred && !fallen[c.outcome])
			if err != nil {
				return nil, err
			}
			if r != nil {
				all = append(all, r)
			} else {
				fallen[c.outcome] = true
			}
		}
	}
	return all, nil
}

// resolved is a claim with its content.
type resolved struct {
	*claim
	file       *itemFile
	text       *deferredText // nil if the last load's can be reused
	version    git.Version
	commit     git.OID
	matchesTag bool // the content is that of the tag
	checksum   string
}

// tryResolve calls resolve and recovers from a panic.
func (b *build) tryResolve(c *claim, deferred bool) (r *resolved, err error) {
	if crashed := crash.Do(func() { r, err = b.resolve(c, deferred) }); crashed != nil {
		c.refuse(b.crashFinding(c.path, "reading the publication", crashed))
		return nil, nil
	}
	return r, err
}

// resolve finds the content of a claim, and its text unless that is deferred; nil if there is
// no content that may be served.
func (b *build) resolve(c *claim, deferred bool) (*resolved, error) {
	if goesOn, err := b.resolveContested(c); !goesOn || err != nil {
		return nil, err
	}
	if deferred {
		return b.resolveDeferred(c)
	}
	if c.seal != nil {
		return b.resolveSealed(c)
	}
	if c.unsigned != nil {
		c.refuse(*c.unsigned)
		return nil, nil
	}
	if !b.history.Contains(c.tag.Commit) {
		c.outcome.final = false
		if !b.refs.Fixed { // else what came later is not asked for
			c.refuse(b.notMerged(c.path, c.tag.Commit))
		}
		return nil, nil
	}
	if !c.hasFile() {
		c.refuse(b.missingFile(c.path, c.tag.Commit))
		return nil, nil
	}
	it, err := b.itemFile(c.Tag, c.at.File)
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
		c.refuse(b.noChecksum(c.path, err))
		return nil, nil
	}
	seal := content.Seal{Tag: c.name, Checksum: sum, PublishedAt: b.taggedAt(c)}
	c.report(warning(c.path, say("unsealed", "seal", args{"file": content.SealsPath(c.item), "line": seal})))
	return &resolved{c, it, nil, c.at, c.tag.Commit, true, sum}, nil
}

// refuse reports the reason why a claim is refused.
func (c *claim) refuse(why ...content.Finding) { c.outcome.report.Refuse(c.name, why...) }

// report reports a problem that does not prevent the claim from being served.
func (c *claim) report(f content.Finding) { c.outcome.report.Add(about(c.name, f)) }

// missingFile is the finding about a tagged commit without the file.
func (b *build) missingFile(path string, commit git.OID) content.Finding {
	if folder, ok := b.tornAt(commit, path); ok {
		return tornFolder(path, folder)
	}
	id := commit.String()[:12]
	switch folder, unread := b.unreadFolderOf(commit, path); {
	case unread && folder == "":
		return finding(path, say("missing-file", "nothing", args{"commit": id}))
	case unread:
		return finding(path, say("missing-file", "folder", args{"folder": folder, "commit": id}))
	}
	return finding(path, say("missing-file", "tagged", args{"commit": id}))
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
func (b *build) resolveSealed(c *claim) (*resolved, error) {
	if c.hasFile() {
		r, err := b.agreeing(c, c.at, c.from)
		if err != nil {
			return nil, err
		}
		if r != nil {
			c.outcome.final = c.outcome.final && b.history.Contains(c.from)
			return r, b.compareTag(c, c.from)
		}
	}
	c.outcome.final = false
	versions, err := b.sealedVersions(c)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		r, err := b.agreeing(c, v, v.Changed.OID)
		if err != nil {
			return nil, err
		}
		if r == nil {
			continue
		}
		c.tolerate(c.unfit) // the same content stands in another file as it should
		r.matchesTag = false
		return r, b.compareTag(c, v.Changed.OID)
	}
	if c.void && len(c.unreadable) == 0 {
		return nil, nil // declared void
	}
	if c.unfit != nil {
		c.refuse(append([]content.Finding{finding(c.path, say("seal-unfit", "refused", nil))}, c.unfit...)...)
		return nil, nil
	}
	c.unreadable = append(c.unreadable, b.maybeTorn(c.path)...)
	if len(c.unreadable) > 0 { // it may be there
		c.refuse(c.unreadable...)
		return nil, nil
	}
	c.refuse(finding(c.path, say("seal-lost", "content", args{
		"branch": b.refs.Branch, "checksum": c.seal.Checksum, "version": fmt.Sprintf("%s@%s", c.item, c.Version),
	})))
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

// agreeing returns the claim with this version's content if its checksum is that of the seal.
func (b *build) agreeing(c *claim, v git.Version, commit git.OID) (*resolved, error) {
	it, err := b.itemFile(c.Tag, v.File)
	if err != nil {
		return nil, err
	}
	if it.parsed().Body == nil {
		if found := it.parsed().Findings; unreadable(found) {
			c.unreadable = append(c.unreadable, found...)
		}
		return nil, nil
	}
	sum, err := c.checksum(it, v.OID)
	if _, crashed := errors.AsType[*crash.Error](err); crashed {
		c.unreadable = append(c.unreadable, b.noChecksum(c.path, err))
	}
	if err != nil || sum != c.seal.Checksum {
		return nil, nil
	}
	if !it.parsed().OK() {
		c.outcome.final = false // when the seal came may show later
		if !it.parsed().Outlives(b.sealedAt(c)) {
			c.unfit = it.parsed().Findings
			return nil, nil
		}
	}
	c.tolerate(it.parsed().Findings)
	return &resolved{c, it, nil, v, commit, true, sum}, nil
}
