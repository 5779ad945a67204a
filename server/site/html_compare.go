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

// pastForm is the form that compares what was there on a day with the current version.
func (m *compared) pastForm(frame *page.Frame) page.Filters {
	q := parameters(map[string]string{
		"section": m.Section, "as_of": m.AsOf, InForceParameter: m.InForce,
	})
	f := form(frame, api.Of(api.Compare, nil, ""), api.ComparePath+m.item.ID(), q, nil, dayFields(m.item.Kind)[0])
	f.Label, f.Button, f.Chosen = "День спора", "Сравнить с действующей", false
	f.Fields[0].Required = true
	return f
}

// comparePage makes the page of a part of a comparison.
func (c Config) comparePage(frame *page.Frame, quoted *quoted, m *comparedPart) page.Compare {
	item, from, to := m.item, m.From, m.To
	name := title(to.Body())
	p := page.Compare{
		Head: page.Head{
			Title: "Что изменилось: " + name, Path: frame.Root + api.ComparePath + item.ID(),
			Crumbs: kindCrumbs(frame, item.Kind, page.Link{Title: name, Href: frame.Root + to.Path()},
				page.Link{Title: "Версии", Href: frame.Root + item.Kind.ItemPath(item.Name) + "/versions"}),
			Formats: formats(frame, api.ComparePath+item.ID(), m.query(nil), api.JSONType, api.MarkdownType),
		},
		ID: to.ID(), From: c.versionLine(frame, from), To: c.versionLine(frame, to),
		Pair:  pairForm(frame, item, from, to, parameters(map[string]string{"section": m.Section})),
		Past:  m.pastForm(frame),
		Class: changeClass(m.class), Summary: summaries[m.class], Step: m.stepConflict(),
		Section: m.Section, Filters: m.filters(frame), Days: m.days(),
	}
	path, effort := frame.Root+to.Path(), change.NewEffort()
	drawing := page.Drawing{
		Own: c.BaseURL, Root: frame.Root, Path: path, Names: withPath(quoted.names(c, to), path, false),
	}
	for _, d := range m.shown {
		p.Differences = append(p.Differences, d.page(drawing, effort))
	}
	at := func(from int) string { return m.link(frame, url.Values{"offset": {nonDefault(from, 0)}}) }
	p.Pager = pager(at, m.before, m.from, len(m.shown), m.total)
	for _, d := range m.upkeep[:min(len(m.upkeep), maxRoutine)] {
		p.Upkeep = append(p.Upkeep, page.Difference{
			ID: d.id, Title: strings.Join(d.titles, " › "), HTML: page.Pair(drawing, page.Values{Was: d.was, Is: d.is}),
		})
	}
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
	var grain change.Grain
	p.HTML, grain = page.Both(drawing, effort, page.Values{
		Was: d.was, Is: d.is, Unique: d.unique, Moved: d.What == change.Moved,
	})
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
