package html

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/content/i18n"
	"rulestore/server/api"
	"rulestore/server/site"
)

// shownVersions is the maximum number of versions on an item's page.
const shownVersions = 6

// version makes the page of a version, with its records in a view.
func (m maker) version(of site.ShownVersion) Item {
	e, v := of.Entry, of.View
	item := m.Snapshot.Item(e.Kind, e.Name)
	for _, now := range item.Entries {
		if now.Publication == e.Publication { // e may be of an earlier site
			e = now
		}
	}
	p := Item{
		Head:  m.head(titleOf(e.Publication), site.Line(site.About(e)), e.Path(), nil, m.kindLink(e.Kind)),
		Entry: e, Kind: m.Format(e.Publication).Title, ID: e.ID(), Status: m.Status(e), Strip: m.strip(item, e),
		Versions: m.history(item, e), History: m.root + e.Kind.ItemPath(e.Name) + "/versions",
		Check: checkCommand(m.URL(e.Path())),
	}
	p.Why, p.Instead = m.notice(item, e)
	if index, ok := m.Logged(e.Publication); ok {
		p.Logged = strconv.FormatInt(index, 10)
	}
	if e.Predecessor != nil && e.Predecessor.Status != content.Redacted && e.Predecessor.Sound() {
		p.Compare = m.compared(e.Predecessor, e)
	}
	if isCurrent(item, e) {
		p.Referrers, p.Others = m.referrers(e.Item())
	}
	if len(v.Filters) > 0 {
		p.Formats = m.formats(e.Kind.ItemPath(e.Name), viewQuery(v, 0))
	}
	fields, described := m.Fields(e)
	if v.Only != nil {
		fields, described = v.Only(), m.InForceFields(e)
	}
	if r := m.RecordsOf(e); r != nil && fields.Get(r.Field.Name) != nil {
		p.Records = m.table(e, isCurrent(item, e), r, v)
		fields = without(fields, r.Field.Name)
	}
	if values := content.ValuesOf(e.Body()); values != nil && v.Only == nil {
		p.Periods = m.periods(e, values)
		fields = without(fields, "periods")
	}
	if v.Only == nil && e.Kind == content.Parameters {
		p.Value = Headline(document.Read(m.parameterValue(e), described))
	}
	p.Document = Draw(document.Read(fields, described), m.drawing(e, true))
	if p.Periods != nil {
		p.Contents = append([]Heading{{ID: "#periods", Text: p.Periods.Title}}, p.Contents...)
	}
	if p.Records != nil {
		p.Contents = append([]Heading{{ID: "#records-title", Text: p.Records.Title}}, p.Contents...)
	}
	return p
}

// parameterValue is the value of a parameter; of one with periods the value in force today, if there is one.
func (m maker) parameterValue(e *content.Entry) content.Object {
	body := e.Body()
	values := content.ValuesOf(body)
	for _, v := range values {
		if v.Has(m.Snapshot.Date) {
			return v.Fields.With(
				"valid_from", content.String(v.From),
			).With("unit", body.Get("unit")).With("inclusive", body.Get("inclusive"))
		}
	}
	if values != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(body), func(m content.Member) bool {
		return m.Name != "value" && m.Name != "unit" && m.Name != "inclusive" && m.Name != "valid_from"
	})
}

// strip says in one sentence what applies today of the current version of an item, since when it does and
// was published, and what comes next.
func (m maker) strip(item *content.Item, e *content.Entry) (parts []Link) {
	if !isCurrent(item, e) || e.Draft || e.Status != content.Current {
		return nil
	}
	since, next := "", ""
	if now, after, ok := m.Today(item); ok && api.HasPeriods(e.Kind) {
		if after != nil {
			next = ", дальше — с " + i18n.DayOf(after.From)
		}
		switch {
		case now.Entry == nil:
			since = "сегодня не действует"
		case now.From != "":
			since = "действует с " + i18n.DayOf(now.From)
		}
	}
	text := strings.TrimPrefix(since+", версия "+e.Version.String()+" опубликована "+i18n.Day(e.PublishedAt)+next, ", ")
	parts = []Link{{Title: i18n.Capital(text) + "."}}
	for _, p := range m.Snapshot.Upcoming {
		if p.Item() == e.Item() {
			parts = append(parts, Link{Title: " С\u00A0" + i18n.DayOf(m.Snapshot.DayOf(p.PublishedAt)) + " — "},
				Link{Title: "версия " + p.Version.String(), Href: m.root + api.UpcomingPath},
				Link{Title: "."})
		}
	}
	return parts
}

