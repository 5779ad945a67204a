package site

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"slices"
	"strings"
	"time"

	"rulestore/content"
)

// FeedsPath is under which the feeds are: all.atom, upcoming.atom, <folder>.atom of a
// kind and <folder>/<name>.atom of an item.
const FeedsPath = "/feeds/"

// atomType is the media type of a feed (RFC 4287).
const atomType = "application/atom+xml"

// maxFeed is how many entries a feed has: who follows it asks again before as many come.
const maxFeed = 100

// Feed makes the feed at a path under [FeedsPath]; nil if there is none.
func (s *Site) Feed(path string) *Resource {
	name, ok := strings.CutSuffix(path, ".atom")
	if !ok {
		return nil
	}
	switch folder, item, isItem := strings.Cut(name, "/"); {
	case name == "all":
		return s.feedOf(path, "Всё, что публикуется", s.Snapshot.Items)
	case name == "upcoming":
		return s.feed(path, "Будет опубликовано", UpcomingPath, s.Snapshot.Upcoming)
	case content.KindOf(folder) == nil:
		return nil
	case isItem:
		k := content.KindOf(folder)
		it := s.Snapshot.Item(k, item)
		if it == nil {
			return nil
		}
		return s.feedOf(path, cmp.Or(titleOf(it), it.ID()), []*content.Item{it})
	default:
		k := content.KindOf(folder)
		of := slices.DeleteFunc(slices.Clone(s.Snapshot.Items), func(it *content.Item) bool { return it.Kind != k })
		return s.feedOf(path, k.Title, of)
	}
}

func titleOf(it *content.Item) string {
	if it.Current == nil {
		return ""
	}
	return it.Current.Body().Text("title")
}

// feedOf is the feed of the newest publications of some items.
func (s *Site) feedOf(path, title string, items []*content.Item) *Resource {
	var all []*content.Publication
	for _, it := range items {
		for _, e := range it.Entries {
			if !e.Draft && e.Status != content.Redacted {
				all = append(all, e.Publication)
			}
		}
	}
	slices.SortFunc(all, func(a, b *content.Publication) int {
		return cmp.Or(b.PublishedAt.Compare(a.PublishedAt), cmp.Compare(a.Tag(), b.Tag()))
	})
	about := "/"
	if len(items) == 1 {
		about = items[0].Kind.ItemPath(items[0].Name)
	}
	return s.feed(path, title, about, all)
}

// An atomFeed is a feed as RFC 4287 has it.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"xml:lang,attr"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID        string     `xml:"id"`
	Title     string     `xml:"title"`
	Updated   string     `xml:"updated"`
	Published string     `xml:"published"`
	Links     []atomLink `xml:"link"`
	Summary   string     `xml:"summary,omitempty"`
}

// feed makes a feed of publications: of each its version, when it is from, what it
// changed and its checksum. An entry never changes, and its id is that of the tag.
func (s *Site) feed(path, title, about string, all []*content.Publication) *Resource {
	all = all[:min(len(all), maxFeed)]
	return textResource(atomType, func() []byte {
		in := s.Snapshot.Settings
		f := atomFeed{
			Lang: "ru", ID: s.URL(FeedsPath + path), Title: plain(title + " — " + in.Title), Author: plain(in.Title),
			Links: []atomLink{{"self", atomType, s.URL(FeedsPath + path)}, {"alternate", htmlType, s.URL(about)}},
		}
		var newest time.Time
		for _, p := range all {
			if p.PublishedAt.After(newest) {
				newest = p.PublishedAt
			}
			f.Entries = append(f.Entries, s.feedEntry(p))
		}
		f.Updated = newest.UTC().Format(time.RFC3339)
		var out bytes.Buffer
		out.WriteString(xml.Header)
		if err := xml.NewEncoder(&out).Encode(f); err != nil {
			panic(err) // only texts
		}
		out.WriteByte('\n')
		return out.Bytes()
	})
}

func (s *Site) feedEntry(p *content.Publication) atomEntry {
	href := s.URL(p.Path())
	if s.resources[p.Path()] == nil { // it is not there yet
		href = s.URL(UpcomingPath)
	}
	return atomEntry{
		ID: s.URL(p.Path()), Title: plain(cmp.Or(p.Body().Text("title"), p.Tag()) + ", версия " + p.Version.String()),
		Updated: stamp(p.PublishedAt), Published: stamp(p.PublishedAt), Links: []atomLink{{Rel: "alternate", Href: href}},
		Summary: plain(strings.TrimSpace(p.ChangeNote + "\n\n" + p.Tag() + " " + p.Checksum)),
	}
}

// plain leaves out what XML cannot say.
func plain(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c == 0xFFFE || c == 0xFFFF || c == '\uFFFD' {
			return -1
		}
		return c
	}, text)
}
