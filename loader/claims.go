package loader

import (
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

	reviewed *content.Publication // the last one that [review.reviewBehind] was asked about, and what it said
	behind   bool
}

// lose notes a claim that is not served.
func (o *outcome) lose(c *claim) {
	if c.seal != nil {
		o.spent = append(o.spent, c.Version)
	}
	lost := content.Intent{Item: o.item, Commit: c.tag.Commit.String()}
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
	path     string // of the file that it publishes
	seal     *content.Seal
	outcome  *outcome
	previous *derived    // the publication of the last load, nil if there was none
	from     git.OID     // the commit searched first for the content: the tagged one, or see [facts.source]
	at       git.Version // the file in that commit, if there is one
	deferred bool        // its text is parsed on first use
	void     bool        // a mark declares it void

	*found                        // its content, when it is resolved; nil if there is none
	publication *derived          // nil if it is not served
	unfit       []content.Finding // findings about content that matches the seal and is not served
	unreadable  []content.Finding // why versions that may be the sealed one cannot be read
}

// hasFile reports whether the commit in which the content is looked for first has the file.
func (c *claim) hasFile() bool { return c.at.Mode != git.Absent }

// stock is what there is to publish: stage 4.
type stock struct {
	outcomes []*outcome // of all items with tags or seals, by item
	claims   [][]*claim // of each of those that are not complete
	releases []*content.Release
	report   content.Report
}

// takeStock makes releases of root tags, and an outcome for each item with tags or seals. Those of the last load
// are reused if they are still valid; the others are empty, and their claims have to be published.
func (fs *facts) takeStock(before *state) *stock {
	k := &stock{}
	tagged := fs.sortTags(k)
	if len(tagged)+len(k.releases) == 0 && len(fs.seals.byItem) > 0 {
		k.report.Add(finding("", say("no-tags", "seals", nil)))
	}
	known, goesOn := before.outcomes, fs.history.OnBranch(before.head) && !fs.Drafts
	items := make([]string, 0, len(tagged))
	for item := range tagged {
		items = append(items, item)
	}
	for item := range fs.seals.byItem {
		if tagged[item] == nil {
			items = append(items, item)
		}
	}
	slices.Sort(items)
	var bare []*ref
	for _, item := range items {
		if len(fs.seals.byItem[item]) == 0 && !slices.ContainsFunc(tagged[item], fs.hasFile) {
			bare = append(bare, tagged[item]...)
			continue
		}
		o := known[item]
		if !goesOn || !o.stillValid(tagged[item], fs.seals.byItem[item]) {
			last := o
			o = &outcome{item: item, refs: tagged[item], seals: fs.seals.byItem[item], final: true}
			k.claims = append(k.claims, o.claims(last))
		}
		k.outcomes = append(k.outcomes, o)
	}
	fs.refuseBare(&k.report, bare)
	return k
}

// hasFile reports whether the commit of a tag has the file that the tag names.
func (fs *facts) hasFile(r *ref) bool {
	_, exists := fs.history.At(r.tag.Commit, r.filePath())
	return exists
}

// refuseBare refuses tags of items of which no tagged commit has the file. There may be hundreds of thousands: they are
// counted whole, and findings are made of some.
func (fs *facts) refuseBare(report *content.Report, tags []*ref) {
	for i, r := range tags {
		switch {
		case fs.isLater(r):
		case i < content.MaxFindings:
			report.Refuse(r.name, *fs.bare(r))
		default:
			report.Refuse(r.name)
			report.Omit(content.Error)
		}
	}
}

// isLater reports whether a tag came later than what is asked for.
func (fs *facts) isLater(r *ref) bool { return fs.refs.Fixed && !fs.history.Contains(r.tag.Commit) }

