package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/server/api"
)

// api.AtomType is the media type of a feed (RFC 4287).
// maxFeed is the number of entries of a feed.
const maxFeed = 100

// Feed returns the feed at a path under [api.FeedsPath]; nil if there is none.
func (s *Site) Feed(path string) *Resource {
	name, ok := strings.CutSuffix(path, ".atom")
	if !ok {
		return nil
	}
	k, it := content.KindOf(name), s.Snapshot.ItemByID(name)
	switch {
	case name == "all":
		return s.feedOf(path, "Всё, что публикуется", s.Snapshot.Items)
	case name == "upcoming":
		return s.feedAhead(path)
	case it != nil:
		return s.feedOf(path, s.Title(name), []*content.Item{it})
	case k == nil:
		return nil
	}
	of := slices.DeleteFunc(slices.Clone(s.Snapshot.Items), func(it *content.Item) bool { return it.Kind != k })
	return s.feedOf(path, k.Title, of)
}

// titleOf is the title of a version, or its id if it has none.
func titleOf(p *content.Publication) string { return cmp.Or(p.Body().Text("title"), p.ID()) }

// news is an event and its feed entry. The id depends on the event only, so that it is the
// same on every replica, at every address and for ever.
type news struct {
	at    time.Time
	id    string
	entry func() atomEntry
}

// feedOf is the feed of changes to some items: their newest publications, and the marks in
// force.
func (s *Site) feedOf(path, title string, items []*content.Item) *Resource {
	var all []news
	own := map[string]bool{}
	for _, it := range items {
		own[it.ID()] = true
		for _, e := range it.Entries {
			if !e.Draft && e.Status != content.Redacted {
				all = append(all, s.publicationNews(e.Publication))
			}
		}
	}
	for _, m := range s.Snapshot.Marks() {
		if begin := s.Snapshot.Begin(m.Since); own[m.Item] && !begin.IsZero() {
			all = append(all, s.markNews(m, begin))
		}
	}
	about := "/"
	if len(items) == 1 {
		about = items[0].Kind.ItemPath(items[0].Name)
	}
	return s.feed(path, title, about, all)
}

func (s *Site) feedAhead(path string) *Resource {
	var all []news
	for _, p := range s.Snapshot.Upcoming {
		all = append(all, s.publicationNews(p))
	}
	return s.feed(path, "Будет опубликовано", api.UpcomingPath, all)
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

// feed makes a feed of the newest events.
func (s *Site) feed(path, title, about string, all []news) *Resource {
	slices.SortFunc(all, func(a, b news) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.id, b.id)) })
	return textResource(api.AtomType, func() []byte {
		in := s.Snapshot.Settings
		f := atomFeed{
			Lang: api.Language, ID: s.URL(api.FeedsPath + path),
			Title: plain(title + " — " + in.Title), Author: plain(in.Title),
			Updated: stamp(s.UpdatedAt()),
			Links: []atomLink{
				{"self", api.AtomType, s.URL(api.FeedsPath + path)}, {"alternate", api.HTMLType, s.URL(about)},
			},
		}
		for i, t := range all[:min(len(all), maxFeed)] {
			if i == 0 {
				f.Updated = stamp(t.at)
			}
			f.Entries = append(f.Entries, t.entry())
		}
		var out bytes.Buffer
		out.WriteString(xml.Header)
		if err := xml.NewEncoder(&out).Encode(f); err != nil {
			panic(err) // texts can always be encoded
		}
		out.WriteByte('\n')
		return out.Bytes()
	})
}

// UpdatedAt is the latest time of publication.
func (s *Site) UpdatedAt() (at time.Time) {
	for _, it := range s.Snapshot.Items {
		for _, e := range it.Entries {
			if e.PublishedAt.After(at) {
				at = e.PublishedAt
			}
		}
	}
	return at
}

// publicationNews is the event of a publication: its version, time, changes and checksum.
func (s *Site) publicationNews(p *content.Publication) news {
	id := "urn:rulestore:publication:" + p.Checksum
	return news{p.PublishedAt, id, func() atomEntry {
		href := s.urlOf(p)
		if href == "" { // announced, not yet served
			href = s.URL(api.UpcomingPath)
		}
		return atomEntry{
			ID: id, Title: plain(cmp.Or(p.Body().Text("title"), p.Tag()) + ", версия " + p.Version.String()),
			Updated: stamp(p.PublishedAt), Published: stamp(p.PublishedAt),
			Links:   []atomLink{{Rel: "alternate", Href: href}},
			Summary: plain(strings.TrimSpace(p.ChangeNote + "\n\n" + p.Tag() + " " + p.Checksum)),
		}
	}}
}

// markNews is the event of a mark: its target, the new status, and the reason.
func (s *Site) markNews(m content.Mark, begin time.Time) news {
	leaf, _ := log.MarkOf(m) // also valid for a mark that is too long for the log
	id := fmt.Sprintf("urn:rulestore:mark:sha256:%x", sha256.Sum256([]byte(leaf)))
	return news{begin, id, func() atomEntry {
		title, href := m.Item, s.URL("/")
		if it := s.Snapshot.ItemByID(m.Item); it != nil {
			title, href = s.Title(m.Item), s.URL(it.Kind.ItemPath(it.Name))
			if it.Current == nil {
				href += "/versions"
			}
		}
		if m.Version != "" {
			title += ", версия " + m.Version
		}
		about := m.Item + " " + m.Version + " " + string(m.Status)
		if m.ReplacedBy != "" {
			about += " → " + m.ReplacedBy
		}
		return atomEntry{
			ID: id, Title: plain(title + ": " + s.StatusOf(m.Status).Title), Updated: stamp(begin),
			Published: stamp(begin),
			Links:     []atomLink{{Rel: "alternate", Href: href}}, Summary: plain(m.Reason + "\n\n" + about),
		}
	}}
}

// plain removes characters that XML does not allow.
func plain(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c == 0xFFFE || c == 0xFFFF || c == '\uFFFD' {
			return -1
		}
		return c
	}, text)
}
