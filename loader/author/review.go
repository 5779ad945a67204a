package author

import (
	"cmp"
	"maps"
	"slices"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
)

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
		ask, before := p.Ask[name], asks[item]
		if ask.Bump != "" && ask.Version != nil || ask != (change.Ask{}) && before != (change.Ask{}) {
			err = i18n.Errorf("a version is asked for twice, by itself or as a step: give one")
			return i18n.Errorf("%s: %w", item, err)
		}
		asks[item] = cmp.Or(ask, before)
	}
	p.Ask = asks
	return nil
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
// about files that concern everything, and those of a load. Tags for existing seals are created all
// the same.
func (p *planner) review() {
	var found []content.Finding
	drafts := p.drafts()
	for _, f := range p.found {
		root := f.Path == content.SettingsFile || f.Path == content.LifecycleFile
		if f.Severity == content.Error && (root || drafts[f.Path]) {
			found = append(found, f)
		}
	}
	for _, f := range p.report.Findings {
		said := slices.ContainsFunc(found, func(g content.Finding) bool { return g.Path == f.Path })
		if f.Severity == content.Error &&
			(p.concerns(f) && !said || p.spoils(f)) {
			found = append(found, f)
		}
	}
	lines := make([]any, len(found))
	for i, f := range found {
		if lines[i] = f; p.Mode == Tag {
			p.warn(i18n.New("%v", f))
		}
	}
	if len(found) == 0 || p.Mode == Tag {
		return
	}
	err := i18n.Errorf("%w:\n\t%s", ErrFindings, i18n.Join("\n\t", lines...))
	if len(p.Items) == 0 && p.leaveOut(found) {
		p.leftOut = err
		return
	}
	p.obstacle(err)
}

// leaveOut leaves out the items that have mistakes, so that what somebody has not finished keeps nobody from
// publishing the rest. What is wrong with other files concerns everything.
func (p *planner) leaveOut(found []content.Finding) bool {
	first := map[string]content.Finding{}
	for _, f := range found {
		item, ok := content.SealedItem(f.Path)
		if k, name, found := content.ItemAt(f.Path); found {
			item, ok = k.Folder+"/"+name, true
		}
		if !ok {
			return false
		}
		if first[item] == (content.Finding{}) {
			first[item] = f
		}
	}
	for _, item := range slices.Sorted(maps.Keys(first)) {
		p.unfinished[item] = true
		f := first[item]
		why := i18n.Errorf("%s has mistakes, `rulestore validate %s` shows them: %v", item, f.Path, f)
		if content.HoldsSeals(f.Path) {
			why = i18n.Errorf("%s has mistakes in its seals: %v", item, f)
		}
		p.Deferred = append(p.Deferred, DeferredItem{item, Obstacle{why}})
	}
	return true
}

// spoils reports whether a finding is about seals of what is to be published. A missing seal is no obstacle, as
// it is written again, and neither is a number that has seals of different content: the next version has another
// number.
func (p *planner) spoils(f content.Finding) bool {
	if !content.HoldsSeals(f.Path) || f.Rule == "seal-missing" || f.Rule == "seal-twice" {
		return false
	}
	item, ok := content.SealedItem(f.Path)
	return !ok || p.wanted(item)
}

// concerns reports whether a finding of the load is about a draft to publish.
func (p *planner) concerns(f content.Finding) bool {
	t, err := content.ParseTag(f.Tag)
	return err == nil && content.IsDraft(f.Tag) && p.wanted(t.Item())
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
