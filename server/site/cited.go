package site

import (
	"bytes"
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/citation"
	"rulestore/content/document"
	"rulestore/server/api"
)

// The results for a citation.
const (
	citationMatches    = "matches"        // the version has that checksum, and all other fields are correct
	citationDiffers    = "differs"        // the version has that checksum, and other fields are wrong
	citationOther      = "other_checksum" // the version was published with another checksum
	citationUnknown    = "unknown"        // this site does not know the version
	citationRedacted   = "redacted"       // it matches, and was redacted
	citationUnverified = "unverified"     // the citation is incomplete
)

// The reasons for an unknown result.
const (
	noChecksum     = "no_checksum"
	brokenChecksum = "broken_checksum"
	noVersion      = "no_version"
	noItem         = "no_item"
)

// The results for a section.
const (
	sectionMissing = "missing" // the version has none
	sectionSame    = "same"
	sectionChanged = "changed"
	sectionGone    = "gone"
)

// checked is the result for a citation.
type checked struct {
	citation.Found
	result, reason string

	item  *content.Item  // nil if it is unknown
	entry *content.Entry // nil if it is unknown
	other *content.Entry // another version with the checksum

	differs      []string     // the wrong fields
	section      string       // the result for the section; "" if none is cited or it is unknown
	sectionTitle string       // "" if there is none
	change       change.Class // from the version to the current one, if that is newer
	compared     bool         // change is valid
}

// check checks citations.
func (s *Site) check(all []citation.Found) []checked {
	trees := map[*content.Publication]*document.Node{}
	tree := func(e *content.Entry) *document.Node {
		if trees[e.Publication] == nil {
			trees[e.Publication] = s.config.tree(e)
		}
		return trees[e.Publication]
	}
	out := make([]checked, len(all))
	for i, c := range all {
		out[i] = s.checkCitation(c)
		out[i].compare(s, tree)
		if c := &out[i]; c.result == citationMatches && (c.differs != nil || c.section == sectionMissing) {
			c.result = citationDiffers
		}
	}
	return out
}

func (s *Site) checkCitation(f citation.Found) checked {
	c := checked{Found: f}
	c.item, c.entry = s.cited(f.Citation)
	switch e := c.entry; {
	case f.Checksum == "" && (e != nil || c.item != nil && f.Version == "" || f.ID == ""):
		c.result, c.reason = citationUnverified, c.missing()
	case e == nil:
		c.result = citationUnknown
	case e.Checksum != f.Checksum:
		c.result = citationOther
	case e.Status == content.Redacted:
		c.result = citationRedacted
	default:
		c.result = citationMatches
	}
	if f.Checksum != "" && (c.entry == nil || c.entry.Checksum != f.Checksum) {
		c.other = s.published(f.Checksum)
	}
	return c
}

// missing names the required field that the citation lacks.
func (c checked) missing() string {
	switch {
	case c.Broken != "":
		return brokenChecksum
	case c.ID == "":
		return noItem
	case c.Version == "":
		return noVersion
	}
	return noChecksum
}

// compare compares the rest of the citation with the version, and the version with the
// current one.
func (c *checked) compare(s *Site, tree func(*content.Entry) *document.Node) {
	c.compareHouse(s)
	e := c.entry
	if e == nil {
		return
	}
	index, logged := s.Logged(e.Publication)
	if c.Log != nil && (!logged || *c.Log != index) {
		c.differs = append(c.differs, "log_index")
	}
	if !sameMoment(c.Published, e.PublishedAt) {
		c.differs = append(c.differs, "published_at")
	}
	if !addressMatches(c.Citation, e) && !slices.Contains(c.differs, "canonical_url") {
		c.differs = append(c.differs, "canonical_url")
	}
	if !isReadable(e) {
		return
	}
	now := c.newer()
	readable := now != nil && isReadable(now)
	if readable {
		c.change, c.compared = s.changed.of(s.config, e, now), true
	}
	if c.Section != "" {
		c.compareSection(tree(e), func() *document.Node {
			if !readable {
				return nil
			}
			return tree(now)
		})
	}
	c.compareTitles(citedTitle(e))
}

