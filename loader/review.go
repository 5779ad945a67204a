package loader

import (
	"fmt"
	"slices"
	"strings"

	"rulestore/content"
)

// hold leaves out what cannot be served yet: prereleases unless drafts are
// served, dates that have not come, and publications whose references nobody
// satisfies. What is left is served.
func (b *build) hold() []*content.Publication {
	var ready []*content.Publication
	var lost []content.Intent
	for _, p := range b.publications {
		switch {
		case p.Draft || b.Drafts && p.Version.Prerelease() != "":
			ready = append(ready, p)
		case p.Version.Prerelease() != "":
			continue
		case p.PublishedAt.UTC().Format(content.Date) > b.today:
			b.report.Hold(p.Tag(), future(p.PublishedAt))
			lost = append(lost, content.Intent{Item: p.Item(), Commit: p.Commit})
		default:
			ready = append(ready, p)
		}
	}
	resolved := map[string]bool{}
	for _, p := range b.publications {
		resolved[p.Tag()] = true
	}
	for _, c := range b.claims {
		if !resolved[c.name] {
			lost = append(lost, content.Intent{Item: c.Kind.Folder + "/" + c.Name, Commit: c.tag.Commit.String()})
		}
	}
	held := content.Hold(ready, lost)
	return slices.DeleteFunc(ready, func(p *content.Publication) bool {
		r, isHeld := held[p]
		if isHeld {
			b.report.Hold(p.Tag(), unsatisfied(p, r))
		}
		return isHeld
	})
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
		b.reviewPath(f.Path)
	}
	missing := map[string]bool{}
	for _, p := range b.publications {
		path := p.Kind.File(p.Name)
		if p.Draft || present[path] || missing[path] || takenAway(marks, p.Item()) {
			continue
		}
		missing[path] = true
		b.report.Add(removed(path))
	}
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

func (b *build) reviewPath(path string) { b.report.Add(misplaced(path)...) }

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
	return []content.Finding{warning(path, "name", "the file cannot be published under this name", "use lower-case letters, digits, dots, hyphens and underscores")}
}

// reviewMarks finds marks that mark nothing.
func (b *build) reviewMarks(s *content.Snapshot, marks []content.Mark) {
	for _, m := range marks {
		b.report.Add(judgeMark(s, m)...)
	}
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
		for _, r := range it.Current.References {
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
