package site

import (
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/content/output"
	"rulestore/server/api"
)

// preparedItem is what is served of an item. It is taken over from the previous site if nothing of
// the item changed, so that a swap is cheap. It has no reference to a site, as later ones share it.
type preparedItem struct {
	item       *content.Item // as of when this was made
	entries    []*preparedVersion
	registries string           // whose codes its output schemas have
	listed     *preparedVersion // the version in lists, nil if there is none
	placed     []placed
}

// placed is a resource with its path.
type placed struct {
	path string
	*Resource
}

// preparedVersion is what is served of one version.
type preparedVersion struct {
	entry       *content.Entry
	latest      *content.Publication // the current one of its item, nil if there is none
	log         *log.Served          // as of when this was made
	resource    *Resource
	unversioned *Resource      // the resource at the path without a version
	result      *output.Schema // nil if it is superseded

	listing   lazy[listing]
	found     lazy[[]findable]
	referrers lazy[[]*referrer]
	records   lazy[*Records]
}

// listing is what lists need of a version: its element, and the product types that they are filtered by.
type listing struct {
	summary  Body
	products []string
}

func (p *preparedVersion) listed(c Config) listing {
	return p.listing.get(func() listing { return listing{c.summary(p.entry), productTypes(p.entry)} })
}

func publication(e *content.Entry) *content.Publication {
	if e == nil {
		return nil
	}
	return e.Publication
}

// addItems adds the items of the snapshot, those unchanged from prev, in which they are in the same order. All
// that have new seals in the log are changed.
func (s *Site) addItems(prev *Site) {
	var old []*preparedItem
	if prev != nil {
		old = prev.items
	}
	relogged := s.newlyLogged(prev)
	s.items = make([]*preparedItem, 0, len(s.Snapshot.Items))
	for _, item := range s.Snapshot.Items {
		for len(old) > 0 && content.CompareItems(old[0].item, item) < 0 {
			old = old[1:]
		}
		var own *preparedItem
		if len(old) > 0 && !relogged[item.ID()] && old[0].is(item) && old[0].registries == s.registriesOf(old[0]) {
			own = old[0]
		} else {
			own = s.prepare(item)
		}
		s.items = append(s.items, own)
		for _, p := range own.entries {
			s.entries[p.entry.Publication] = p
		}
		for _, p := range own.placed {
			s.resources[p.path] = p.Resource
		}
		if own.listed != nil {
			s.lists[item.Kind] = append(s.lists[item.Kind], own.listed)
		}
	}
}

// is reports whether an item is unchanged.
func (p *preparedItem) is(item *content.Item) bool {
	return p.item.Kind == item.Kind && p.item.Name == item.Name &&
		publication(p.item.Current) == publication(item.Current) &&
		slices.EqualFunc(p.item.Entries, item.Entries, sameEntry)
}

// sameEntry reports whether a version is unchanged; its neighbours follow from the versions of the
// item.
func sameEntry(a, b *content.Entry) bool {
	return a.Publication == b.Publication && a.Status == b.Status && a.Reason == b.Reason && a.Since == b.Since &&
		a.ReplacedBy == b.ReplacedBy && a.ModifiedAt.Equal(b.ModifiedAt)
}

// prepare makes everything under the path of an item.
func (s *Site) prepare(item *content.Item) *preparedItem {
	own := &preparedItem{item: item}
	for _, e := range item.Entries {
		own.entries = append(own.entries, s.prepareVersion(item, e))
	}
	own.registries = s.registriesOf(own)
	for _, p := range own.entries {
		s.place(own, "/versions/"+content.VersionText(p.entry.Version), api.VersionPattern, p.resource)
		s.placeJSONSchema(own, p)
		if p.entry == item.Current && p.entry.Status != content.Archived {
			own.listed = p
		}
	}
	s.place(own, "/versions", "/versions", s.versions(item))
	s.placeUnversioned(own)
	if item.Kind == content.Parameters {
		periods := &Resource{Action: api.ListPeriods, Kind: item.Kind, Name: item.Name}
		s.place(own, api.PeriodsSuffix, api.PeriodsSuffix, periods)
	}
	return own
}

