package site

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/document"
	"rulestore/content/redline"
	"rulestore/server/api"
	"rulestore/server/page"
)

// comparison is the address of a comparison of two versions.
func comparison(frame *page.Frame, item *content.Item, from, to *content.Entry) string {
	return frame.Root + api.ComparePath + item.ID() + "?from=" + from.Version.String() + "&to=" + to.Version.String()
}

// changed summarizes the changes between two versions.
func (c Config) changed(frame *page.Frame, item *content.Item, from, to *content.Entry) *page.Changed {
	count, class := change.Count(c.Schemas, item.Kind, item.Name, from.Body(), to.Body())
	return &page.Changed{
		Since: from.Version.String(), Class: changeClass(class), Count: count,
		Href: comparison(frame, item, from, to),
	}
}

// pairForm is the form that compares two versions of an item; q says what of them is shown.
func pairForm(frame *page.Frame, item *content.Item, from, to *content.Entry, q url.Values) page.Filters {
	q = merged(q, url.Values{"from": {from.Version.String()}, "to": {to.Version.String()}})
	versions := offer{must: true}
	for _, e := range ReadableVersions(item) {
		versions.values = append(versions.values, e.Version.String())
	}
	offers := map[string]offer{"from": versions, "to": versions}
	f := form(frame, api.Of(api.Compare, nil, ""), api.ComparePath+item.ID(), q, offers, "from", "to")
	f.Label, f.Button, f.Chosen = "Версии", "Сравнить", false
	return f
}

// shown is the part of the query that says what of the comparison is shown, and how.
func (m *compared) shown() url.Values {
	q := parameters(map[string]string{"section": m.Section})
	if m.Sides {
		q.Set("view", SidesView)
	}
	return q
}

// pastForm is the form that compares what was there on a day with the current version.
func (m *compared) pastForm(frame *page.Frame) page.Filters {
	q := merged(m.shown(), parameters(map[string]string{"as_of": m.AsOf, InForceParameter: m.InForce}))
	f := form(frame, api.Of(api.Compare, nil, ""), api.ComparePath+m.item.ID(), q, nil, dayFields(m.item.Kind)[0])
	f.Label, f.Button, f.Chosen = "День спора", "Сравнить с действующей", false
	f.Fields[0].Required = true
	return f
}

// comparePage makes the page of a comparison.
func (c Config) comparePage(frame *page.Frame, quoted *quoted, m *compared) page.Compare {
	item, from, to := m.item, m.From, m.To
	name := title(to.Body())
	p := page.Compare{
		Head: page.Head{
			Title: "Что изменилось: " + name, Path: frame.Root + api.ComparePath + item.ID(),
			Crumbs: kindCrumbs(frame, item.Kind, page.Link{Title: name, Href: frame.Root + to.Path()},
				page.Link{Title: "Версии", Href: frame.Root + item.Kind.ItemPath(item.Name) + "/versions"}),
			Formats: formats(
				frame, api.ComparePath+item.ID(), m.inOneColumn().query(nil), api.JSONType, api.MarkdownType,
			),
		},
		ID: to.ID(), From: c.versionLine(frame, from), To: c.versionLine(frame, to),
		Pair: pairForm(frame, item, from, to, m.shown()), Past: m.pastForm(frame),
		Class: changeClass(m.Class), Summary: summaries[m.Class], Step: m.stepConflict(),
		Section: m.Section,
		Filters: m.filters(frame), Showings: m.showings(frame), Days: m.days(),
	}
	showing := c.showing(frame, quoted, m)
	p.Redlined = page.Redline(m.Redline, showing)
	p.Pager = pager(showing.Link, p.Before, showing.From, p.Redlined.To-showing.From, len(m.chosen()))
	for _, u := range m.Upkeep[:min(len(m.Upkeep), maxRoutine)] {
		p.Upkeep = append(
			p.Upkeep, page.Place{ID: u.ID, Title: strings.Join(u.Way, " › "), HTML: page.Pair(showing.Drawing, u)},
		)
	}
	return p
}

// showing is how the page of a comparison shows it, which determines its parts in every format.
func (c Config) showing(frame *page.Frame, quoted *quoted, m *compared) page.Showing {
	path := frame.Root + m.To.Path()
	return page.Showing{
		Drawing: page.Drawing{
			Own: c.BaseURL, Root: frame.Root, Path: path, Names: withPath(quoted.names(c, m.To), path, false),
		},
		Sides: m.Sides, Shows: m.wanted, From: min(m.Offset, len(m.chosen())), Class: changeClass, What: inRussian,
		Why:  whyOf,
		Link: func(from int) string { return m.link(frame, url.Values{"offset": {nonDefault(from, 0)}}) },
	}
}

