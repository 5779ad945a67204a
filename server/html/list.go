package html

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/content/i18n"
	"rulestore/server/api"
	"rulestore/server/site"
)

// maxEntries is the maximum number of items on a page.
const maxEntries = 50

// list makes the page of a kind's list: by subject, in Russian order.
func (m maker) list(of site.ShownList) List {
	order := map[*content.Entry]string{} // reading titles takes longer than comparing them
	for _, e := range of.Versions {
		order[e] = folded(m.subject(e) + "\n" + titleOf(e.Publication))
	}
	sorted := slices.SortedStableFunc(slices.Values(of.Versions), func(a, b *content.Entry) int {
		return strings.Compare(order[a], order[b])
	})
	n := len(sorted)
	return m.listOf(of.Kind, of.Filter, n, n, func(i int) Row { return m.row(sorted[i], of.Filter) })
}

// inForce is the page of that list: first what is in force, then the rest.
func (m maker) inForce(of site.ShownInForce) List {
	all := slices.Concat(of.In, of.Out)
	return m.listOf(of.Kind, of.Filter, len(of.In), len(all), func(i int) Row {
		e := all[i].Entry()
		row := m.row(e, of.Filter)
		row.Subject, row.Lines = "", m.stretchWords(of.Kind, all[i].Words())
		days := site.Filter{AsOf: of.AsOf, InForce: of.InForce}
		row.Href = site.Address(m.root+of.Kind.ItemPath(e.Name), filterQuery(days, 0))
		return row
	})
}

// listOf is the page of a list of n rows; total is the number of those that are counted.
func (m maker) listOf(k *content.Kind, f site.Filter, total, n int, row func(int) Row) List {
	p := List{
		Head:  m.head(k.Title, k.About, k.Path, filterQuery(f, 0)),
		About: k.About, Total: total,
	}
	p.Filters = m.form(api.Of(api.ListItems, k, ""), k.Path, filterQuery(f, 0), m.listOffers(k),
		"scenario", "product_type", "status", "as_of", site.InForceParameter)
	if total == 0 && f.AsOf != "" && m.FirstPublished(k, f.AsOf) != "" {
		p.About += " На " + i18n.DayOf(f.AsOf) + " здесь ещё ничего не было; первое опубликовано " +
			i18n.DayOf(m.FirstPublished(k, f.AsOf)) + "."
	}
	from := min(f.Offset, n)
	for i := from; i < min(from+maxEntries, n); i++ {
		p.Rows = append(p.Rows, row(i))
	}
	at := func(offset int) string { return site.Address(p.Path, filterQuery(f, offset)) }
	p.Pager = pager(at, maxEntries, from, len(p.Rows), n)
	return p
}

// subjects are the titles of what parameters are about, by the beginnings of their ids.
var subjects = map[string]string{
	"account": "Банковские счета", "aml": "Отказ банка в операции", "bankruptcy": "Банкротство",
	"collectors": "Взыскание долгов", "consumer-rights": "Права потребителей", "court-order": "Судебный приказ",
	"credit": "Кредиты и займы", "credit-history": "Кредитная история", "debt": "Долги", "deposit": "Вклады",
	"digital-rouble": "Цифровой рубль", "enforcement": "Исполнительное производство",
	"iis": "Индивидуальный инвестиционный счёт", "inheritance": "Наследство", "instalment": "Рассрочка",
	"insurance": "Страхование", "investment": "Инвестиции", "kasko": "Каско", "mortgage": "Ипотека", "osago": "ОСАГО",
	"payments": "Платежи и переводы", "pds": "Долгосрочные сбережения", "pension": "Пенсионные накопления",
	"rate": "Ставки", "tax": "Налоги", "time": "Сроки",
}

// subject is what an item is about: its scenario, or what its id begins with; "" if neither says anything.
func (m maker) subject(e *content.Entry) string {
	if v := e.Body().Text("scenario"); v != "" {
		return m.ScenarioTitle(v)
	}
	first, _, _ := strings.Cut(e.Name, ".")
	return subjects[first]
}

// filterQuery is the query of a filter, with an offset.
func filterQuery(f site.Filter, offset int) url.Values {
	return site.Query(map[string]string{
		"scenario": f.Scenario, "status": string(f.Status), "product_type": f.ProductType, "prefix": f.Prefix,
		"as_of": f.AsOf, site.InForceParameter: f.InForce, "offset": site.NonDefault(offset, 0),
	})
}

