package loader

import (
	"fmt"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

// naming finds, of the versions that a list begins with and that are of one item, the
// one whose id is the item's for good: that whose seal came first, so that no later
// publication, of a lower version for instance, takes a sealed one away; without
// seals, the lowest stable one. nil if its text is left for later: the next load says.
func (b *build) naming(all []*resolved) (first *resolved) {
	byTag := map[string]*resolved{}
	for _, r := range all {
		if r.of != all[0].of {
			break
		}
		byTag[r.name] = r
		if first == nil && r.Version.Prerelease() == "" {
			first = r
		}
	}
	for _, s := range all[0].of.seals {
		if r := byTag[s.Tag]; r != nil {
			first = r
			break
		}
	}
	if first == nil || first.later != nil {
		return nil
	}
	return first
}

// sameID refuses a publication that gives its item another id than the one that named
// it, if that is known.
func (r *resolved) sameID(named *resolved) bool {
	if named == nil || r.later != nil {
		return true
	}
	was, is := named.file.open().id, r.file.open().id
	if was != is {
		r.refuse(otherID(r.Kind, r.Name, is, was, named.Version))
	}
	return was == is
}

// otherID is the finding about an id that is not what it is in another version.
func otherID(k *content.Kind, name string, is, was string, other *semver.Version) content.Finding {
	return finding(k.File(name), "id", fmt.Sprintf("the %s is %q and was %q in version %s", k.ID, is, was, other),
		"an id never changes: restore it, or publish another item")
}
