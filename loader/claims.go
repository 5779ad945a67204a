package loader

import (
	"iter"
	"maps"
	"slices"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/loader/git"
)

// outcome is the result for the tags and seals of one item: publications, and findings about
// those that fail. It is a function of these, of the commits that they name, of what was served
// before and, unless it is final, of the rest of the history. A load reuses final outcomes, so
// that its cost depends on what changed.
type outcome struct {
	item  string // folder and name
	refs  []*ref
	seals []content.Seal

	final   bool
	derived []derived // by version, lowest first
	lost    []content.Intent
	spent   []*semver.Version // sealed, and not served
	report  content.Report
	damage  string // damaged objects, if the report may not have all
}

// lose notes a commit of which a publication was refused.
func (o *outcome) lose(commit string) {
	lost := content.Intent{Item: o.item, Commit: commit}
	if n := len(o.lost); n == 0 || o.lost[n-1] != lost {
		o.lost = append(o.lost, lost)
	}
}

// limit leaves out what is too much of the findings, as whoever pushes can tag one commit as often as they like.
func (o *outcome) limit() {
	if len(o.report.Findings) > content.MaxFindings {
		o.damage = damage(o.report)
		o.report.Sort()
		o.report.Limit()
	}
}

// derived is a publication with the inputs that it was derived from.
type derived struct {
	tag string
	inputs
	*content.Publication
}

// claim is a tag or a seal, or both, that is to be published.
type claim struct {
	*ref
	seal     *content.Seal
	outcome  *outcome
	previous *derived    // the publication of the last load, nil if there was none
	from     git.OID     // the commit searched first for the content: the tagged one, or see [build.source]
	at       git.Version // the file in that commit, if there is one
	deferred bool        // its text is parsed on first use
	void     bool        // a mark declares it void

	unfit      []content.Finding // findings about content that matches the seal and is not served
	unreadable []content.Finding // why versions that may be the sealed one cannot be read
}

// hasFile reports whether the commit in which the content is looked for first has the file.
func (c *claim) hasFile() bool { return c.at.Mode != git.Absent }

// takeStock returns the outcomes of all items with tags or seals, and of those served before, by
// item. Those of the last load are reused if they are still valid; the others are empty, and their
// claims have to be published.
func (b *build) takeStock(tags map[string][]*ref) (outcomes []*outcome, claims []*claim) {
	seals, extended := b.seals.byItem, b.history.OnBranch(b.before.head)
	items := make(map[string]bool, len(b.before.outcomes))
	for _, known := range []iter.Seq[string]{maps.Keys(tags), maps.Keys(seals)} {
		for item := range known {
			items[item] = true
		}
	}
	outcomes = make([]*outcome, 0, len(items))
	for _, item := range slices.Sorted(maps.Keys(items)) {
		o := b.before.outcomes[item]
		if !extended || b.Drafts || !o.stillValid(tags[item], seals[item]) {
			last := o
			o = &outcome{item: item, refs: tags[item], seals: seals[item], final: true}
			claims = append(claims, o.claims(last)...)
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, claims
}

// stillValid reports whether the outcome of the last load is valid for these tags and seals, if
// the branch only gained commits at its end. With drafts all outcomes are computed again, so that
// earlier drafts are dropped.
func (o *outcome) stillValid(refs []*ref, seals []content.Seal) bool {
	return o != nil && o.final && slices.Equal(o.refs, refs) && slices.Equal(o.seals, seals)
}

// claims makes the claims of an item, lowest version first: seals are in the order in which loads
// read them. last is its outcome of the last load, or nil.
func (o *outcome) claims(last *outcome) (claims []*claim) {
	known := map[string]*derived{}
	if last != nil {
		for i := range last.derived {
			known[last.derived[i].tag] = &last.derived[i]
		}
	}
	sealed := make(map[string]*content.Seal, len(o.seals))
	for i := range o.seals {
		sealed[o.seals[i].Tag] = &o.seals[i]
	}
	for _, r := range o.refs {
		claims = append(claims, &claim{ref: r, seal: sealed[r.name], previous: known[r.name], outcome: o})
		delete(sealed, r.name)
	}
	for i, s := range o.seals {
		if sealed[s.Tag] != nil { // and there is no tag any more
			r, _ := newRef(s.Tag) // valid, or it would not have been read
			claims = append(claims, &claim{ref: r, seal: &o.seals[i], previous: known[s.Tag], outcome: o})
		}
	}
	slices.SortFunc(claims, func(x, y *claim) int { return x.Version.Compare(y.Version) })
	return claims
}

// collect returns the publications of all items, and the versions of each that are spent: sealed,
// and not served.
func (b *build) collect(outcomes []*outcome) (publications []*content.Publication, spent map[string][]*semver.Version) {
	n := 0
	spent = map[string][]*semver.Version{}
	for _, o := range outcomes {
		n += len(o.derived)
		if len(o.spent) > 0 {
			spent[o.item] = o.spent
		}
	}
	publications = make([]*content.Publication, 0, n)
	for _, o := range outcomes {
		for _, m := range o.derived {
			publications = append(publications, m.Publication)
		}
		b.report.Join(o.report)
	}
	return publications, spent
}
