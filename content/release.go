package content

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
)

// Release is a version of the whole product: a root tag, v1.8.0.
type Release struct {
	Version *semver.Version
	Date    time.Time
	Commit  string
	Message Message
}

// Product returns the product version, x.y.
func (r *Release) Product() string { return productVersion(r.Version) }

func productVersion(v *semver.Version) string { return fmt.Sprintf("%d.%d", v.Major(), v.Minor()) }

// Change is an entry of the changelog: a release, of the product or of a
// module, or a new version of a guideline.
type Change struct {
	Date time.Time

	// A release. Version is empty for a guideline change.
	Version       string
	Product       string
	ModuleVersion string
	Type          string
	Scenario      string
	Title         string
	Changes       []string

	// A guideline change.
	Guideline   string
	Old         string // empty: the first publication
	New         string
	Summary     string
	Criticality string

	// Tag is the tag of the entry.
	Tag string
}

const (
	defaultType        = "feature"
	defaultCriticality = "significant"
)

// makeChangelog lists releases, module releases and guideline changes, newest
// first; of one instant, the higher version first. The entries of guidelines that
// are those of the snapshot before are taken over in their order.
func (s *Snapshot) makeChangelog(releases []*Release, before *Snapshot) {
	releases = slices.SortedFunc(slices.Values(releases), func(a, b *Release) int {
		return cmp.Or(b.Date.Compare(a.Date), b.Version.Compare(a.Version))
	})
	for _, r := range releases {
		s.Products = append(s.Products, productChange(r, s.Items))
	}
	kept := before.changesIn(s)
	fresh := slices.Clone(s.Products)
	for _, it := range s.Items {
		if before == nil || it.Kind != Guidelines || before.Item(it.Kind, it.Name) != it {
			fresh = append(fresh, it.changes(releases)...)
		}
	}
	slices.SortStableFunc(fresh, newerFirst)
	s.Changes = make([]*Change, 0, len(kept)+len(fresh))
	for _, c := range fresh { // few among many
		i, found := slices.BinarySearchFunc(kept, c, newerFirst)
		for found && i < len(kept) && newerFirst(kept[i], c) == 0 {
			i++
		}
		s.Changes, kept = append(append(s.Changes, kept[:i]...), c), kept[i:]
	}
	s.Changes = append(s.Changes, kept...)
}

// changesIn returns the entries of guidelines that are the same in another snapshot.
func (s *Snapshot) changesIn(other *Snapshot) (kept []*Change) {
	if s == nil {
		return nil
	}
	changed := map[string]bool{}
	for _, it := range s.Items {
		if it.Kind == Guidelines && other.Item(it.Kind, it.Name) != it {
			changed[it.Name] = true
		}
	}
	kept = make([]*Change, 0, len(s.Changes))
	for _, c := range s.Changes {
		if c.Guideline != "" && !changed[c.Guideline] {
			kept = append(kept, c)
		}
	}
	return kept
}

// changes returns the entries of an item, the highest version first.
func (i *Item) changes(releases []*Release) (all []*Change) {
	for _, e := range i.Entries {
		switch {
		case e.Draft:
		case i.Kind == Guidelines:
			all = append(all, guidelineChange(e))
		case i.Kind == Scenarios && !onRelease(e, releases):
			all = append(all, moduleChange(e, releases))
		}
	}
	return all
}

// newerFirst sorts entries in the order of the changelog, keeping that of the versions of one
// item.
func newerFirst(a, b *Change) int {
	return cmp.Or(
		b.Date.Compare(a.Date), cmp.Compare(kindOfChange(a), kindOfChange(b)),
		strings.Compare(a.Guideline, b.Guideline),
	)
}

// kindOfChange orders a release before the guideline changes of its instant.
func kindOfChange(c *Change) int {
	if c.Version != "" {
		return 0
	}
	return 1
}

func productChange(r *Release, items []*Item) *Change {
	c := releaseChange(r.Message)
	c.Date = r.Date
	c.Version = r.Version.String()
	c.Product = r.Product()
	c.Tag = "v" + c.Version
	c.Scenario = r.Message.Trailers.Get("Scenario")
	c.ModuleVersion = r.Message.Trailers.Get("Module-Version")
	if c.ModuleVersion == "" {
		c.ModuleVersion = moduleOf(r, c.Scenario, items)
	}
	return c
}

func releaseChange(m Message) *Change {
	c := &Change{Title: m.Subject, Changes: m.Bullets(), Type: cmp.Or(m.Trailers.Get("Type"), defaultType)}
	if len(c.Changes) == 0 {
		c.Changes = slices.DeleteFunc([]string{m.Subject}, func(s string) bool { return s == "" })
	}
	return c
}

// moduleOf returns the version of the scenario published on the release's
// commit: of the one that the release names; if it names none, of the first.
func moduleOf(r *Release, scenario string, items []*Item) string {
	for _, it := range items {
		if it.Kind != Scenarios || scenario != "" && it.Name != scenario {
			continue
		}
		for _, e := range it.Entries {
			if !e.Draft && e.Commit == r.Commit {
				return e.Version.String()
			}
		}
	}
	return ""
}

func onRelease(e *Entry, releases []*Release) bool {
	return slices.ContainsFunc(releases, func(r *Release) bool { return r.Commit == e.Commit })
}

// moduleChange is the entry of a scenario's version, with the product version in force at its date
// or, before the first release, that of the scenario itself. The releases are sorted, newest
// first.
func moduleChange(e *Entry, releases []*Release) *Change {
	c := releaseChange(ParseMessage(e.Note()))
	c.Type = cmp.Or(e.Trailers.Get("Type"), defaultType)
	c.Date = e.PublishedAt
	c.Version = e.Version.String()
	c.ModuleVersion = c.Version
	c.Scenario = e.Name
	c.Tag = e.Tag()
	c.Product = productVersion(e.Version)
	if i := slices.IndexFunc(releases, func(r *Release) bool { return !r.Date.After(c.Date) }); i >= 0 {
		c.Product = releases[i].Product()
	}
	return c
}

func guidelineChange(e *Entry) *Change {
	c := &Change{
		Date:        e.PublishedAt,
		Guideline:   e.Name,
		New:         VersionText(e.Version),
		Summary:     e.Note(),
		Criticality: cmp.Or(e.Trailers.Get("Criticality"), defaultCriticality),
		Tag:         e.Tag(),
	}
	if e.Predecessor != nil {
		c.Old = VersionText(e.Predecessor.Version)
	}
	return c
}
