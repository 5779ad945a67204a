package loader

import (
	"slices"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

// idVersions returns, of the versions of one item at the beginning of a list, the one that
// determines the item's id permanently: the one whose seal came first, so that no later
// publication, for instance of a lower version, can remove a sealed one; without seals, the
// lowest stable one. If the first seal is ambiguous, the tagged ones determine the id, or all
// if none has a tag. If the id is the name, none is needed.
func (b *build) idVersions(all []*resolved) []*resolved {
	if all[0].Kind.NameIsID {
		return nil
	}
	var lowest, sealed []*resolved
	for _, r := range all {
		if r.outcome != all[0].outcome {
			break
		}
		if r.seal != nil {
			sealed = append(sealed, r)
		}
		if lowest == nil && r.Version.Prerelease() == "" {
			lowest = []*resolved{r}
		}
	}
	if len(sealed) == 0 {
		return lowest
	}
	return b.sealedFirst(sealed)
}

// sealedFirst returns the publications whose seals came first; one of them if all have the same
// id.
func (b *build) sealedFirst(all []*resolved) []*resolved {
	id := all[0].file.parsed().id
	if !slices.ContainsFunc(all, func(r *resolved) bool { return r.file.parsed().id != id }) {
		return all[:1]
	}
	all[0].outcome.final = false // what came first may show later
	var lines []*sealLine
	byLine := map[*sealLine]*resolved{}
	for _, r := range all {
		l := b.seals.of(r.name).line(*r.seal)
		lines, byLine[l] = append(lines, l), r
	}
	var first []*resolved
	for _, l := range b.first(lines) {
		first = append(first, byLine[l])
	}
	if tagged := slices.DeleteFunc(slices.Clone(first), func(r *resolved) bool {
		return !r.matchesTag || !b.tagCounts(r.claim)
	}); len(tagged) > 0 {
		return tagged
	}
	return first
}

// checkID reports whether a publication has the id of its item, and refuses it if not.
func (r *resolved) checkID(named []*resolved) bool {
	for _, n := range named { // none, if the text is left for later
		if is, was := r.file.parsed().id, n.file.parsed().id; was != is {
			r.refuse(otherID(r.Kind, r.Name, is, was, n.Version))
			return false
		}
	}
	return true
}

// otherID is the finding about an id that differs from that in another version.
func otherID(k *content.Kind, name string, is, was string, other *semver.Version) content.Finding {
	return finding(k.File(name), say("id", "changed", args{"field": k.ID, "is": is, "was": was, "version": other}))
}