// compareHouse compares the publisher and the server in the citation with those of this site.
func (c *checked) compareHouse(s *Site) {
	if c.Publisher != "" && !slices.ContainsFunc(s.publishers(c.entry), func(own string) bool {
		return citation.Alike(c.Publisher, own)
	}) {
		c.differs = append(c.differs, "publisher")
	}
	if c.foreignHost(s) != "" {
		c.differs = append(c.differs, "canonical_url")
	}
}

// compareTitles compares the titles in the citation with those of the version.
func (c *checked) compareTitles(title string) {
	is := citation.Citation{Title: title, SectionTitle: c.sectionTitle}
	if !c.Headed(is) || c.Title != "" && !citation.Alike(c.Title, title) {
		c.differs = append(c.differs, "title")
	}
	if c.SectionTitle != "" && c.Section != "" && c.section != sectionMissing &&
		!citation.Alike(c.SectionTitle, c.sectionTitle) {
		c.differs = append(c.differs, "section_title")
	}
}

// compareSection compares the cited section with the same one in the current version; now is
// nil if there is no newer readable version.
func (c *checked) compareSection(then *document.Node, now func() *document.Node) {
	n := then.At(c.Section)
	if n == nil {
		c.section = sectionMissing
		return
	}
	c.sectionTitle = cmp.Or(sectionTitle(n), c.Section)
	root := now()
	if root == nil {
		return
	}
	switch m := root.At(c.Section); {
	case m == nil:
		c.section = sectionGone
	case bytes.Equal(m.Raw, n.Raw):
		c.section = sectionSame
	default:
		c.section = sectionChanged
	}
}

// sectionTitle is the title of a section: that of an element, else of the field.
func sectionTitle(n *document.Node) string {
	for i := range n.Kids {
		if k := &n.Kids[i]; n.Kind == document.Object && document.Heads(k.Name) && k.Says() {
			return k.Text
		}
	}
	return n.Title("")
}

// newer is the current version, if it is newer than the cited one; else nil.
func (c checked) newer() *content.Entry {
	if c.entry == nil || c.item.Current == nil || !c.item.Current.Version.GreaterThan(c.entry.Version) {
		return nil
	}
	return c.item.Current
}

// onDay is what there is to say of a version on the requested day.
type onDay struct {
	current *content.Entry // what as_of answers for the day; nil: nothing
	applied *content.Entry // what was in force on it, by what was published by its end; nil: nothing
	began   bool           // the version was current when the day began
}

// onDay returns what there was on the requested day, which stands for its end, as in as_of; not
// ok without a day, and for a future one.
func (c checked) onDay(s *Site) (d onDay, ok bool) {
	if c.entry == nil || c.At == "" || c.At > s.Snapshot.Date {
		return d, false
	}
	d.current = s.OnDay(c.item, c.At, "")
	d.applied = d.current
	if api.HasPeriods(c.item.Kind) {
		d.applied = s.OnDay(c.item, c.At, c.At)
	}
	begin := s.Snapshot.Begin(c.At).Format(time.RFC3339)
	d.began = s.OnDay(c.item, begin, "") == c.entry
	return d, true
}

// sameMoment reports whether a day or a time is that of a moment, or empty.
func sameMoment(said string, t time.Time) bool {
	if at, err := time.Parse(time.RFC3339, said); err == nil {
		return at.Equal(t)
	}
	return said == "" || dateTyped(said) == t.Format(content.Date)
}

// addressMatches reports whether an address is that of the version and of the cited section,
// on any host. A truncated address matches if its remaining part does.
func addressMatches(c citation.Citation, e *content.Entry) bool {
	u, err := url.Parse(c.Address)
	if err != nil {
		return false
	}
	if section := u.Query().Get("section"); c.Section != "" && !strings.HasPrefix(c.Section, section) {
		return false
	}
	at := strings.LastIndex(u.Path, "/api/v1/")
	if at < 0 {
		return !strings.Contains(u.Path, "/versions/")
	}
	path := u.Path[at:]
	return strings.HasPrefix(e.Path(), path) || strings.HasPrefix(path, e.Path()+"/") ||
		!strings.Contains(path, "/versions/") && strings.HasPrefix(path, e.Kind.ItemPath(e.Name)+"/")
}

