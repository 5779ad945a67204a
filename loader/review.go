package loader

import (
	"fmt"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/gitrepo"
)

// hold leaves out what cannot be served yet: prereleases unless drafts are
// served, dates that have not come, and publications whose references nobody
// satisfies. What is left is served.
func (b *build) hold() []*content.Publication {
	ready, early := b.ready(b.Drafts)
	for _, p := range early {
		b.report.Hold(p.Tag(), future(p.PublishedAt))
	}
	return b.without(ready, early, func(p *content.Publication, r content.Reference) { b.report.Hold(p.Tag(), unsatisfied(p, r)) })
}

// published lists what would be served without drafts.
func (b *build) published() []*content.Publication {
	ready, early := b.ready(false)
	return b.without(ready, early, func(*content.Publication, content.Reference) {})
}

// ready lists what can be served if what it refers to is, and that whose date has
// not come.
func (b *build) ready(drafts bool) (ready, early []*content.Publication) {
	ready = make([]*content.Publication, 0, len(b.publications))
	for _, p := range b.publications {
		switch {
		case !drafts && (p.Draft || p.Version.Prerelease() != ""):
		case p.Draft || p.Version.Prerelease() != "":
			ready = append(ready, p)
		case b.ahead(p.PublishedAt):
			early = append(early, p)
		default:
			ready = append(ready, p)
		}
	}
	return ready, early
}

// without leaves out what refers to what is not served, and says so of each.
func (b *build) without(ready, early []*content.Publication, holding func(*content.Publication, content.Reference)) []*content.Publication {
	held := content.Hold(ready, b.lost(early))
	return slices.DeleteFunc(ready, func(p *content.Publication) bool {
		r, isHeld := held[p]
		if isHeld {
			holding(p, r)
		}
		return isHeld
	})
}

// lost lists what was to be published and is not: too early, or refused.
func (b *build) lost(early []*content.Publication) (lost []content.Intent) {
	for _, p := range early {
		lost = append(lost, content.Intent{Item: p.Item(), Commit: p.Commit})
	}
	for _, o := range b.outcomes {
		lost = append(lost, o.lost...)
	}
	return lost
}

func unsatisfied(p *content.Publication, r content.Reference) content.Finding {
	f := finding(p.Kind.File(p.Name), "reference", fmt.Sprintf("it refers to %s, of which no publication is served", r.Item), "publish "+r.Item+", or correct the reference")
	f.Line, f.Column = r.Line, r.Column
	return f
}

// review looks at what is served as a whole.
func (b *build) review(s *content.Snapshot, marks []content.Mark) {
	b.reviewHead(marks)
	b.reviewMarks(s, marks)
	b.reviewReferences(s)
	b.reviewDates(s)
}

// reviewDates finds what should have been looked at again and, unlike a
// guideline or parameter, stays current all the same.
func (b *build) reviewDates(s *content.Snapshot) {
	for _, it := range s.Items {
		if it.Current == nil || it.Kind.Expires {
			continue
		}
		if after := it.Current.RecheckAfter(); after != "" && after < b.today {
			f := warning(it.Kind.File(it.Name), "overdue", "it was to be checked again after "+after+"; it stays current", "check it, and publish a version with a later date")
			f.Tag = it.Current.Tag()
			b.report.Add(f)
		}
	}
}

// reviewHead finds published files that the head has lost, and files that no
// tag can ever publish.
func (b *build) reviewHead(marks []content.Mark) {
	present := map[string]bool{}
	for _, f := range b.history.Paths(b.refs.Commit) {
		present[f.Path] = true
		if unopened(f.Mode) {
			b.report.Add(b.unreadSince(f))
			continue
		}
		b.report.Add(misplaced(f.Path)...)
	}
	missing := map[string]bool{}
	for i, p := range b.publications {
		if i > 0 && sameItem(p, b.publications[i-1]) {
			continue // of twenty thousand publications, most are of the item of the one before
		}
		path := p.Kind.File(p.Name)
		if p.Draft || present[path] || missing[path] || takenAway(marks, p.Item()) {
			continue
		}
		if _, unread := b.unread(b.refs.Commit, path); unread {
			continue // who knows
		}
		missing[path] = true
		b.report.Add(removed(path))
	}
}

func sameItem(p, q *content.Publication) bool {
	return p.Kind == q.Kind && p.Name == q.Name && p.Draft == q.Draft
}

// takenAway says whether a mark takes an item as a whole away, so that nobody
// misses its file.
func takenAway(marks []content.Mark, item string) bool {
	return slices.ContainsFunc(marks, func(m content.Mark) bool {
		return m.Item == item && m.Version == "" && (m.Status == content.Archived || m.Status == content.Redacted)
	})
}