// row is a version in a list. The current one is linked by its path without a version.
func (m maker) row(e *content.Entry, f site.Filter) Row {
	path := e.Path()
	if f.AsOf == "" && f.InForce == "" && e.Status != content.Superseded {
		path = e.Kind.ItemPath(e.Name)
	}
	p := Row{
		Title: titleOf(e.Publication), Href: m.root + path, Subject: m.subject(e),
		About: site.Shorten(site.About(e), maxAbout), Code: e.ID(),
	}
	if e.Kind == content.Parameters {
		value := Headline(document.Read(m.parameterValue(e), m.Format(e.Publication)))
		p.Cells = append(p.Cells, Cell{Title: "Значение", Text: cmp.Or(value, "—")})
	}
	p.Cells = append(
		p.Cells, versionCell(e.Version.String()), Cell{Title: "Опубликовано", Text: timed(e.PublishedAt)},
	)
	if e.Status != content.Current || e.Draft {
		status := m.Status(e)
		p.Status = &status
	}
	return p
}

func versionCell(version string) Cell { return Cell{Title: "Версия", Text: version} }

func (m maker) listOffers(k *content.Kind) map[string]offer {
	return map[string]offer{
		"scenario":     {title: m.ScenarioTitle},
		"product_type": m.offeredProducts(k),
		"status":       {title: func(v string) string { return m.StatusOf(content.Status(v)).Title }},
	}
}

// folded is a text in lower case, with е in place of ё: for sorting and comparing.
func folded(text string) string { return strings.ReplaceAll(strings.ToLower(text), "ё", "е") }

// maxAbout is the maximum length in bytes of that in a list.
const maxAbout = 400

// offeredProducts is the offer of product types for the items of a kind.
func (m maker) offeredProducts(k *content.Kind) offer {
	return offer{values: m.ProductTypes(k), title: m.ProductTitle}
}

// stretchWords describe a stretch for people: a line for the day, and one each for what was before
// and what comes next.
func (m maker) stretchWords(k *content.Kind, o content.Object) (lines []string) {
	schema := m.Newest(k)
	for _, part := range []struct{ name, title string }{
		{site.InForceParameter, "В силе"}, {"not_in_force", "Не в силе"}, {"previous", "До этого"},
		{"next", "После этого"},
	} {
		var own content.Object
		if json.Unmarshal(o.Get(part.name), &own) != nil { // it has no such stretch
			continue
		}
		days, stated := periodWords(content.Period{From: own.Text("from"), To: own.Text("to")}), own
		if part.name == site.InForceParameter {
			stated = o
		}
		value := valueWords(schema, stated)
		if value == "" {
			lines = append(lines, strings.TrimSpace(part.title+" "+days))
			continue
		}
		lines = append(lines, part.title+": "+strings.TrimSuffix(value+", "+days, ", "))
	}
	if since := o.Text("first_published_at"); since != "" {
		lines = append(lines, "Впервые опубликовано "+i18n.DayOf(since))
	}
	return lines
}

// periodWords is a period for people, "" if it is all days.
func periodWords(p content.Period) (text string) {
	if p.From != "" && p.From == p.To {
		return i18n.DayOf(p.From)
	}
	if p.From != "" {
		text = "с\u00A0" + i18n.DayOf(p.From)
	}
	if p.To != "" {
		text += " по\u00A0" + i18n.DayOf(p.To)
	}
	return strings.TrimPrefix(text, " ")
}

// upcoming is the page of upcoming publications.
func (m maker) upcoming() List {
	about := "Что уже запечатано и станет действующим в свой день."
	p := List{
		Head:  m.head("Будет опубликовано", about, api.UpcomingPath, nil),
		About: about, Total: len(m.Snapshot.Upcoming),
	}
	for _, u := range m.Snapshot.Upcoming[:min(len(m.Snapshot.Upcoming), maxEntries)] {
		p.Rows = append(p.Rows, m.upcomingRow(u))
	}
	return p
}

// upcomingRow is an upcoming publication in a list on a page.
func (m maker) upcomingRow(u *content.Publication) Row {
	what := "С " + i18n.DayOf(m.Snapshot.DayOf(u.PublishedAt)) + ", новое"
	if c := m.WillChange(u); c.Replaces != "" {
		what = fmt.Sprintf("С %s вместо %s: %s, отличий %d", i18n.DayOf(m.Snapshot.DayOf(u.PublishedAt)), c.Replaces,
			changeClass(c.Class).Title, len(c.Fields))
	}
	row := Row{
		Title: titleOf(u), About: what, Code: u.Tag(), Cells: []Cell{versionCell(u.Version.String())},
	}
	if m.Snapshot.Item(u.Kind, u.Name) != nil {
		row.Href = m.root + u.Kind.ItemPath(u.Name)
	}
	return row
}

// valueWords is the value of a parameter with its unit for people, "" if there is none.
func valueWords(schema *content.Field, stated content.Object) string {
	value := document.Read(stated, schema).Member("value")
	switch {
	case value == nil:
		return ""
	case !value.IsList():
		return Figure(value)
	}
	var all []string
	for i := range value.Kids {
		all = append(all, value.Kids[i].Text)
	}
	return strings.Join(all, "; ")
}