// bare returns the reason why a tag without a seal publishes nothing, whatever its file says; nil if it may.
func (fs *facts) bare(r *ref) *content.Finding {
	switch {
	case r.unsigned != nil:
		return r.unsigned
	case !fs.history.Contains(r.tag.Commit):
		return new(fs.notMerged(r.filePath(), r.tag.Commit))
	case !fs.hasFile(r):
		return new(fs.missingFile(r.filePath(), r.tag.Commit))
	}
	return nil
}

// sortTags groups tags by item, and makes releases of root tags.
func (fs *facts) sortTags(k *stock) (items map[string][]*ref) {
	items = map[string][]*ref{}
	var misnamed []*ref
	for i, n := 0, 1; i < len(fs.tags); i += n {
		r := fs.tags[i]
		n = 1
		switch {
		case r.misnamed:
			misnamed = append(misnamed, r)
		case r.refused != nil:
			fs.refuse(&k.report, r.name, *r.refused)
		case r.Kind != nil:
			item := r.item()
			for _, next := range fs.tags[i+1:] { // by name, those of an item mostly come together
				if next.Kind == nil || next.refused != nil || next.item() != item {
					break
				}
				n++
			}
			items[item] = append(items[item], fs.tags[i:i+n]...)
		case r.unsigned != nil:
			k.report.Refuse(r.name, *r.unsigned)
		default:
			if release := fs.release(&k.report, r); release != nil {
				k.releases = append(k.releases, release)
			}
		}
	}
	fs.reportMisnamed(&k.report, misnamed)
	return items
}

// refuse reports the reason why a tag is refused. Content sealed under its name is still looked
// for.
func (fs *facts) refuse(report *content.Report, name string, why ...content.Finding) {
	if !fs.seals.sealed(name) {
		report.Refuse(name, why...)
		return
	}
	for _, f := range why {
		report.Add(about(name, f))
	}
}

// release returns the product release of a tag, nil if it is not served. Its date is the tag's,
// but never before the commit's; a lightweight tag has the commit's message.
func (fs *facts) release(report *content.Report, r *ref) *content.Release {
	commit, _ := fs.history.Commit(r.tag.Commit)
	if fs.isLater(r) {
		return nil
	}
	if !fs.history.Contains(r.tag.Commit) { // but beside it
		report.Refuse(r.name, fs.notMerged("", r.tag.Commit))
		return nil
	}
	date, message := r.publishedAt(commit), r.tag.Message
	if !r.tag.Annotated {
		message = commit.Message
		report.Add(about(r.name, warning("", say("lightweight", "notes", nil))))
	}
	if fs.ahead(date) {
		report.Hold(r.name, future(date))
		return nil
	}
	if r.Version.Prerelease() != "" && !fs.Drafts {
		return nil
	}
	return &content.Release{
		Version: r.Version, Date: date, Commit: r.tag.Commit.String(), Message: content.ParseMessage(message),
	}
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
	add := func(r *ref, seal *content.Seal) {
		claims = append(claims, &claim{ref: r, path: r.filePath(), seal: seal, previous: known[r.name], outcome: o})
	}
	for _, r := range o.refs {
		add(r, sealed[r.name])
		delete(sealed, r.name)
	}
	for i, s := range o.seals {
		if sealed[s.Tag] != nil { // and there is no tag any more
			r, _ := newRef(s.Tag) // valid, or it would not have been read
			add(r, &o.seals[i])
		}
	}
	slices.SortFunc(claims, func(x, y *claim) int { return x.Version.Compare(y.Version) })
	return claims
}

// collect lists what the outcomes of all items have.
func collect(outcomes []*outcome) *published {
	p, n := &published{spent: map[string][]*semver.Version{}}, 0
	for _, o := range outcomes {
		n += len(o.derived)
	}
	p.publications = make([]*content.Publication, 0, n)
	for _, o := range outcomes {
		for _, m := range o.derived {
			p.publications = append(p.publications, m.Publication)
		}
		if len(o.spent) > 0 {
			p.spent[o.item] = o.spent
		}
		p.lost = append(p.lost, o.lost...)
		p.damage += o.damage
		p.report.Join(o.report)
	}
	return p
}
