package author

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/change"
)

// sorted puts the lines of rulestore.sum in order, each once.
func sorted(lines []string) string {
	lines = slices.DeleteFunc(slices.Clone(lines), func(s string) bool { return s == "" })
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}

// tagsOf lists the tags that the lines of rulestore.sum seal.
func tagsOf(seals string) []string {
	var tags []string
	for line := range strings.Lines(seals) {
		tag, _, _ := strings.Cut(line, " ")
		tags = append(tags, tag)
	}
	return tags
}

// seal returns the seal that an interrupted publication has written for a tag.
func (p *planner) seal(tag string) *content.Seal {
	for _, s := range p.resumed {
		if s.Tag == tag {
			return &s
		}
	}
	return nil
}

// resume refuses a dirty work tree, unless all that differs are the seals that an
// interrupted publication has written and not committed: they fit the files.
func (p *planner) resume(ctx context.Context) (err error) {
	if p.before, err = p.r.show(ctx, p.base, content.SealsFile); err != nil {
		return err
	}
	p.seals = p.before
	paths, err := p.r.dirty(ctx)
	if err != nil || len(paths) == 0 {
		return err
	}
	if slices.Equal(paths, []string{content.SealsFile}) && p.Mode != Tag {
		now, err := p.r.read(content.SealsFile)
		if err != nil {
			return err
		}
		if seals, ok := p.added(now); ok {
			p.resumed = seals
			return nil
		}
	}
	p.dirt = paths
	for i, path := range paths {
		paths[i] = content.Printable(path)
	}
	const shown = 5
	if len(paths) > shown {
		paths = append(paths[:shown], fmt.Sprintf("and %d more", len(paths)-shown))
	}
	return p.refuse(fmt.Errorf("not everything is committed: commit, stash or restore these first:\n\t%s", strings.Join(paths, "\n\t")))
}

// added returns the seals that a text has more than what is committed; not ok if
// there is any other difference, or one that does not fit its file.
func (p *planner) added(text string) (seals []content.Seal, ok bool) {
	committed := map[string]bool{}
	for line := range strings.Lines(p.before) {
		committed[line] = true
	}
	kept := 0
	for line := range strings.Lines(text) {
		if committed[line] {
			kept++
			continue
		}
		seal, err := content.ParseSeal(strings.TrimSuffix(line, "\n"))
		switch {
		case err != nil:
			return nil, false
		case p.inForce(seal): // and written again
		case p.fits(seal):
			seals = append(seals, seal)
		default:
			return nil, false
		}
	}
	return seals, kept == len(committed)
}

// inForce says whether a seal is one that the branch has, whatever became of its
// line, or says of a tag that somebody made by hand what is served for it.
func (p *planner) inForce(s content.Seal) bool {
	for _, it := range p.snapshot.Items {
		for _, e := range it.Entries {
			if !e.Draft && e.Tag() == s.Tag {
				return e.Checksum == s.Checksum && e.PublishedAt.Equal(s.PublishedAt)
			}
		}
	}
	return false
}

// fits says whether a seal is for what is a draft at the head, or a prerelease whose
// own release it is.
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

// restored returns the seals in force whose lines the file has lost.
func (p *planner) restored() (lines []string) {
	listed := map[string]bool{}
	for _, tag := range tagsOf(p.before) {
		listed[tag] = true
	}
	for _, it := range p.snapshot.Items {
		for _, e := range it.Entries {
			if e.Sealed && !listed[e.Tag()] {
				p.Restored = append(p.Restored, e.Tag())
				lines = append(lines, content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}.String())
			}
		}
	}
	return lines
}

// unsealed returns the seals of what was tagged by hand: what is served for these tags
// is fixed for good as it is.
func (p *planner) unsealed() (lines []string) {
	for _, it := range p.snapshot.Items {
		for _, e := range it.Entries {
			if !e.Draft && !e.Sealed && !p.ahead(e) && p.wanted(it.ID()) {
				p.Unsealed = append(p.Unsealed, e.Tag())
				lines = append(lines, content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}.String())
			}
		}
	}
	return lines
}

// left plans the tags that are still to be made for seals of the branch: after an
// interrupted publication, or after the merge of a pull request that carried them.
// What a pull request has prepared has to fit its files still.
func (p *planner) left(ctx context.Context) error {
	if p.Mode == Prepare {
		return p.prepared(ctx)
	}
	tagless := p.tagless()
	if len(tagless) == 0 {
		return nil
	}
	brought, err := p.r.blame(ctx, p.base, "--first-parent")
	if err != nil {
		return err
	}
	for _, e := range tagless {
		step, err := p.tagFor(ctx, e, brought[e.Tag()])
		if err != nil {
			return err
		}
		p.Steps = append(p.Steps, step)
	}
	return nil
}

