package site

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/server/api"
	"rulestore/server/page"
)

// waiting is a version of an item that is not served: refused, held or upcoming.
type waiting struct {
	content.Tag
	name     string // of the tag
	refused  bool
	upcoming *content.Publication // set if it waits only for its day
	origin   content.Origin
	causes   []content.Finding
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
	add(r.Refused, true)
	add(r.Held, false)
	for _, p := range s.Upcoming {
		if w := byTag[p.Tag()]; w != nil {
			w.upcoming = p
		}
	}
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

// waitingHash hashes the versions that are not served.
func waitingHash(all waitingVersions) uint64 {
	if len(all.shown) == 0 {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(seed)
	maphash.WriteComparable(&h, all.left)
	for _, w := range all.shown {
		maphash.WriteComparable(&h, w.name)
		maphash.WriteComparable(&h, w.refused)
		maphash.WriteComparable(&h, w.upcoming)
		maphash.WriteComparable(&h, w.origin.Commit)
		for _, f := range w.causes {
			maphash.WriteComparable(&h, f)
		}
	}
	return h.Sum64()
}

// Waiting returns the versions of an item, folder and name, that are not served, for its pages.
func (s *Site) Waiting(item string) page.Waiting {
	return waitingPage(s.frame, s.Snapshot, s.waiting[item])
}

func waitingPage(frame *page.Frame, s *content.Snapshot, all waitingVersions) (p page.Waiting) {
	p.Left = all.left
	for _, w := range all.shown {
		p.Versions = append(p.Versions, w.page(frame, s))
	}
	if len(all.shown) > 0 {
		p.Health = frame.Root + api.HealthPath
	}
	return p
}

func (w *waiting) page(frame *page.Frame, s *content.Snapshot) page.WaitingVersion {
	v := page.WaitingVersion{Version: content.VersionText(w.Version), Since: w.origin.Committed}
	switch {
	case w.upcoming != nil:
		from := s.Begin(s.DayOf(w.upcoming.PublishedAt))
		v.Status = page.Status{Code: "upcoming", Title: "предстоит"}
		v.About = "Опубликована заранее и начнёт действовать в свой день."
		v.From, v.Note, v.Href = from, w.upcoming.ChangeNote, frame.Root+api.UpcomingPath
		return v
	case w.refused:
		v.Status = page.Status{Code: "refused", Title: "отклонена"}
		v.About = "Эта версия не отдаётся: с ней что-то не так. Действует то, что опубликовано раньше."
	default:
		v.Status = page.Status{Code: "held", Title: "ждёт"}
		v.About = "Эта версия появится сама, когда будет то, чего она ждёт."
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
