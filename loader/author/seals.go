package author

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
)

// seal returns the seal that an interrupted publication has written for a tag.
func (p *planner) seal(tag string) *content.Seal {
	for _, s := range p.resumed {
		if s.Tag == tag {
			return &s
		}
	}
	return nil
}

// readSeals reads the seals at the head and on the served branch, and finds those that only the
// branch of a pull request has: they can be rewritten.
func (p *planner) readSeals(ctx context.Context) (err error) {
	if p.before, err = p.r.sealsAt(p.base); err != nil {
		return err
	}
	p.seals, p.own = p.before, map[string]content.Seal{}
	p.served, p.servedBy = map[string]string{}, map[string]string{}
	for _, ref := range p.servedRefs() {
		commit, found, err := p.r.resolve(ctx, ref)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := p.addServed(ctx, ref, commit); err != nil {
			return err
		}
		p.rewrites = p.Mode == Prepare || p.preview && p.Branch != p.target
	}
	if p.Branch != p.target {
		p.elsewhere = p.served
	}
	for _, line := range p.before.lines() {
		if seal, err := content.ParseSeal(line); err == nil && p.rewritable(line) {
			p.own[line] = seal
		}
	}
	return nil
}

// rewritable reports whether only the branch of a pull request has, or had, a line, unless its tag
// exists.
func (p *planner) rewritable(line string) bool {
	tag := tagOf(line)
	_, tagged := p.tags[tag]
	return p.rewrites && p.served[tag] != line && (!tagged || p.served[tag] != "")
}

// servedRefs lists the refs of the served branch in this clone, the newest last.
func (p *planner) servedRefs() []string {
	refs := []string{"refs/heads/" + p.target}
	if p.Remote != "" {
		refs = append(refs, "refs/remotes/"+p.Remote+"/"+p.target)
	}
	return refs
}

// addServed adds the seals of the served branch at its head and where this branch began. Of two
// for a tag the first one counts, even if it was removed since.
func (p *planner) addServed(ctx context.Context, ref, commit string) error {
	out, err := p.r.git(ctx, "merge-base", "--end-of-options", commit, p.base)
	if err != nil && !answeredNo(err) {
		return err
	}
	for _, c := range slices.Compact([]string{strings.TrimSpace(out), commit}) {
		files := p.before
		if c == "" {
			continue // no common ancestor
		}
		if c != p.base {
			if files, err = p.r.sealsAt(c); err != nil {
				return err
			}
		}
		for _, line := range files.lines() {
			if tag := tagOf(line); p.served[tag] == "" {
				p.served[tag], p.servedBy[tag] = line, ref
			}
		}
	}
	return nil
}

// resume refuses a dirty work tree, unless the only differences are seals that an interrupted
// publication has written and not committed, and that match the files. If items are named, files that
// hold no seals are of no concern: those of the named items are found by [planner.step].
func (p *planner) resume(ctx context.Context) (err error) {
	paths, merging, err := p.r.dirty(ctx)
	if len(p.Items) > 0 && !merging {
		paths = slices.DeleteFunc(paths, func(path string) bool { return !content.HoldsSeals(path) })
	}
	if err != nil || len(paths) == 0 {
		return err
	}
	if !slices.ContainsFunc(paths, func(path string) bool { return !content.HoldsSeals(path) }) && p.Mode != Tag {
		now, err := p.r.workSeals(p.before, paths)
		if err != nil {
			return err
		}
		if seals, ok := p.added(now); ok {
			p.resumed = seals
			return nil
		}
	}
	p.dirt = paths
	const shown = 5
	var files []any
	for _, path := range paths[:min(len(paths), shown)] {
		files = append(files, content.Printable(path))
	}
	if len(paths) > shown {
		files = append(files, i18n.New("and %d more", len(paths)-shown))
	}
	list := i18n.Join("\n\t", files...)
	if len(p.Items) == 0 && (p.Mode == Publish || p.Mode == Prepare) {
		return p.refuse(i18n.Errorf(
			"not everything is committed: commit these first, put them aside with `git stash --include-untracked`, or "+
				"name what is to be published without them, `rulestore publish ITEM`:\n\t%s", list,
		))
	}
	return p.refuse(i18n.Errorf(
		"not everything is committed: commit these first, or put them aside with `git stash --include-untracked`:\n\t%s",
		list,
	))
}

// workSeals returns the files of seals in the work tree, which differ at some paths.
func (r *Repository) workSeals(committed sealFiles, paths []string) (sealFiles, error) {
	now := maps.Clone(committed)
	for _, path := range paths {
		text, err := r.read(path)
		if err != nil {
			return nil, err
		}
		if now[path] = text; text == "" {
			delete(now, path)
		}
	}
	return now, nil
}