// tagless lists the sealed publications whose tag is missing, or was left behind
// on a commit that a rebase replaced and nobody else has seen.
func (p *planner) tagless() []*content.Entry {
	var found []*content.Entry
	for _, it := range p.snapshot.Items {
		for _, e := range slices.Backward(it.Entries) {
			if e.Draft || !e.Sealed {
				continue
			}
			_, tagged := p.tags[e.Tag()]
			if tagged && (p.there == nil || p.there.tags[e.Tag()] || p.merged[e.Tag()]) {
				continue
			}
			found = append(found, e)
		}
	}
	return found
}

// tagFor plans the tag of a sealed publication: on the commit that brought its
// seal to the branch, if the content is there too, else on the one that has it.
func (p *planner) tagFor(ctx context.Context, e *content.Entry, sealed string) (Step, error) {
	file := e.Kind.File(e.Name)
	commit := e.Commit
	if sealed != "" {
		blob, found, err := p.r.resolve(ctx, sealed+":"+file)
		if err != nil {
			return Step{}, err
		}
		if found && blob == e.Blob {
			commit = sealed
		}
	}
	since := ""
	step := Step{Tag: e.Tag(), Why: "sealed, and not tagged yet", commit: commit}
	if e.Predecessor != nil {
		step.Old, since = e.Predecessor.Version, e.Predecessor.Commit
	}
	step.was = p.tags[e.Tag()].oid
	var err error
	step.Message, err = p.withTrailers(ctx, change.Message(e.ChangeNote), e.Kind, since, commit, file)
	return step, err
}

// prepared makes sure that the seals of an earlier --prepare are good still: they
// fit the files, and nobody else has published the same version meanwhile. One that
// is not would be merged with the commit that wrote it and, if the branch is
// rebased, could be the first for its tag.
func (p *planner) prepared(ctx context.Context) error {
	served, err := p.servedSeals(ctx)
	if err != nil {
		return err
	}
	for line := range strings.Lines(p.before) {
		tag, _, _ := strings.Cut(line, " ")
		theirs, taken := served[tag]
		var problem string
		switch {
		case theirs == line:
			continue
		case taken:
			problem = tag + " was published by somebody else meanwhile"
		case p.stale(tag):
			problem = "the seal of " + tag + " does not fit its file any more"
		default:
			continue
		}
		wrote, err := p.r.blame(ctx, p.base)
		if err != nil {
			return err
		}
		commit := wrote[tag]
		return fmt.Errorf("%s: take the commit that prepared it out, bring the branch up to date, and prepare again:\n\tgit rebase --onto %[2]s~1 %[2]s", problem, commit[:min(len(commit), 12)])
	}
	return nil
}

// stale says whether what a tag seals is not what its file says, and nothing was
// tagged yet.
func (p *planner) stale(tag string) bool {
	t, err := content.ParseTag(tag)
	if _, tagged := p.tags[tag]; tagged || err != nil || t.Kind == nil {
		return false // published; somebody else's; or a finding
	}
	it := p.snapshot.Item(t.Kind, t.Name)
	return it == nil || change.DraftOf(it) != nil
}

// servedSeals returns the lines of rulestore.sum on the served branch, by tag, as
// far as this clone knows it.
func (p *planner) servedSeals(ctx context.Context) (map[string]string, error) {
	refs := []string{"refs/heads/" + p.target}
	if p.Remote != "" {
		refs = append(refs, "refs/remotes/"+p.Remote+"/"+p.target)
	}
	lines := map[string]string{}
	for _, ref := range refs {
		commit, found, err := p.r.resolve(ctx, ref)
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		text, err := p.r.show(ctx, commit, content.SealsFile)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(text) {
			tag, _, _ := strings.Cut(line, " ")
			lines[tag] = line
		}
	}
	return lines, nil
}

// blame says for each sealed tag which commit brought its line.
func (r *Repository) blame(ctx context.Context, commit string, options ...string) (map[string]string, error) {
	args := slices.Concat([]string{"blame", "--porcelain"}, options, []string{commit, "--", content.SealsFile})
	out, err := r.git(ctx, args...)
	if err != nil {
		return nil, err
	}
	by, current := map[string]string{}, ""
	for line := range strings.Lines(out) {
		if text, ok := strings.CutPrefix(line, "\t"); ok {
			tag, _, _ := strings.Cut(text, " ")
			by[tag] = current
			continue
		}
		if id, _, _ := strings.Cut(line, " "); len(id) == 40 && strings.Trim(id, "0123456789abcdef") == "" {
			current = id
		}
	}
	return by, nil
}
