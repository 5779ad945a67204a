package site

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/content/search"
	"rulestore/server/api"
	"rulestore/server/page"
)

// listPage makes the page of a kind's list.
func (s *Site) listPage(k *content.Kind, f Filter, chosen []*preparedVersion) page.List {
	p := page.List{
		Head: page.Head{
			Title: k.Title, Description: k.About, Path: s.frame.Root + k.Path,
			Crumbs: crumbs(s.frame), Formats: formats(s.frame, k.Path, f.asData().parameters(0), api.JSONType),
		},
		About: k.About, Filters: s.listForm(k, f), Total: len(chosen),
	}
	if len(chosen) == 0 && f.AsOf != "" {
		if first := s.firstPublished(k, f.AsOf); first != "" {
			p.About += " На " + page.DayOf(f.AsOf) + " здесь ещё ничего не было; первое опубликовано " +
				page.DayOf(first) + "."
		}
	}
	from := min(f.Offset, len(chosen))
	p.Entries = s.entriesOnPage(chosen[from:], f)
	at := func(offset int) string { return address(p.Path, f.parameters(offset)) }
	before := slices.Clone(chosen[max(0, from-maxEntries):from])
	slices.Reverse(before)
	p.Pager = pager(at, from-len(s.entriesOnPage(before, f)), from, len(p.Entries), len(chosen))
	return p
}

// entriesOnPage are the first of some versions, as many as fit on a page.
func (s *Site) entriesOnPage(all []*preparedVersion, f Filter) []page.Entry {
	return page.Fitting(min(len(all), maxEntries), func(i int) page.Entry { return s.entry(all[i].entry, f) })
}

// maxEntries is the maximum number of items on a page.
const maxEntries = 100

// parameters is the query of the filter, with an offset.
func (f Filter) parameters(offset int) url.Values {
	return parameters(map[string]string{
		"scenario": f.Scenario, "status": string(f.Status), "product_type": f.ProductType, "prefix": f.Prefix,
		"as_of":          f.AsOf,
		InForceParameter: f.InForce, TextParameter: f.Text,
		"offset": nonDefault(offset, 0),
	})
}

// asData is the filter without what only pages have.
func (f Filter) asData() Filter {
	f.Text = ""
	return f
}

// entry is a version in a list. The current one is linked by its path without a version.
func (s *Site) entry(e *content.Entry, f Filter) page.Entry {
	path := e.Path()
	if f.AsOf == "" && f.InForce == "" && e.Status != content.Superseded {
		path = e.Kind.ItemPath(e.Name)
	}
	p := page.Entry{
		Title: titleOf(e.Publication), Href: s.frame.Root + path,
		About: shorten(about(e), maxAbout), ID: e.ID(),
	}
	if e.Kind == content.Parameters {
		value := page.Headline(document.Read(parameterValue(e.Body()), s.config.format(e.Publication).Root()))
		p.Cells = append(p.Cells, page.Cell{Title: "Значение", Text: cmp.Or(value, "—")})
	}
	p.Cells = append(
		p.Cells, versionCell(e.Version.String()), page.Cell{Title: "Опубликовано", Text: "—", Day: e.PublishedAt},
	)
	if e.Status != content.Current || e.Draft {
		status := s.config.status(e)
		p.Status = &status
	}
	if v := e.Body().Text("scenario"); v != "" {
		p.Tags = append(p.Tags, s.scenarioTitle(v))
	}
	return p
}

func versionCell(version string) page.Cell { return page.Cell{Title: "Версия", Text: version} }

// listForm is the form that filters a list.
func (s *Site) listForm(k *content.Kind, f Filter) page.Filters {
	return form(
		s.frame, api.Of(api.ListItems, k, ""), k.Path, f.parameters(0), s.listOffers(k),
		TextParameter, "scenario", "product_type", "status", "as_of", InForceParameter,
	)
}

func (s *Site) listOffers(k *content.Kind) map[string]offer {
	return map[string]offer{
		"scenario":     {title: s.scenarioTitle},
		"product_type": s.offeredProducts(k),
		"status":       {title: func(v string) string { return s.config.statusOf(content.Status(v)).Title }},
	}
}

// TextParameter is the parameter that filters the rows of a list by words.
const TextParameter = "q"

// wordFilter has for each word that is looked for the texts of which one has to be found.
type wordFilter [][]string

// newWordFilter returns the filter by the words of a text, in any case and form.
func newWordFilter(text string) (f wordFilter) {
	for word := range strings.FieldsSeq(folded(text)) {
		either := []string{word}
		if root := search.WithoutEnding(word); utf8.RuneCountInString(root) >= minRoot {
			either = append(either, root)
		}
		f = append(f, either)
	}
	return f
}

// minRoot is the least number of letters of a word without its ending that is looked for:
// nearly every text has two letters somewhere.
const minRoot = 3

// matches reports whether the texts together have all words.
func (f wordFilter) matches(texts ...string) bool {
	all := folded(strings.Join(texts, " "))
	for _, either := range f {
		if !slices.ContainsFunc(either, func(text string) bool { return strings.Contains(all, text) }) {
			return false
		}
	}
	return true
}

// folded is a text in lower case, with е in place of ё.
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