// placeUnversioned places the resources at paths without a version: the current version or, if there
// is none, the notice that the highest was redacted, else a resource that only answers requests
// with a day.
func (s *Site) placeUnversioned(own *preparedItem) {
	item, now := own.item, own.entries[0]
	for _, p := range own.entries {
		if p.entry == item.Current {
			now = p
		}
	}
	if item.Current == nil && now.entry.Status != content.Redacted {
		s.place(own, "", "", new(Resource).unversioned(item))
		return
	}
	s.place(own, "", "", now.unversioned)
	if item.Current != nil {
		s.placeRecords(own, now)
	}
	if item.Kind.Static == "" {
		return
	}
	for ext, mediaType := range map[string]string{".json": api.JSONType, ".md": api.MarkdownType} {
		k := item.Kind
		r := now.unversioned.only(mediaType)
		s.placeAt(own, k.StaticPath(item.Name)+ext, k.StaticPath("{"+k.Argument()+"}")+ext, r)
	}
}

// prepareVersion makes what is served of a version.
func (s *Site) prepareVersion(item *content.Item, e *content.Entry) *preparedVersion {
	p := &preparedVersion{entry: e, latest: publication(item.Current), log: s.log}
	if e.Status == content.Redacted {
		p.resource = &Resource{Gone: s.gone(item, e)}
	} else {
		p.resource = &Resource{
			Action: api.ReadVersion, Kind: item.Kind, Name: item.Name, about: s.aboutItem(p),
			Shows: ShownVersion{Entry: e},
		}
		if e.Status == content.Superseded {
			p.resource.unverified = e.Publication // its text is not read before it is asked for
		} else {
			p.result = resultOf(e.Publication)
			s.addRepresentations(p, p.resource, p.result)
		}
	}
	p.unversioned = p.resource.unversioned(item)
	return p
}

// aboutItem is what the representations of a version have in common.
func (c Config) aboutItem(p *preparedVersion) about {
	return about{p.entry.ModifiedAt, func(mediaType string) []Header { return c.itemHeaders(p, mediaType) }}
}

// addRepresentations adds the representations of a version.
func (s *Site) addRepresentations(p *preparedVersion, r *Resource, result *output.Schema) {
	c, e := s.Config, p.entry
	r.add(api.JSONType, func() Body { return c.itemJSON(e) })
	r.addText(api.MarkdownType, func() []byte { return c.itemMarkdown(e) })
	if result != nil {
		r.Representations = append(r.Representations, s.jsonSchema(p, result))
	}
	r.with(r.Shows)
}

// made returns the resource of a version. That of a superseded one is made when it is asked for, and kept in a
// bounded cache: somebody who reads all versions must not fill the memory with them.
func (s *Site) made(own *preparedVersion) *Resource {
	if own.resource.unverified == nil {
		return own.resource
	}
	return remembered(&s.recent, own, func() (*Resource, int) {
		r := new(*own.resource)
		r.unverified = nil
		s.addRepresentations(own, r, resultOf(own.entry.Publication))
		return r, 3 * len(own.entry.Body().AppendJSON(nil))
	})
}

// unversioned returns the resource for the path without a version, which accepts a day and
// filters.
func (r *Resource) unversioned(item *content.Item) *Resource {
	b := *r
	b.Action, b.Kind, b.Name = api.ReadItem, item.Kind, item.Name
	return &b
}

// gone describes a redacted version and its successor: the one that its mark names, or the current
// version.
func (s *Site) gone(item *content.Item, e *content.Entry) *Gone {
	g := &Gone{
		Item: e.Item(), Version: e.Version.String(), Reason: e.Reason, Checksum: e.Checksum, Since: e.Since,
		Instead: e.ReplacedBy,
	}
	if g.Instead == "" && item.Current != nil && item.Current.Status != content.Redacted {
		g.Instead = e.Item()
	}
	folder, name, _ := strings.Cut(g.Instead, "/")
	if k := content.KindOf(folder); k != nil {
		g.Successor = s.URL(k.ItemPath(name))
	}
	return g
}

// unreadable reports whether a version has no text to show, and returns what its address
// answers: of a redacted one what became of it, nil if it is not what was published.
func (s *Site) unreadable(e *content.Entry) (res *Resource, yes bool) {
	res = s.Lookup(e.Path())
	return res, res == nil || res.Gone != nil
}

// redacted returns what the address of an item answers whose versions are redacted, nil if that
// is something else.
func (s *Site) redacted(k *content.Kind, name string) *Resource {
	if k != nil {
		if res := s.Lookup(k.ItemPath(name)); res != nil && res.Gone != nil {
			return res
		}
	}
	return nil
}

// isReadable reports whether the content of a version can be served.
func isReadable(e *content.Entry) bool { return e.Status != content.Redacted && e.Sound() }
