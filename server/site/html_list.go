package site

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/server/api"
	"rulestore/server/page"
)

// maxEntries is the maximum number of items on a page.
const maxEntries = 50

// listPage makes the page of a kind's list: by subject, in Russian order.
func (s *Site) listPage(k *content.Kind, f Filter, chosen []*preparedVersion) page.Page {
	p := s.listFrame(k, f, len(chosen))
	order := map[*preparedVersion]string{} // reading titles takes longer than comparing them
	for _, v := range chosen {
		order[v] = folded(s.subject(v.entry) + "\n" + titleOf(v.entry.Publication))
	}
	sorted := slices.SortedStableFunc(slices.Values(chosen), func(a, b *preparedVersion) int {
		return strings.Compare(order[a], order[b])
	})
	from := min(f.Offset, len(sorted))
	for _, v := range sorted[from:min(from+maxEntries, len(sorted))] {
		p.Entries = append(p.Entries, s.entry(v.entry, f))
	}
	p.Pager = pager(func(n int) string { return address(p.Path, f.parameters(n)) }, maxEntries, from,
		len(p.Entries), len(sorted))
	return p
}

// listFrame is the page of a list without its entries.
func (s *Site) listFrame(k *content.Kind, f Filter, total int) page.List {
	p := page.List{
		Head: page.Head{
			Title: k.Title, Description: k.About, Path: s.frame.Root + k.Path,
			Crumbs: crumbs(s.frame), Formats: formats(s.frame, k.Path, f.parameters(0), api.JSONType),
		},
		About: k.About, Total: total,
	}
	p.Filters = form(s.frame, api.Of(api.ListItems, k, ""), k.Path, f.parameters(0), s.listOffers(k),
		"scenario", "product_type", "status", "as_of", InForceParameter)
	if first := s.firstPublished(k, f.AsOf); total == 0 && f.AsOf != "" && first != "" {
		p.About += " На " + page.DayOf(f.AsOf) + " здесь ещё ничего не было; первое опубликовано " +
			page.DayOf(first) + "."
	}
	return p
}

// subjects are the titles of what parameters are about, by the beginnings of their ids.
var subjects = map[string]string{
	"aml": "Отказ банка в операции", "bankruptcy": "Банкротство", "collectors": "Взыскание долгов",
	"consumer-rights": "Права потребителей", "court-order": "Судебный приказ", "credit": "Кредиты и займы",
	"credit-history": "Кредитная история", "debt": "Долги", "deposit": "Вклады", "enforcement": "Исполнительное производство",
	"iis": "Индивидуальный инвестиционный счёт", "inheritance": "Наследство", "insurance": "Страхование", "kasko": "Каско",
	"mortgage": "Ипотека", "osago": "ОСАГО", "payments": "Платежи и переводы", "pds": "Долгосрочные сбережения",
	"rate": "Ставки", "tax": "Налоги", "time": "Сроки",
}

// subject is what an item is about: its scenario, or what its id begins with; "" if neither says anything.
func (s *Site) subject(e *content.Entry) string {
	if v := e.Body().Text("scenario"); v != "" {
		return s.scenarioTitle(v)
	}
	first, _, _ := strings.Cut(e.Name, ".")
	return subjects[first]
}

// parameters is the query of the filter, with an offset.
func (f Filter) parameters(offset int) url.Values {
	return parameters(map[string]string{
		"scenario": f.Scenario, "status": string(f.Status), "product_type": f.ProductType, "prefix": f.Prefix,
		"as_of": f.AsOf, InForceParameter: f.InForce, "offset": nonDefault(offset, 0),
	})
}

// entry is a version in a list. The current one is linked by its path without a version.
func (s *Site) entry(e *content.Entry, f Filter) page.Entry {
	path := e.Path()
	if f.AsOf == "" && f.InForce == "" && e.Status != content.Superseded {
		path = e.Kind.ItemPath(e.Name)
	}
	p := page.Entry{
		Title: titleOf(e.Publication), Href: s.frame.Root + path, Subject: s.subject(e),
		About: shorten(about(e), maxAbout), ID: e.ID(),
	}
	if e.Kind == content.Parameters {
		value := page.Headline(document.Read(s.parameterValue(e), s.config.format(e.Publication).Root()))
		p.Cells = append(p.Cells, page.Cell{Title: "Значение", Text: cmp.Or(value, "—")})
	}
	p.Cells = append(
		p.Cells, versionCell(e.Version.String()), page.Cell{Title: "Опубликовано", Text: "—", Day: e.PublishedAt},
	)
	if e.Status != content.Current || e.Draft {
		status := s.config.status(e)
		p.Status = &status
	}
	return p
}

func versionCell(version string) page.Cell { return page.Cell{Title: "Версия", Text: version} }

func (s *Site) listOffers(k *content.Kind) map[string]offer {
	return map[string]offer{
		"scenario":     {title: s.scenarioTitle},
		"product_type": s.offeredProducts(k),
		"status":       {title: func(v string) string { return s.config.statusOf(content.Status(v)).Title }},
	}
}

// folded is a text in lower case, with е in place of ё: for sorting and comparing.
func folded(text string) string { return strings.ReplaceAll(strings.ToLower(text), "ё", "е") }

// about is the summary or the description of a version.
func about(e *content.Entry) string {
	return cmp.Or(e.Body().Text("summary"), e.Body().Text("description"))
}

// maxAbout is the maximum length in bytes of that in a list.
const maxAbout = 400

// offeredProducts is the offer of product types for the items of a kind.
func (s *Site) offeredProducts(k *content.Kind) offer {
	return offer{values: s.productTypes(k), title: s.productTitle}
}

// productTypes lists the product types of the items of a kind.
func (s *Site) productTypes(k *content.Kind) (all []string) {
	for _, p := range s.lists[k] {
		all = append(all, p.listed(s.config).products...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
