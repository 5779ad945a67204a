package content

import (
	"cmp"
	"fmt"
	"slices"
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
func (r *Release) Product() string {
	return fmt.Sprintf("%d.%d", r.Version.Major(), r.Version.Minor())
}

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

	// Tag is the tag that the entry comes from.
	Tag string
}

const (
	defaultType        = "feature"
	defaultCriticality = "significant"
)

// changelog lists releases, module releases and guideline changes, newest
// first; of one instant, the higher version first. products holds those of the
// product alone, in the same order.
func changelog(releases []*Release, items []*Item) (entries, products []Change) {
	releases = slices.SortedFunc(slices.Values(releases), func(a, b *Release) int {
		return cmp.Or(b.Date.Compare(a.Date), b.Version.Compare(a.Version))
	})
	for _, r := range releases {
		products = append(products, productChange(r, items))
	}
	versions := 0
	for _, it := range items {
		versions += len(it.Entries)
	}
	entries = append(make([]Change, 0, len(products)+versions), products...)
	for _, it := range items {
		for _, e := range it.Entries {
			if e.Draft {
				continue
			}
			switch it.Kind {
			case Guidelines:
				entries = append(entries, guidelineChange(e))
			case Scenarios:
				if !onRelease(e, releases) {
					entries = append(entries, moduleChange(e, releases))
				}
			}
		}
	}
	return newestFirst(entries), products
}

// newestFirst orders entries by date. It sorts pointers, since an entry is large.
func newestFirst(entries []Change) []Change {
	order := make([]*Change, len(entries))
	for i := range entries {
		order[i] = &entries[i]
	}
	slices.SortStableFunc(order, func(a, b *Change) int {
		return cmp.Or(b.Date.Compare(a.Date), cmp.Compare(kindOfChange(a), kindOfChange(b)))
	})
	sorted := make([]Change, len(entries))
	for i, c := range order {
		sorted[i] = *c
	}
	return sorted
}

// kindOfChange puts a release before the guideline changes of its instant.
func kindOfChange(c *Change) int {
	if c.Version != "" {
		return 0
	}
	return 1
}

func productChange(r *Release, items []*Item) Change {
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

func releaseChange(m Message) Change {
	c := Change{Title: m.Subject, Changes: m.Bullets(), Type: cmp.Or(m.Trailers.Get("Type"), defaultType)}
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

// moduleChange is the entry of a scenario's version, with the product version
// in force at its date. The releases come newest first.
func moduleChange(e *Entry, releases []*Release) Change {
	c := releaseChange(ParseMessage(e.ChangeNote))
	c.Type = cmp.Or(e.Trailers.Get("Type"), defaultType)
	c.Date = e.PublishedAt
	c.Version = e.Version.String()
	c.ModuleVersion = c.Version
	c.Scenario = e.Name
	c.Tag = e.Tag()
	i := slices.IndexFunc(releases, func(r *Release) bool { return !r.Date.After(c.Date) })
	if i >= 0 {
		c.Product = releases[i].Product()
	}
	return c
}

func guidelineChange(e *Entry) Change {
	c := Change{
		Date:        e.PublishedAt,
		Guideline:   e.Name,
		New:         VersionText(e.Version),
		Summary:     e.ChangeNote,
		Criticality: cmp.Or(e.Trailers.Get("Criticality"), defaultCriticality),
		Tag:         e.Tag(),
	}
	if e.Predecessor != nil {
		c.Old = VersionText(e.Predecessor.Version)
	}
	return c
}