// removed is the finding about a published file that is gone.
func removed(path string) content.Finding {
	return warning(path, "removed", "the file is published and missing at the head of the branch; it goes on being served", "restore it, or archive the item with a mark in lifecycle.yaml")
}

// unreadSince is the finding about a folder that is not read at the head.
func (b *build) unreadSince(f gitrepo.File) content.Finding {
	path := f.Path
	if f.Mode == gitrepo.Unreadable {
		return tornFolder(path, f.OID)
	}
	at, _ := b.history.At(b.refs.Commit, path)
	since := at.Changed.OID.String()[:12]
	if path == "" {
		return bomb(path, fmt.Sprintf("nothing of commit %s is read:", since))
	}
	return bomb(path, fmt.Sprintf("the folder is not read since commit %s: it and", since))
}

// unread finds the folder that a file is in and that is not read at a commit; the
// root is "".
func (b *build) unread(commit gitrepo.OID, path string) (folder string, ok bool) {
	for i := range len(path) {
		if i > 0 && path[i] != '/' {
			continue
		}
		if v, there := b.history.At(commit, path[:i]); there && unopened(v.Mode) {
			return path[:i], true
		}
	}
	return "", false
}

// misplaced says why no tag can publish what is at a path.
func misplaced(path string) []content.Finding {
	folder, rest, nested := strings.Cut(path, "/")
	_, ok := itemFile(path)
	switch {
	case content.KindOf(folder) == nil || ok:
		return nil
	case !nested:
		return []content.Finding{finding(path, "folder", "this must be a folder", "commit a folder with the files themselves")}
	case strings.HasSuffix(rest, ".yml"):
		return []content.Finding{warning(path, "name", "the file is not read: its name ends in .yml", "rename it to .yaml")}
	}
	hint := "use lower-case letters, digits, dots, hyphens and underscores"
	if _, foreign := check.Foreign(path); foreign != "" {
		hint = foreign
	}
	return []content.Finding{warning(path, "name", "the file cannot be published under this name", hint)}
}

// reviewMarks finds marks that mark nothing.
func (b *build) reviewMarks(s *content.Snapshot, marks []content.Mark) {
	var found []content.Finding
	for _, m := range marks {
		found = append(found, judgeMark(s, m)...)
	}
	b.report.Add(check.Capped(found)...)
}

// itemOf returns an item by folder and name, nil if there is none, not even a kind.
func itemOf(s *content.Snapshot, item string) *content.Item {
	folder, name, _ := strings.Cut(item, "/")
	kind := content.KindOf(folder)
	if kind == nil {
		return nil
	}
	return s.Item(kind, name)
}

// judgeMark says why a mark marks nothing that is served.
func judgeMark(s *content.Snapshot, m content.Mark) []content.Finding {
	item := itemOf(s, m.Item)
	hasVersion := item != nil && (m.Version == "" || slices.ContainsFunc(item.Entries, func(e *content.Entry) bool { return e.Version.String() == m.Version }))
	var message, hint string
	switch {
	case item == nil:
		message, hint = fmt.Sprintf("the mark %s is for %s, which is not served", m.Status, m.Item), "correct the item: folder and name, for example guidelines/product.common.001"
	case !hasVersion:
		message, hint = fmt.Sprintf("the mark %s is for version %s of %s, which is not served", m.Status, m.Version, m.Item), "correct the version"
	case m.Status == content.ReviewRequired && !item.Kind.Expires:
		message, hint = fmt.Sprintf("%s cannot be review_required: only guidelines and parameters can", m.Item), "remove the mark"
	default:
		return nil
	}
	return []content.Finding{warning(content.LifecycleFile, "mark", message, hint)}
}

// reviewReferences looks again at the references among current versions: a
// mark may have taken away what they name.
func (b *build) reviewReferences(s *content.Snapshot) {
	for _, it := range s.Items {
		if it.Current == nil {
			continue
		}
		for _, r := range it.Current.References() {
			folder, name, _ := strings.Cut(r.Item, "/")
			to := s.Item(content.KindOf(folder), name)
			problem := "it refers to %s, which is not served"
			if to != nil && to.Current != nil {
				if to.Current.Status != content.Archived {
					continue
				}
				problem = "it refers to %s, which is archived"
			}
			f := warning(it.Kind.File(it.Name), "reference", fmt.Sprintf(problem, r.Item), "publish a version without the reference")
			f.Tag, f.Line, f.Column = it.Current.Tag(), r.Line, r.Column
			b.report.Add(f)
		}
	}
}