func (s *Site) checkedJSON(c checked) Body {
	var o object
	o.text("id", c.ID)
	o.text("version", c.Version)
	o.text("result", c.result)
	o.optional("reason", c.reason)
	e := c.entry
	if c.result == citationUnknown {
		o.value("item_known", c.item != nil)
	}
	if c.other != nil {
		o.text("checksum_of", c.other.Tag())
	}
	if e == nil {
		o.texts("differs", c.differs)
		return o.end()
	}
	o.text("tag", e.Tag())
	if c.result == citationOther || c.result == citationUnverified {
		o.text("content_checksum", e.Checksum)
	}
	o.optional("status_reason", e.Reason)
	o.text("status", string(e.Status))
	o.texts("differs", c.differs)
	if c.Section != "" {
		o.text("section", c.Section)
		o.optional("section_now", c.section)
	}
	if day, ok := c.onDay(s); ok {
		o.value("current_then", day.current == e)
		if day.applied != nil {
			o.text("in_force_then", day.applied.Version.String())
		}
	}
	o.value("current_now", c.item.Current == e)
	if now := c.newer(); now != nil {
		o.text("newer", now.Version.String())
	}
	if c.compared {
		o.text("change", c.change.String())
	}
	o.logIndex(s.logOf(e.Source), e.Publication)
	o.optional("source", e.Source)
	if e.Status != content.Redacted {
		o.text("canonical_url", s.URL(e.Path()))
	}
	return o.end()
}

// indexItems indexes the items by the names used in citations: id, name, folder and name, and the
// end of the address.
func (s *Site) indexItems() map[string][]*content.Item {
	all := make(map[string][]*content.Item, 3*len(s.Snapshot.Items))
	for _, it := range s.Snapshot.Items {
		e := it.Entries[0]
		names := []string{
			it.ID(), it.Name, e.Publication.ID(), strings.TrimPrefix(it.Kind.ItemPath(it.Name), "/api/v1/"),
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			all[name] = append(all[name], it)
		}
	}
	return all
}

// cited returns the item and the version of a citation, nil if unknown. If several items have
// the id, it is the one whose version has the checksum, else the first with such a version.
// Without a version in the citation it is the one with the checksum.
func (s *Site) cited(c citation.Citation) (item *content.Item, entry *content.Entry) {
	for _, it := range s.itemsByName()[c.ID] {
		i := slices.IndexFunc(it.Entries, func(e *content.Entry) bool {
			return !e.Draft && (e.Version.String() == c.Version || c.Version == "" && e.Checksum == c.Checksum)
		})
		switch {
		case i >= 0 && (entry == nil || it.Entries[i].Checksum == c.Checksum):
			item, entry = it, it.Entries[i]
		case item == nil:
			item = it
		}
	}
	if c.ID == "" && c.Checksum != "" {
		if e := s.published(c.Checksum); e != nil && (c.Version == "" || c.Version == e.Version.String()) {
			return s.Snapshot.Item(e.Kind, e.Name), e
		}
	}
	return item, entry
}

// changeClasses caches the classes of the changes from versions to the current ones.
type changeClasses struct {
	mu    sync.Mutex
	known map[[2]*content.Publication]change.Class
}

func (k *changeClasses) of(c Config, from, to *content.Entry) change.Class {
	key := [2]*content.Publication{from.Publication, to.Publication}
	k.mu.Lock()
	class, known := k.known[key]
	k.mu.Unlock()
	if known {
		return class
	}
	_, class = change.Count(c.Schemas, from.Kind, from.Name, from.Body(), to.Body())
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[[2]*content.Publication]change.Class{}
	}
	k.known[key] = class
	return class
}

// versionsKnown lists the published versions of an item, newest first, at most a few.
func versionsKnown(item *content.Item) string {
	var all []string
	for _, e := range item.Entries {
		if !e.Draft {
			all = append(all, e.Version.String())
		}
	}
	if more := len(all) - shownVersions; more > 0 {
		all = append(all[:shownVersions], "и ещё "+strconv.Itoa(more))
	}
	return strings.Join(all, ", ")
}
