package loader

import (
	"slices"
	"time"

	"rulestore/content"
)

// held is what becomes of the publications.
type held struct {
	served, waiting, early []*content.Publication
	why                    map[*content.Publication]content.Reference // that of those waiting which is not satisfied
}

// hold sorts out the publications that cannot be served yet: those with unsatisfied references wait, those with a
// date in the future are early. Drafts and prereleases are served with drafts only: stage 6.
func (p *published) hold(drafts bool, ahead func(time.Time) bool) (h held) {
	missing := slices.Clip(p.lost)
	ready := make([]*content.Publication, 0, len(p.publications))
	for _, p := range p.publications {
		isDraft := p.Draft || p.Version.Prerelease() != ""
		switch {
		case isDraft && !drafts:
		case !isDraft && ahead(p.PublishedAt):
			h.early = append(h.early, p)
			missing = append(missing, content.Intent{Item: p.Item(), Commit: p.Commit})
		default:
			ready = append(ready, p)
		}
	}
	h.why = content.Hold(ready, missing)
	h.served = ready[:0]
	for _, p := range ready {
		if _, waits := h.why[p]; waits {
			h.waiting = append(h.waiting, p)
		} else {
			h.served = append(h.served, p)
		}
	}
	return h
}

// planned is the finding about a publication whose day has not come. A seal fixes the day: then it is meant.
func planned(p *content.Publication) content.Finding {
	f := future(p.PublishedAt)
	if p.Sealed {
		f.Severity = content.Note
	}
	return f
}

// future is the finding about a date in the future.
func future(date time.Time) content.Finding {
	return warning("", say("future", "date", args{"date": date.Format(time.RFC3339)}))
}
