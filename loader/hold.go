package loader

import (
	"slices"
	"time"

	"rulestore/content"
)

// candidates are the publications that can be served, unless they have to be held, and what is
// known to be lacking.
type candidates struct {
	publications []*content.Publication
	lost         []content.Intent // publications that were refused
}

// lost lists the publications that were refused.
func lost(outcomes []*outcome) (lost []content.Intent) {
	for _, o := range outcomes {
		lost = append(lost, o.lost...)
	}
	return lost
}

// held is what becomes of the candidates.
type held struct {
	served, waiting, early []*content.Publication
	why                    map[*content.Publication]content.Reference // that of those waiting which is not satisfied
}

// hold sorts out the publications that cannot be served yet: those with unsatisfied references wait, those with a
// date in the future are early. Drafts and prereleases are served with drafts only.
func (all candidates) hold(drafts bool, ahead func(time.Time) bool) (h held) {
	missing := slices.Clip(all.lost)
	ready := make([]*content.Publication, 0, len(all.publications))
	for _, p := range all.publications {
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

// reportHeld reports what is not served yet, with the reasons.
func (b *build) reportHeld(h held) {
	for _, p := range h.early {
		b.report.Hold(p.Tag(), future(p.PublishedAt))
	}
	for _, p := range h.waiting {
		r := h.why[p]
		f := finding(p.Kind.File(p.Name), say("reference", "unpublished", args{"item": r.Item}))
		f.Line, f.Column = r.Line, r.Column
		b.report.Hold(p.Tag(), f)
	}
}

// future is the finding about a date in the future.
func future(date time.Time) content.Finding {
	return warning("", say("future", "date", args{"date": date.Format(time.RFC3339)}))
}
