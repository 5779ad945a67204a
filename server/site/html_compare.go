package site

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/document"
	"rulestore/server/api"
	"rulestore/server/page"
)

// comparison is the address of a comparison of two versions.
func comparison(frame *page.Frame, item *content.Item, from, to *content.Entry) string {
	return frame.Root + api.ComparePath + item.ID() + "?from=" + from.Version.String() + "&to=" + to.Version.String()
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

// comparePage makes the page of a part of a comparison.
func (s *Site) comparePage(m *comparedPart) page.Page {
	item, from, to, frame := m.item, m.From, m.To, s.frame
	name := title(to.Body())
	p := page.Compare{
		Head: page.Head{
			Title: "Что изменилось: " + name, Path: frame.Root + api.ComparePath + item.ID(),
			Crumbs: kindCrumbs(frame, item.Kind, page.Link{Title: name, Href: frame.Root + to.Path()},
				page.Link{Title: "Версии", Href: frame.Root + item.Kind.ItemPath(item.Name) + "/versions"}),
			Formats: formats(frame, api.ComparePath+item.ID(), m.query(nil), api.JSONType, api.MarkdownType),
		},
		ID: to.ID(), From: s.versionLine(from), To: s.versionLine(to),
		Pair:  pairForm(frame, item, from, to, parameters(map[string]string{"section": m.Section})),
		Class: changeClass(m.class), Summary: summaries[m.class], Step: m.stepConflict(),
		Section: m.Section, Days: m.days(s.Snapshot),
	}
	drawing, effort := s.drawing(to, false), change.NewEffort()
	for _, d := range m.shown {
		p.Differences = append(p.Differences, d.page(drawing, effort))
	}
	for _, d := range m.upkeep[:min(len(m.upkeep), maxRoutine)] {
		p.Upkeep = append(p.Upkeep, page.Difference{
			ID: d.id, Title: strings.Join(d.titles, " › "), HTML: page.Pair(drawing, page.Values{Was: d.was, Is: d.is}),
		})
	}
	p.Pager = pager(func(from int) string {
		return address(frame.Root+api.ComparePath+item.ID(), m.query(url.Values{"offset": {nonDefault(from, 0)}}))
	}, maxChanges, m.from, len(m.shown), m.total)
	return p
}

// page is the difference as the page shows it.
func (d *difference) page(drawing page.Drawing, effort *change.Effort) page.Difference {
	p := page.Difference{
		ID: d.id, Title: strings.Join(d.titles, " › "), Class: changeClass(d.Class), What: string(d.What),
		Why: russian().Sprint(d.What), Look: lookAt(d.Look),
	}
	if d.Why != "" {
		p.Why += ": " + russian().Sprint(d.Why)
	}
	if len(d.Old)+len(d.New) > maxValue {
		p.Note = "Слишком длинно, чтобы показать рядом. Прочтите это в самих версиях."
		return p
	}
	if d.What == change.Moved {
		p.Note = "Изменился только порядок."
		return p
	}
	var grain change.Grain
	p.HTML, grain = page.Both(drawing, effort, page.Values{Was: d.was, Is: d.is, Unique: d.unique})
	switch grain {
	case change.ByLine:
		p.Note = "Текст слишком длинный, чтобы сравнить его по словам: сравнены строки."
	case change.AsAWhole:
		p.Note = "Текст слишком длинный, чтобы сравнить его по словам: отмечено всё между одинаковыми началом и концом."
	}
	return p
}

// maxRoutine is the maximum number of routine changes that a page lists.
const maxRoutine = 60

// query is the query of the comparison with some parameters replaced; empty values remove
// them.
func (m *compared) query(otherwise url.Values) url.Values {
	q := parameters(map[string]string{
		"from": m.From.Version.String(), "to": m.To.Version.String(), "class": m.Only,
		"section": m.Section, "offset": nonDefault(m.Offset, 0),
	})
	if m.AsOf+m.InForce != "" {
		q.Del("from")
		q = merged(q, parameters(map[string]string{"as_of": m.AsOf, InForceParameter: m.InForce}))
	}
	return merged(q, otherwise)
}

func merged(q, otherwise url.Values) url.Values {
	for name, values := range otherwise {
		if q.Del(name); values[0] != "" {
			q.Set(name, values[0])
		}
	}
	return q
}

// days say what applied on the requested day, when that was published, and what applies today.
func (m *compared) days(snapshot *content.Snapshot) (all []string) {
	published := func(e *content.Entry) string {
		return "версия " + e.Version.String() + ", опубликованная " + page.DayOf(snapshot.DayOf(e.PublishedAt))
	}
	if m.line == nil && m.AsOf != "" {
		all = append(all, page.DayOf(m.AsOf)+" последней была "+published(m.From)+".")
	}
	for name, i := range m.stretches() {
		day, verb := page.DayOf(m.InForce), "применялось: "
		if name != "applied" {
			day, verb = "Сегодня", "применяется: "
		}
		at, words := m.line.Timeline[i], "ничего"
		if at.Entry != nil {
			words = published(at.Entry)
			if period := periodWords(at.Period); period != "" {
				words += ", применяется " + period
			}
			value := page.Headline(document.Read(m.line.stated(i), &content.Field{}))
			words = strings.TrimPrefix(value+"; "+words, "; ")
		}
		all = append(all, day+" "+verb+words+".")
	}
	return all
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