// record makes the page of a single record.
func (m maker) record(of site.ShownRecord) Item {
	e, r, record := of.Entry, of.Records, of.Record
	code, base := r.Code(record), e.Kind.ItemPath(e.Name)
	path := base + "/" + url.PathEscape(code)
	p := Item{
		Head: m.head(r.Title(record), site.Line(record.Text("description")), path, nil, m.kindLink(e.Kind),
			Link{e.Body().Text("title"), m.root + base}),
		Kind: r.Field.Items.Title, ID: code, Entry: e, Status: m.Status(e),
		History:  m.root + base + "/versions",
		Document: Draw(document.Read(record, r.Field.Items), m.drawing(e, false)),
	}
	p.Referrers, p.Others = m.referrers(r.Target(e.Name, code))
	return p
}

// without removes a field from an object.
func without(o content.Object, name string) (rest content.Object) {
	for _, m := range o {
		if m.Name != name {
			rest = append(rest, m)
		}
	}
	return rest
}

// notice says why a reader should not rely on a version, by a code, and what to read in its place; "" if
// it is current without restrictions.
func (m maker) notice(item *content.Item, e *content.Entry) (why string, instead []Link) {
	switch {
	case e.Draft:
		return "draft", nil
	case e.Status == content.Current:
		return "", nil
	}
	if item.Current != nil && !isCurrent(item, e) {
		instead = []Link{
			{
				Title: "Действующая версия " + item.Current.Version.String(),
				Href:  m.root + e.Kind.ItemPath(e.Name),
			},
			{Title: "Сравнить с действующей", Href: m.compared(e, item.Current)},
		}
	}
	if e.Status == content.Archived && e.ReplacedBy != "" {
		named, _ := m.Named(e.ReplacedBy)
		successor := m.link(named)
		instead = append(instead, Link{"Вместо неё: " + cmp.Or(successor.Title, e.ReplacedBy), successor.Href})
	}
	return string(e.Status), instead
}

// history lists the newest versions, and the one shown, which may be nil.
func (m maker) history(item *content.Item, shown *content.Entry) (all []Version) {
	for i, e := range item.Entries {
		own := shown != nil && e.Publication == shown.Publication
		if i < shownVersions || own {
			v := m.versionLine(e)
			v.Shown = own
			all = append(all, v)
		}
	}
	return all
}

func (m maker) versionLine(e *content.Entry) Version {
	return Version{Entry: e, Href: m.root + e.Path(), Status: m.Status(e)}
}

// versions lists all versions of an item.
func (m maker) versions(item *content.Item) Versions {
	own, to := Link{Title: item.Entries[0].ID()}, site.DefaultComparison(item)
	if served := site.ReadableVersions(item); len(served) > 0 {
		own = Link{Title: titleOf(served[0].Publication), Href: m.root + served[0].Path()}
	}
	path := item.Kind.ItemPath(item.Name) + "/versions"
	p := Versions{
		Head: m.head("Версии: "+own.Title, "", path, nil, m.kindLink(item.Kind), own),
		ID:   item.Entries[0].ID(), Left: max(0, len(item.Entries)-maxEntries),
	}
	for _, e := range item.Entries[:len(item.Entries)-p.Left] {
		v := m.versionLine(e)
		if e.Publication != to.Publication && e.Status != content.Redacted && to.Status != content.Redacted {
			v.Compare = m.compared(e, to)
		}
		p.Versions = append(p.Versions, v)
	}
	if len(site.ReadableVersions(item)) > 1 {
		p.Compare = m.pairForm(item, site.ComparedWith(to), to, url.Values{})
	}
	return p
}

// isCurrent reports whether a version is the current one of its item.
func isCurrent(item *content.Item, e *content.Entry) bool {
	return item.Current != nil && item.Current.Publication == e.Publication
}

// titleOf is the title of a version, or its id if it has none.
func titleOf(p *content.Publication) string { return cmp.Or(p.Body().Text("title"), p.ID()) }

// compared is the address of a comparison of two versions.
func (m maker) compared(from, to *content.Entry) string {
	return m.root + site.ComparisonPath(from, to)
}

// link is a link to something in the service.
func (m maker) link(l site.Link) Link {
	if l.Path == "" || l.Path[0] == '#' {
		return Link{l.Title, l.Path}
	}
	return Link{l.Title, m.root + l.Path}
}

// Links are links to what is in the service.
func Links(s *site.Site, all []site.Link) (links []Link) {
	for _, l := range all {
		links = append(links, makerOf(s, nil).link(l))
	}
	return links
}

// referrers are links to the first of what refers to a target, and the number of the others.
func (m maker) referrers(target string) (links []Link, left int) {
	few, left := m.Referrers(target)
	return Links(m.Site, few), left
}