// maxRoutine is the maximum number of routine changes that a page lists.
const maxRoutine = 60

// inOneColumn is the comparison as other formats have it: one text, which has other parts than the two
// versions side by side.
func (m *compared) inOneColumn() *compared {
	text := *m
	if text.Sides {
		text.Sides, text.Offset = false, 0
	}
	return &text
}

// query is the query of the comparison with some parameters replaced; empty values remove
// them.
func (m *compared) query(otherwise url.Values) url.Values {
	q := parameters(map[string]string{
		"from": m.From.Version.String(), "to": m.To.Version.String(), "class": m.Only,
		"offset": nonDefault(m.Offset, 0),
	})
	if m.AsOf+m.InForce != "" {
		q.Del("from")
		q = merged(q, parameters(map[string]string{"as_of": m.AsOf, InForceParameter: m.InForce}))
	}
	return merged(merged(q, m.shown()), otherwise)
}

func merged(q, otherwise url.Values) url.Values {
	for name, values := range otherwise {
		if q.Del(name); values[0] != "" {
			q.Set(name, values[0])
		}
	}
	return q
}

func (m *compared) link(frame *page.Frame, otherwise url.Values) string {
	return address(frame.Root+api.ComparePath+m.item.ID(), m.query(otherwise))
}

// filters link the changes of each class, and all.
func (m *compared) filters(frame *page.Frame) (all []page.Switch) {
	for _, c := range gravities {
		n := m.number(c.Class)
		if n == 0 {
			continue
		}
		choice := page.Switch{Code: c.String(), Chosen: m.Only == c.String()}
		choice.Title = page.Count(n, c.forms)
		choice.Href = m.link(frame, url.Values{"class": {c.String()}, "offset": {""}})
		all = append(all, choice)
	}
	if m.Only+m.Section != "" {
		whole := url.Values{"class": {""}, "section": {""}, "offset": {""}}
		all = append(all, page.Switch{Link: page.Link{Title: "Все изменения", Href: m.link(frame, whole)}})
	}
	return all
}

// showings link the views as one text and side by side.
func (m *compared) showings(frame *page.Frame) []page.Switch {
	return []page.Switch{
		{
			Link:   page.Link{Title: "Одним текстом", Href: m.link(frame, url.Values{"view": {""}, "offset": {""}})},
			Chosen: !m.Sides,
		},
		{
			Link:   page.Link{Title: "Рядом", Href: m.link(frame, url.Values{"view": {SidesView}, "offset": {""}})},
			Chosen: m.Sides,
		},
	}
}

// days describe what applied on the requested day.
func (m *compared) days() (all []page.Statement) {
	if m.AsOf != "" {
		all = append(
			all,
			page.Statement{
				Title: "Было опубликовано на " + page.DayOf(m.AsOf), Value: "версия " + m.From.Version.String(),
			},
		)
	}
	for name, i := range m.stretches() {
		s := page.Statement{Title: "Применялось " + page.DayOf(m.InForce), Value: m.line.words(i)}
		if name != "applied" {
			s.Title = "Применяется сейчас"
		}
		all = append(all, s)
	}
	return all
}

// words describe a stretch: the value, the version and the days.
func (t *timeline) words(i int) string {
	s := t.Timeline[i]
	if s.Entry == nil {
		return "ничего"
	}
	words := "версия " + s.Entry.Version.String()
	if o := t.stated(i); o != nil {
		if value := page.Headline(document.Read(o, &content.Field{})); value != "" {
			words = value + ", " + words
		}
	}
	if s.From != "" {
		words += ", с " + page.DayOf(s.From)
	}
	if s.To != "" {
		words += " по " + page.DayOf(s.To)
	}
	return words
}

func inRussian(v change.Verb) string { return russian().Sprint(v) }

// whyOf explains the class of a change, and what to review.
func whyOf(c *redline.Change) (why, look string) {
	if c.Why != "" {
		why = russian().Sprint(c.Why)
	}
	return why, lookAt(c.Look)
}

// compareOffers are the choices of what a comparison shows.
var compareOffers = map[string]offer{"class": {title: func(value string) string {
	for _, c := range gravities {
		if c.String() == value {
			return changeClass(c.Class).Title
		}
	}
	return value
}}}

func changeClass(c change.Class) page.Status {
	return page.Status{Code: c.String(), Title: russian().Sprint(c)}
}

// lookAt is what to review, in Russian; "" if there is nothing.
func lookAt(l change.Look) string {
	switch text := upperFirst(russian().Sprint(l.Doubt)); {
	case l.Doubt == "":
		return ""
	case len(l.Lost)+len(l.Came) == 0:
		return text
	default:
		return text + ": " + l.Words() + "."
	}
}

// upperFirst capitalizes the beginning of a sentence.
func upperFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
