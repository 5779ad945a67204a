package loader

import (
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/loader/git"
)

// reviewServed adds the findings that only the snapshot shows, and completes the report. It
// returns the log.
func (b *build) reviewServed(
	s *content.Snapshot, publications []*content.Publication, marks []content.Mark,
) (logged LogResult, err error) {
	if err := crash.Do(func() {
		b.reviewHead(publications, marks)
		b.reviewMarks(s, marks)
		b.reviewReferences(s)
		b.reviewDates(s)
	}); err != nil {
		b.report.Add(b.crashFinding("", "reviewing what is served", err))
	}
	if err := b.reviewBehind(s); err != nil {
		return logged, err
	}
	if logged, err = b.completeLog(); err != nil {
		return logged, err
	}
	b.addOrigins()
	b.locatePaths()
	b.report.Sort()
	b.report.Limit()
	return logged, nil
}

// reviewDates reports overdue reviews of items that, unlike guidelines and parameters, stay
// current.
func (b *build) reviewDates(s *content.Snapshot) {
	for _, it := range s.Items {
		if it.Current == nil || it.Kind.Expires {
			continue
		}
		if after := it.Current.RecheckAfter(); after != "" && after < b.today {
			f := warning(it.Kind.File(it.Name), say("overdue", "current", args{"after": after}))
			b.report.Add(about(it.Current.Tag(), f))
		}
	}
}

// reviewHead reports published files that are missing at the head, and files that no tag can
// ever publish.
func (b *build) reviewHead(publications []*content.Publication, marks []content.Mark) {
	present, paths := map[string]bool{}, []string(nil)
	for _, f := range b.history.Paths(b.refs.Commit) {
		present[content.PlainPath(f.Path)] = true
		if unopened(f.Mode) {
			b.report.Add(b.unreadSince(f))
			continue
		}
		paths = append(paths, f.Path)
		b.report.Add(misplacedEntry(f)...)
	}
	b.report.Add(inTwoPlaces(paths)...)
	missing := map[string]bool{}
	for i, p := range publications {
		if q := publications[max(i-1, 0)]; i > 0 && p.Kind == q.Kind && p.Name == q.Name && p.Draft == q.Draft {
			continue // of twenty thousand publications, most are of the item of the one before
		}
		path := p.Kind.File(p.Name)
		if p.Draft || present[path] || missing[path] || takenAway(marks, p.Item()) {
			continue
		}
		if _, unread := b.unreadFolderOf(b.refs.Commit, path); unread {
			continue // unknown
		}
		missing[path] = true
		b.report.Add(removed(path))
	}
}

// takenAway reports whether a mark withdraws an item as a whole, so that its file may be
// missing.
func takenAway(marks []content.Mark, item string) bool {
	return slices.ContainsFunc(marks, func(m content.Mark) bool {
		return m.Item == item && m.Version == "" && (m.Status == content.Archived || m.Status == content.Redacted)
	})
}

// removed is the finding about a published file that was removed.
func removed(path string) content.Finding { return warning(path, say("removed", "file", nil)) }

// unreadSince is the finding about a folder that cannot be read at the head.
func (b *build) unreadSince(f git.File) content.Finding {
	path := f.Path
	if f.Mode == git.Unreadable {
		return tornFolder(path, f.OID)
	}
	if strings.Count(path, "/") >= git.MaxDepth {
		return unreadFolder(path)
	}
	at, _ := b.history.At(b.refs.Commit, path)
	since := at.Changed.OID.String()[:12]
	if path == "" {
		return bomb(path, say("size", "commit", args{"commit": since, "most": maxNames}))
	}
	return bomb(path, say("size", "since", args{"commit": since, "most": maxNames}))
}

// unreadFolderOf returns the folder of a file that cannot be read at a commit; the root is "".
func (b *build) unreadFolderOf(commit git.OID, path string) (folder string, ok bool) {
	path = b.history.Where(commit, path)
	for i := range len(path) {
		if i > 0 && path[i] != '/' {
			continue
		}
		if v, exists := b.history.At(commit, path[:i]); exists && unopened(v.Mode) {
			return path[:i], true
		}
	}
	return "", false
}

