package author

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git"
)

// farFuture is after all publications in advance. Readers do not get these yet, but their versions
// are used already.
func farFuture() time.Time { return time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC) }

// load reads the branch as the service would, with drafts and without.
func (p *planner) load(ctx context.Context) error {
	l := p.Loader
	if l == nil {
		l = loader.New(loader.Config{
			Source: p.r.Source(), Schemas: p.Schemas, Cache: p.Cache, Rewritable: p.rewritable,
			Filters: true, Environ: p.r.environ,
		})
	}
	p.sealedOn = l.SealedOn
	l.Branch, l.Drafts, l.Now = p.Branch, true, farFuture
	result, err := l.LoadToPlan(ctx)
	if err != nil {
		return err
	}
	p.snapshot, p.report = result.Snapshot, result.Report
	l.Drafts = false
	result, err = l.LoadToPlan(ctx)
	if err != nil && !errors.Is(err, loader.ErrNothingPublished) {
		return err
	}
	p.public = result.Snapshot
	return p.named()
}

// named resolves the names given by the author to folders and names.
func (p *planner) named() (err error) {
	items, asks := make([]string, len(p.Items)), map[string]change.Ask{}
	for i, name := range p.Items {
		if items[i], err = p.name(name); err != nil {
			return err
		}
	}
	p.Items = items
	for _, name := range slices.Sorted(maps.Keys(p.Ask)) {
		item, err := p.name(name)
		if err != nil {
			return err
		}
		if !p.wanted(item) {
			return i18n.Errorf("--bump %s: the item is not among those to publish", name)
		}
		if asks[item], err = combined(asks[item], p.Ask[name]); err != nil {
			return i18n.Errorf("%s: %w", item, err)
		}
	}
	p.Ask = asks
	return nil
}

// combined combines the requests for one item under two names.
func combined(a, b change.Ask) (change.Ask, error) {
	joined := change.Ask{Bump: cmp.Or(a.Bump, b.Bump), Version: cmp.Or(a.Version, b.Version)}
	if joined.Bump != "" && joined.Version != nil || a.Bump != "" && b.Bump != "" || a.Version != nil &&
		b.Version != nil {
		return joined, i18n.Errorf("a version is asked for twice, by itself or as a step: give one")
	}
	return joined, nil
}

// name returns an item's folder and name. A draft that cannot be parsed is in no snapshot.
func (p *planner) name(item string) (string, error) {
	it, err := Find(p.snapshot, item)
	if err == nil {
		return it.ID(), nil
	}
	if draft, _ := LeftOut(p.report, item); draft != "" {
		return draft, nil
	}
	return "", err
}

// ErrFindings is the error for a plan that is refused because of findings in the content.
var ErrFindings = i18n.Errorf("there is something to mend first")

// review refuses to publish with findings: those of validate about what is to be published and
// about files that concern everything, and those of a load. A missing seal is no obstacle, as it
// is written again. Tags for existing seals are created all the same.
func (p *planner) review(context.Context) error {
	found, err := p.reviewTree()
	if err != nil {
		return err
	}
	for _, f := range p.report.Findings {
		said := slices.ContainsFunc(found, func(g content.Finding) bool { return g.Path == f.Path })
		if f.Severity == content.Error &&
			(p.concerns(f) && !said || content.HoldsSeals(f.Path) && f.Rule != "seal-missing") {
			found = append(found, f)
		}
	}
	if len(found) == 0 || p.Mode == Tag {
		for _, f := range found {
			p.Warnings = append(p.Warnings, i18n.New("%v", f))
		}
		return nil
	}
	lines := make([]any, len(found))
	for i, f := range found {
		lines[i] = f
	}
	return p.refuse(i18n.Errorf("%w:\n\t%s", ErrFindings, i18n.Join("\n\t", lines...)))
}

// concerns reports whether a finding of the load is about a draft to publish.
func (p *planner) concerns(f content.Finding) bool {
	t, err := content.ParseTag(f.Tag)
	return err == nil && loader.IsDraft(f.Tag) && p.wanted(t.Item())
}

// reviewTree returns the errors of validate in the commit at the head that concern what is to be
// published.
func (p *planner) reviewTree() ([]content.Finding, error) {
	if p.Mode == Tag {
		return nil, nil
	}
	tree, err := readAt(p.r, p.base, func(repo *git.Repo, head git.OID) (*loader.Tree, error) {
		return loader.ReadCommit(loader.Config{Schemas: p.Schemas, Cache: p.Cache}, repo, head)
	})
	if err != nil {
		return nil, err
	}
	if p.public != nil {
		tree.Against(p.public)
	}
	tree.Today = p.snapshot.DayOf(p.now)
	tree.Review(p.Schemas)
	var found []content.Finding
	drafts := p.drafts()
	for _, f := range tree.Findings {
		root := f.Path == content.SettingsFile || f.Path == content.LifecycleFile
		if f.Severity == content.Error && (root || drafts[f.Path]) {
			found = append(found, f)
		}
	}
	return found, nil
}

// drafts lists the files to be published, including those that cannot be parsed.
func (p *planner) drafts() map[string]bool {
	files := map[string]bool{}
	for _, it := range p.snapshot.Items {
		if p.wanted(it.ID()) && (change.DraftOf(it) != nil || len(p.Items) > 0 && change.Candidate(it) != nil) {
			files[p.file(it.Kind, it.Name)] = true
		}
	}
	for _, f := range p.report.Findings {
		if p.concerns(f) {
			files[f.Path] = true
		}
	}
	return files
}