// added returns the seals that are not committed; not ok if there is any other difference, or one
// that does not match its file. Seals that only this branch has may be missing, as they were to be
// rewritten.
func (p *planner) added(now sealFiles) (seals []content.Seal, ok bool) {
	left := map[string]bool{}
	for _, line := range p.before.lines() {
		if _, own := p.own[line]; !own {
			left[line] = true
		}
	}
	before := maps.Clone(left)
	for _, line := range now.lines() {
		delete(left, line)
		if _, own := p.own[line]; own || before[line] {
			continue
		}
		seal, err := content.ParseSeal(line)
		switch {
		case err != nil:
			return nil, false
		case p.inForce(seal): // written again
		case p.fits(seal):
			seals = append(seals, seal)
		default:
			return nil, false
		}
	}
	return seals, len(left) == 0
}

// inForce reports whether the branch has, or had, a seal, or whether it is that of a tag made by
// hand with the served content.
func (p *planner) inForce(s content.Seal) bool {
	t, _ := content.ParseTag(s.Tag) // parsed with the seal
	e := p.published(t)
	return e != nil && e.Checksum == s.Checksum && e.PublishedAt.Equal(s.PublishedAt)
}

// fits reports whether a seal matches the draft at the head, or a prerelease of which it is the
// release.
func (p *planner) fits(s content.Seal) bool {
	t, err := content.ParseTag(s.Tag)
	if err != nil || t.Kind == nil {
		return false
	}
	it := p.snapshot.Item(t.Kind, t.Name)
	if it == nil {
		return false
	}
	said := cmp.Or(change.DraftOf(it), change.Candidate(it))
	if said == nil {
		return false
	}
	sum, err := content.Checksum(content.Identified(t.Kind, t.Version, said.Body()))
	return err == nil && sum == s.Checksum
}

// restored returns the seals in force whose lines are missing.
func (p *planner) restored() (lines []string) {
	listed := p.before.tags()
	for _, it := range p.snapshot.Items {
		for _, e := range it.Entries {
			if e.Sealed && !listed[e.Tag()] {
				p.Restored = append(p.Restored, e.Tag())
				lines = append(
					lines, content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}.String(),
				)
			}
		}
	}
	return lines
}

// unsealed returns the seals for tags made by hand: their served content becomes fixed as it is.
func (p *planner) unsealed() (lines []string) {
	for _, it := range p.snapshot.Items {
		for _, e := range it.Entries {
			if !e.Draft && !e.Sealed && !p.ahead(e) && p.wanted(it.ID()) {
				p.Unsealed = append(p.Unsealed, e.Tag())
				lines = append(
					lines, content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}.String(),
				)
			}
		}
	}
	return lines
}

// missingTags plans the missing tags for seals of the branch: after an interrupted publication, or
// after the merge of a pull request with seals. A tag is on the commit that added the seal to the
// branch if the content is there, else on the one that has it.
func (p *planner) missingTags(ctx context.Context) error {
	if p.Mode == Prepare {
		return nil
	}
	for _, e := range p.tagless() {
		commit, ok := p.sealedOn(e.Publication)
		if !ok {
			commit = e.Commit
		}
		step, err := p.tagFor(ctx, e, commit)
		if err != nil {
			return err
		}
		p.Steps = append(p.Steps, step)
	}
	return nil
}

// tagless lists the sealed publications without a tag, or with one on a commit that a rebase
// replaced and nobody else has.
func (p *planner) tagless() []*content.Entry {
	var found []*content.Entry
	for _, it := range p.snapshot.Items {
		for _, e := range slices.Backward(it.Entries) {
			if e.Draft || !e.Sealed || p.sealedBehind(e.Tag()) {
				continue
			}
			_, tagged := p.tags[e.Tag()]
			if tagged && (p.onRemote == nil || p.onRemote.tags[e.Tag()] != "" || p.merged[e.Tag()]) {
				p.warnOfTag(e.Tag())
				continue
			}
			found = append(found, e)
		}
	}
	return found
}

// sealedBehind reports whether the sealed content is not the merged one, so that a tag would be
// wrong.
func (p *planner) sealedBehind(tag string) bool {
	i := p.found("seal-behind", tag)
	if i >= 0 && p.Mode == Tag {
		p.Warnings = append(p.Warnings, i18n.New("not tagged: %v", p.report.Findings[i]))
	}
	return i >= 0
}

// found is the index of the finding of a rule about a tag, -1 if there is none.
func (p *planner) found(rule, tag string) int {
	return slices.IndexFunc(p.report.Findings, func(f content.Finding) bool { return f.Rule == rule && f.Tag == tag })
}

