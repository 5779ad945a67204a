package html

import (
	"cmp"
	"html/template"
	"net/url"
	"strings"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/document"
	"rulestore/content/i18n"
	"rulestore/server/api"
	"rulestore/server/site"
)

// Compare lists what differs between two versions of an item, in the order of the text.
type Compare struct {
	Head
	ID          string
	From, To    Version
	Pair        Filters  // selects the two versions
	Days        []string // what was published and applied on a requested day, and what applies today
	Class       Status
	Summary     string
	Step        string // remark on the increment of the version
	Section     string // the section to show; "": all
	Differences []Difference
	Upkeep      []Difference // what differs in every version
	Pager       Pager
}

// Difference is one place that differs, with both values.
type Difference struct {
	*site.Difference
	HTML  template.HTML
	Whole bool // the texts were too long to compare them by words
}

// Title says where it is.
func (d Difference) Title() string { return strings.Join(d.Titles, " › ") }

// Anchor is the link of a place to itself.
func (d Difference) Anchor() string { return "#" + fragment(d.ID) }

// Both draws the old and the new value as one text, with the words that differ marked. whole reports that the
// texts were too long for that.
func Both(with Drawing, effort *change.Effort, s *site.Difference) (html template.HTML, whole bool) {
	with.Bare = true
	d := &drawer{Drawing: with}
	switch {
	case isText(s.Was) && isText(s.Is):
		whole = d.marked(effort, s.Was.Text, s.Is.Text)
	case s.Was != nil && s.Is != nil && !s.Was.IsList() && !s.Is.IsList():
		return "<p>" + Pair(with, s) + "</p>\n", false
	default:
		d.block("del", s.Unique, s.Was)
		d.block("ins", s.Unique, s.Is)
	}
	return d.take(), whole
}

// Pair draws the old and the new value of a place in one line.
func Pair(with Drawing, s *site.Difference) template.HTML {
	d := &drawer{Drawing: with}
	for _, side := range []struct {
		tag string
		n   *document.Node
	}{{"del", s.Was}, {"ins", s.Is}} {
		if side.n != nil {
			d.raw("<", side.tag, ">")
			d.inline(side.n)
			d.raw("</", side.tag, "> ")
		}
	}
	return d.take()
}

func isText(n *document.Node) bool {
	return n != nil && n.Kind == document.Text && (n.Type() == document.Prose || n.Blank())
}

// marked draws two texts as one, with the words that differ marked.
func (d *drawer) marked(effort *change.Effort, was, is string) (whole bool) {
	segments, whole := effort.Phrases(was, is)
	d.raw(`<p class="lines">`)
	for _, s := range segments {
		tag := map[change.Verb]string{change.Added: "ins", change.Removed: "del"}[s.What]
		if tag == "" {
			d.text(s.Text)
			continue
		}
		d.wrap("<"+tag+">", s.Text, "</"+tag+">")
	}
	d.raw("</p>\n")
	return whole
}

// maxWords is the maximum number of words of a list that are drawn on one line.
const maxWords = 3

// block draws a value that only one version has.
func (d *drawer) block(tag, unique string, n *document.Node) {
	switch {
	case n == nil:
	case n.Kind == document.Object:
		d.raw("<", tag, ` class="block">`+"\n")
		h := labels{}
		if unique != "" {
			h = labelsOf(n, unique)
		}
		if h.grade != nil {
			d.raw(`<p class="meta">`)
			d.text(h.grade.Title(h.grade.Name) + ": ")
			d.inline(h.grade)
			d.raw("</p>\n")
		}
		d.object(n, h, maxHeading+1)
		d.raw("</", tag, ">\n")
	case n.Kind == document.Array && (!n.Words() && len(n.Kids) > 0 || len(n.Kids) > maxWords):
		d.raw("<", tag, ` class="block">`+"\n")
		d.items(n)
		d.raw("</", tag, ">\n")
	case isText(n):
		d.raw(`<p class="lines"><`, tag, ">")
		d.prose(n, n.Text)
		d.raw("</", tag, "></p>\n")
	default:
		d.raw("<p><", tag, ">")
		d.inline(n)
		d.raw("</", tag, "></p>\n")
	}
}

