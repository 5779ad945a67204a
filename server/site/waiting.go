package site

import (
	"cmp"
	"fmt"
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/server/api"
	"rulestore/server/page"
)

// waiting is a version of an item that is not served: refused, held or upcoming.
type waiting struct {
	content.Tag
	name    string // of the tag
	refused bool
	origin  content.Origin
	causes  []content.Finding
}

const (
	// maxWaiting is the maximum number of them on a page, maxCauses that of findings of each.
	maxWaiting, maxCauses = 5, 3
	// maxWaitingItems is the number of items above which none is added that is not served.
	maxWaitingItems = 10_000
)

// waitingVersions are the versions of an item that are not served, highest first.
type waitingVersions struct {
	shown []*waiting
	left  int // the number of others
}

// readWaiting reads from a report the versions that are not served, by item.
func readWaiting(s *content.Snapshot, r *content.Report) map[string]waitingVersions {
	shown := map[string]waitingVersions{}
	if r == nil {
		return shown
	}
	all, byTag := map[string][]*waiting{}, map[string]*waiting{}
	add := func(tags []string, refused bool) {
		for _, name := range tags {
			t, err := content.ParseTag(name)
			if err != nil || t.Kind == nil {
				continue // not of an item
			}
			w := &waiting{Tag: t, name: name, refused: refused, origin: r.Origins[name]}
			item := t.Kind.Folder + "/" + t.Name
			if s.Item(t.Kind, t.Name) == nil && all[item] == nil && len(all) >= maxWaitingItems {
				continue
			}
			all[item], byTag[name] = append(all[item], w), w
		}
	}
	planned := map[string]bool{}
	for _, p := range s.Upcoming {
		planned[p.Tag()] = true
	}
	add(r.Refused, true)
	add(slices.DeleteFunc(slices.Clone(r.Held), func(tag string) bool { return planned[tag] }), false)
	for _, f := range r.Findings {
		if w := byTag[f.Tag]; w != nil && f.Severity == content.Error && len(w.causes) < maxCauses {
			w.causes = append(w.causes, f)
		}
	}
	for item, list := range all {
		slices.SortStableFunc(list, func(a, b *waiting) int { return b.Version.Compare(a.Version) })
		n := min(len(list), maxWaiting)
		shown[item] = waitingVersions{slices.Clone(list[:n]), len(list) - n}
	}
	return shown
}

// Waiting returns the versions of an item, folder and name, that are not served, for its pages. What waits
// for its day alone is planned, and said elsewhere.
func (s *Site) Waiting(item string) (p page.Waiting) {
	all := s.waiting[item]
	p.Left = all.left
	for _, w := range all.shown {
		p.Versions = append(p.Versions, w.page())
	}
	if len(all.shown) > 0 {
		p.Health = s.frame.Root + api.HealthPath
	}
	return p
}

func (w *waiting) page() page.WaitingVersion {
	v := page.WaitingVersion{Version: content.VersionText(w.Version), Since: w.origin.Committed}
	if w.refused {
		v.Status = page.Status{Code: "refused", Title: "отклонена"}
		v.About = "С ней что-то не так. Действует то, что опубликовано раньше."
	} else {
		v.Status = page.Status{Code: "held", Title: "ждёт"}
		v.About = "Появится сама, когда будет то, чего она ждёт."
	}
	for _, f := range w.causes {
		message, hint := check.Russian(f)
		v.Causes = append(v.Causes, page.Finding{Severity: string(f.Severity), Message: message, Hint: hint})
	}
	return v
}

// signed says who signed a version.
func signed(e *content.Entry) []page.Statement {
	if e.SignedBy == (content.Signature{}) {
		return nil
	}
	what := map[string]string{
		content.SignedTag: "тег публикации", content.SignedCommit: "коммит", content.SignedSeal: "коммит с печатью",
	}
	return []page.Statement{
		{
			Title: "Подписал",
			Value: fmt.Sprintf("%s — %s", e.SignedBy.Signer, cmp.Or(what[e.SignedBy.Object], e.SignedBy.Object)),
		},
		{Title: "Ключ", Value: e.SignedBy.Key, Code: true},
	}
}