// misplaced returns the reason why no tag can publish what is at a path.
func misplaced(path string) []content.Finding {
	folder, rest, nested := strings.Cut(path, "/")
	_, ok := itemAt(path)
	switch {
	case path == singleFile:
		return []content.Finding{atStart(finding(path, say("seal-place", "single", nil)))}
	case folder == content.CasesFolder && strings.HasSuffix(rest, ".yml"):
		return []content.Finding{warning(path, say("name", "yml", nil))}
	case content.KindOf(folder) == nil || ok:
		return nil
	case !nested:
		return []content.Finding{finding(path, say("folder", "file", nil))}
	case strings.HasSuffix(rest, ".yml"):
		return []content.Finding{atStart(finding(path, say("name", "yml", nil)))}
	}
	s := say("name", "name", nil)
	for part := range strings.SplitSeq(strings.TrimSuffix(path, ".yaml"), "/") {
		spelled := check.Latin(part) // a Russian word is not to be mended letter by letter
		if nth, foreign := check.Foreign(part); nth > 0 && !strings.ContainsFunc(spelled, isForeign) {
			s = s.Advise(foreign)
			break
		}
	}
	return []content.Finding{atStart(finding(path, s))}
}

func isForeign(c rune) bool { return c >= utf8.RuneSelf }

// atStart puts a finding about a name where editors and programs show it.
func atStart(f content.Finding) content.Finding {
	f.Line, f.Column = 1, 1
	return f
}

// reviewMarks reports marks without an effect.
func (b *build) reviewMarks(s *content.Snapshot, marks []content.Mark) {
	var found []content.Finding
	for _, m := range marks {
		found = append(found, whyIneffective(s, m)...)
	}
	b.report.Add(check.Capped(found)...)
}

// itemOf returns an item by folder and name, nil if there is none, or no such kind.
func itemOf(s *content.Snapshot, item string) *content.Item {
	folder, name, _ := strings.Cut(item, "/")
	kind := content.KindOf(folder)
	if kind == nil {
		return nil
	}
	return s.Item(kind, name)
}

// whyIneffective returns the reason why a mark has no effect.
func whyIneffective(s *content.Snapshot, m content.Mark) []content.Finding {
	item := itemOf(s, m.Item)
	hasVersion := item != nil && (m.Version == "" || slices.ContainsFunc(
		item.Entries, func(e *content.Entry) bool { return e.Version.String() == m.Version },
	))
	var says content.RuleText
	switch {
	case m.Status == content.Void && hasVersion:
		says = say("mark", "void", args{"version": m.Version, "item": m.Item})
	case m.Status == content.Void && s.IsSpent(m.Item, m.Version):
		return nil
	case m.Status == "overridden": // of format 1.2, for stores that served several repositories
		says = say("mark", "overridden", args{"item": m.Item})
	case item == nil:
		says = say("mark", "unserved", args{"status": m.Status, "item": m.Item})
	case !hasVersion:
		says = say("mark", "version", args{"status": m.Status, "version": m.Version, "item": m.Item})
	case m.Status == content.ReviewRequired && !item.Kind.Expires:
		says = say("mark", "review", args{"item": m.Item})
	default:
		return nil
	}
	return []content.Finding{warning(content.LifecycleFile, says)}
}

// reviewReferences checks the references among current versions again: marks may have withdrawn
// their targets.
func (b *build) reviewReferences(s *content.Snapshot) {
	for _, it := range s.Items {
		if it.Current == nil {
			continue
		}
		for _, r := range it.Current.References() {
			folder, name, _ := strings.Cut(r.Item, "/")
			to := s.Item(content.KindOf(folder), name)
			s := say("reference", "unserved", args{"item": r.Item})
			if to != nil && to.Current != nil {
				if to.Current.Status != content.Archived {
					continue
				}
				s = say("reference", "archived", args{"item": r.Item})
			}
			f := warning(it.Kind.File(it.Name), s)
			f.Tag, f.Line, f.Column = it.Current.Tag(), r.Line, r.Column
			b.report.Add(f)
		}
	}
}