// pairForm is the form that compares two versions of an item; q says what of them is shown.
func (m maker) pairForm(item *content.Item, from, to *content.Entry, q url.Values) Filters {
	q = site.Merged(q, url.Values{"from": {from.Version.String()}, "to": {to.Version.String()}})
	versions := offer{must: true}
	for _, e := range site.ReadableVersions(item) {
		versions.values = append(versions.values, e.Version.String())
	}
	offers := map[string]offer{"from": versions, "to": versions}
	f := m.form(api.Of(api.Compare, nil, ""), api.ComparePath+item.ID(), q, offers, "from", "to")
	f.Label, f.Button, f.Chosen = "Версии", "Сравнить", false
	return f
}

// comparison makes the page of a part of a comparison.
func (m maker) comparison(of *site.Compared) Compare {
	item, from, to := of.Item, of.From, of.To
	name, path := cmp.Or(to.Body().Text("title"), to.Body().Text("term")), api.ComparePath+item.ID()
	p := Compare{
		Head: m.head("Что изменилось: "+name, "", path, of.Query(nil), m.kindLink(item.Kind),
			Link{name, m.root + to.Path()}, Link{"Версии", m.root + item.Kind.ItemPath(item.Name) + "/versions"}),
		ID: to.ID(), From: m.versionLine(from), To: m.versionLine(to),
		Pair:  m.pairForm(item, from, to, site.Query(map[string]string{"section": of.Section})),
		Class: changeClass(of.Class), Summary: site.Summaries[of.Class], Step: of.StepConflict(),
		Section: of.Section, Days: m.days(of),
	}
	drawing, effort := m.drawing(to, false), change.NewEffort()
	for _, d := range of.Shown {
		shown := Difference{Difference: d}
		if d.What != change.Moved {
			shown.HTML, shown.Whole = Both(drawing, effort, d)
		}
		p.Differences = append(p.Differences, shown)
	}
	for _, d := range of.Upkeep[:min(len(of.Upkeep), site.MaxChanges)] {
		p.Upkeep = append(p.Upkeep, Difference{Difference: d, HTML: Pair(drawing, d)})
	}
	p.Pager = pager(func(from int) string {
		return site.Address(p.Path, of.Query(url.Values{"offset": {site.NonDefault(from, 0)}}))
	}, site.MaxChanges, of.Begin, len(of.Shown), of.Total)
	return p
}

// days say what applied on the requested day, when that was published, and what applies today.
func (m maker) days(of *site.Compared) (all []string) {
	published := func(e *content.Entry) string {
		return "версия " + e.Version.String() + ", опубликованная " + i18n.DayOf(m.Snapshot.DayOf(e.PublishedAt))
	}
	if of.Line == nil && of.AsOf != "" {
		all = append(all, i18n.DayOf(of.AsOf)+" последней была "+published(of.From)+".")
	}
	for name, stretch := range of.Stretches() {
		day, verb := i18n.DayOf(of.InForce), "применялось: "
		if name != "applied" {
			day, verb = "Сегодня", "применяется: "
		}
		at, words := stretch.Within(), "ничего"
		if at.Entry != nil {
			words = published(at.Entry)
			if period := periodWords(at.Period); period != "" {
				words += ", применяется " + period
			}
			value := Headline(document.Read(stretch.Stated(), &content.Field{}))
			words = strings.TrimPrefix(value+"; "+words, "; ")
		}
		all = append(all, day+" "+verb+words+".")
	}
	return all
}

// changeClass is a class of changes as code and text.
func changeClass(c change.Class) Status {
	return Status{Code: c.String(), Title: site.Russian().Sprint(c)}
}