// warnOfTag warns about a tag that stands, here or in the remote repository, where another belongs.
func (p *planner) warnOfTag(tag string) {
	if i := p.found("seal-disagrees", tag); i >= 0 {
		p.Warnings = append(p.Warnings, i18n.New("not tagged: %v", p.report.Findings[i]))
	} else if p.onRemote != nil && p.onRemote.tags[tag] != "" && p.onRemote.tags[tag] != p.tags[tag].oid {
		p.Warnings = append(p.Warnings, i18n.New(
			"%s is another tag in %s than here: take that one away and send yours, `git push %[2]s %s`, `rulestore "+
				"publish --push`",
			tag, p.Remote, ":"+p.r.tagRef(tag),
		))
	}
}

// tagFor plans the tag of a sealed publication on a commit.
func (p *planner) tagFor(ctx context.Context, e *content.Entry, commit string) (TagStep, error) {
	since := ""
	step := TagStep{Tag: e.Tag(), Why: i18n.New("sealed, and not tagged yet"), commit: commit}
	if e.Predecessor != nil {
		step.Old, since = e.Predecessor.Version, e.Predecessor.Commit
	}
	step.was = p.tags[e.Tag()].oid
	var err error
	step.Message, err = p.withTrailers(
		ctx, change.Message(e.ChangeNote), e.Kind, since, commit, everywhere(e.Kind, e.Name),
	)
	return step, err
}

// checkServed verifies that no item of the plan was published on the served branch meanwhile: the
// content sealed here would not have the changes made there.
func (p *planner) checkServed(ctx context.Context, lines []string) error {
	here := p.before.tags()
	highest := map[string]*semver.Version{}
	for tag := range p.served {
		t, err := content.ParseTag(tag)
		if err == nil && (!here[tag] || p.ownTag(tag)) && p.published(t) == nil {
			if v := highest[t.Item()]; v == nil || v.LessThan(t.Version) {
				highest[t.Item()] = t.Version
			}
		}
	}
	for _, line := range lines {
		t, _ := content.ParseTag(tagOf(line)) // planned here
		if v := highest[t.Item()]; v != nil {
			ref := p.servedBy[content.Tag{Kind: t.Kind, Name: t.Name, Version: v}.String()]
			short, err := p.r.git(ctx, "rev-parse", "--abbrev-ref=strict", ref)
			if err != nil {
				return err
			}
			return p.refuse(i18n.Errorf("%s/v%s was published by somebody else meanwhile, and this branch does not "+
				"have it: bring the branch up to date with `git merge %s`, and prepare again; after it comes v%s at "+
				"least",
				t.Item(), v, strings.TrimSpace(short), v.IncPatch()))
		}
	}
	return nil
}

// ownTag reports whether this branch has a seal for a tag that the served one does not have.
func (p *planner) ownTag(tag string) bool {
	for _, s := range p.own {
		if s.Tag == tag {
			return true
		}
	}
	return false
}

// published returns the publication of a tag, as far as the head has it.
func (p *planner) published(t content.Tag) *content.Entry {
	if t.Kind == nil {
		return nil
	}
	it := p.snapshot.Item(t.Kind, t.Name)
	if it == nil {
		return nil
	}
	i := slices.IndexFunc(it.Entries, func(e *content.Entry) bool { return !e.Draft && e.Version.Equal(t.Version) })
	if i < 0 {
		return nil
	}
	return it.Entries[i]
}

// rewrite removes the seals that only this branch has and that are obsolete, and warns about a
// rebase.
func (p *planner) rewrite(ctx context.Context, sealed []string) (map[string]bool, error) {
	gone := map[string]bool{}
	for _, line := range slices.Sorted(maps.Keys(p.own)) {
		if slices.Contains(sealed, line) {
			continue
		}
		gone[line] = true
		tag := p.own[line].Tag
		if !slices.ContainsFunc(p.Steps, func(s TagStep) bool { return s.Tag == tag }) {
			p.Withdrawn = append(p.Withdrawn, tag)
		}
		if err := p.warnOfRebase(ctx, line); err != nil {
			return nil, err
		}
	}
	return gone, nil
}

// warnOfRebase names the author's commit that would bring an obsolete seal to the served branch if
// commits were added to it one by one.
func (p *planner) warnOfRebase(ctx context.Context, line string) error {
	args := []string{"log", "--reverse", "--format=%H", "-S" + line, p.base}
	for _, ref := range p.servedRefs() {
		if _, found, err := p.r.resolve(ctx, ref); err != nil {
			return err
		} else if found {
			args = append(args, "^"+ref)
		}
	}
	out, err := p.r.git(ctx, append(args, "--", content.SealsFolder)...)
	if commit, _, _ := strings.Cut(out, "\n"); err == nil && commit != "" {
		p.Warnings = append(p.Warnings,
			i18n.New("%s is sealed otherwise in your commit %s: merge the request as one commit or with a merge "+
				"commit; "+
				"to merge it by rebasing, take that commit out first: git rebase --onto %[2]s~1 %[2]s", tagOf(line),
				commit[:12]))
	}
	return err
}
