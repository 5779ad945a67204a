package follow

import (
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader"
	"rulestore/server"
)

// maxListed is the maximum number of lost publications that are listed.
const maxListed = 20

// NameState identifies a loaded state by its commit and tags.
func NameState(r loader.Loaded) string { return r.Refs[:min(len(r.Refs), 16)] }

// judge returns why a state must not replace another one without a confirmation; nil if it may: it loses more
// than so many publications, its branch was rewritten, what a tag or commit fixes has changed, or its log does not
// go on. Marks are no loss: an author made them, and readers are told.
func judge(served, next loader.Loaded, losses int) *server.HeldBack {
	if served.Snapshot == nil || losses < 0 || NameState(served) == NameState(next) {
		return nil
	}
	added, changed, removed := compare(served.Snapshot, next.Snapshot)
	lost := slices.Sorted(slices.Values(slices.Concat(changed, removed)))
	s := next.Snapshot
	h := &server.HeldBack{
		State: NameState(next), Commit: s.Commit, Branch: s.Branch, Since: time.Now().UTC().Truncate(time.Second),
		Rewritten: !next.Fixed && !next.Reaches(served.Snapshot.Commit),
		Moved:     next.Fixed && (s.Commit != served.Snapshot.Commit || len(added) > 0),
		Log:       !next.Log.Continues(served.Log),
		Losses:    len(lost), New: len(added), Lost: lost[:min(len(lost), maxListed)],
	}
	if len(lost) <= losses && !h.Rewritten && !h.Moved && !h.Log {
		return nil
	}
	return h
}

// compare lists the publications and releases that a snapshot has and another one has not, that have other
// content in it, and that it lacks.
func compare(old, next *content.Snapshot) (added, changed, removed []string) {
	before, after := sums(old, next), sums(next, old)
	for tag, sum := range after {
		switch was, ok := before[tag]; {
		case !ok:
			added = append(added, tag)
		case was != sum:
			changed = append(changed, tag)
		}
	}
	for tag := range before {
		if _, ok := after[tag]; !ok {
			removed = append(removed, tag)
		}
	}
	return added, changed, removed
}

// sums lists the checksums of what a snapshot has by tag, without items that are equal in another one and without
// drafts. Releases have none.
func sums(s, other *content.Snapshot) map[string]string {
	all := map[string]string{}
	for _, item := range s.Items {
		if other.Item(item.Kind, item.Name) == item {
			continue
		}
		for _, e := range item.Entries {
			if !e.Draft {
				all[e.Tag()] = e.Checksum
			}
		}
	}
	for _, p := range s.Products {
		all[p.Tag] = ""
	}
	return all
}

// whyHeld is why a state is held back.
func whyHeld(h *server.HeldBack) content.Finding {
	switch {
	case h.Moved:
		return check.Find(content.Say("held-back", "moved", content.Args{"state": h.State, "branch": h.Branch}))
	case h.Log && !h.Rewritten && h.Losses == 0:
		return check.Find(content.Say("held-back", "log", content.Args{"state": h.State}))
	case h.Losses == 0:
		return check.Find(content.Say("held-back", "rewritten", content.Args{
			"state": h.State, "branch": h.Branch, "head": content.ShortCommit(h.Commit),
		}))
	case h.Rewritten:
		return check.Find(content.Say("held-back", "both", content.Args{
			"state": h.State, "branch": h.Branch, "losses": h.Losses,
		}))
	}
	return check.Find(content.Say("held-back", "losses", content.Args{"state": h.State, "losses": h.Losses}))
}

// PinnedFinding says which tag or commit --ref pins.
func PinnedFinding(what string) content.Finding {
	return check.Find(content.Say("pinned", "pinned", content.Args{"to": what}))
}

// shortList lists some of the names.
func shortList(names []string) string {
	slices.Sort(names)
	if len(names) > maxListed {
		names = append(slices.Clone(names[:maxListed]), "…")
	}
	return strings.Join(names, " ")
}
