package site

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/server/api"
	"rulestore/server/page"
)

// shownVersions is the maximum number of versions on an item's page.
const shownVersions = 6

// itemPage makes the page of a version, with its records in a view.
func (s *Site) itemPage(e *content.Entry, v View) page.Page {
	c, frame := s.config, s.frame
	item, own := s.Snapshot.Item(e.Kind, e.Name), s.entries[e.Publication]
	for _, now := range item.Entries {
		if now.Publication == e.Publication { // e may be of an earlier site
			e = now
		}
	}
	p := page.Item{
		Head: page.Head{
			Title: titleOf(e.Publication), Description: line(about(e)), Path: frame.Root + e.Path(),
			Crumbs:  kindCrumbs(frame, e.Kind),
			Formats: formats(frame, e.Path(), nil, api.JSONType, api.MarkdownType),
		},
		Kind: c.format(e.Publication).Root().Title, ID: e.ID(), Version: e.Version.String(),
		Status: c.status(e), Published: e.PublishedAt, Notice: s.notice(item, e), Strip: s.strip(item, e),
		Signed:   signed(e),
		Versions: s.history(item, e), History: frame.Root + e.Kind.ItemPath(e.Name) + "/versions",
		Checksum: e.Checksum, Check: page.CheckCommand(c.url(e.Path())),
	}
	if index, ok := s.Logged(e.Publication); ok {
		p.Logged = strconv.FormatInt(index, 10)
	}
	if e.Predecessor != nil && isReadable(e.Predecessor) {
		p.Compare = comparison(frame, item, e.Predecessor, e)
	}
	if publication(item.Current) == e.Publication {
		p.Referrers, p.Others = s.references().mentions(c, e.Item()).links(frame)
	}
	if len(v.Filters) > 0 {
		p.Formats = formats(frame, e.Kind.ItemPath(e.Name), v.query(0), api.JSONType)
	}
	fields, described := c.item(e), c.describe(e.Kind, c.format(e.Publication))
	if v.Only != nil {
		fields, described = v.Only, c.describeInForce(e)
	}
	if r := c.recordsOf(own); r != nil && (v.Only == nil || v.Only.Get(r.field.Name) != nil) {
		p.Records = s.table(e, publication(item.Current) == e.Publication, r, v)
		fields = without(fields, r.field.Name)
	}
	if values := content.ValuesOf(e.Body()); values != nil && v.Only == nil {
		p.Periods = s.periodsTable(e, values)
		fields = without(fields, "periods")
	}
	if v.Only == nil {
		p.Value = page.Headline(document.Read(s.parameterValue(e), described))
	}
	p.Document = page.Draw(document.Read(fields, described), s.drawing(e, true))
	if p.Periods != nil {
		p.Contents = append([]page.Heading{{ID: "#periods", Text: p.Periods.Title}}, p.Contents...)
	}
	if p.Records != nil {
		p.Contents = append([]page.Heading{{ID: "#records-title", Text: p.Records.Title}}, p.Contents...)
	}
	return p
}

// parameterValue is the value of a parameter; of one with periods the value in force today, if there is one.
func (s *Site) parameterValue(e *content.Entry) content.Object {
	body := e.Body()
	values := content.ValuesOf(body)
	for _, v := range values {
		if v.Has(s.Snapshot.Date) {
			return v.Fields.With(
				"valid_from", content.String(v.From),
			).With("unit", body.Get("unit")).With("inclusive", body.Get("inclusive"))
		}
	}
	if values != nil {
		return nil
	}
	return body
}

// strip says in one sentence what applies today of the current version of an item, since when it does and
// was published, and what comes next.
func (s *Site) strip(item *content.Item, e *content.Entry) (parts []page.Link) {
	if publication(item.Current) != e.Publication || e.Draft || e.Status != content.Current {
		return nil
	}
	since, next := "", ""
	if t := s.timeline(item, ""); t != nil && api.HasPeriods(e.Kind) {
		now := t.Timeline[t.At(s.Snapshot.Date)]
		if i := t.After(t.At(s.Snapshot.Date)); i >= 0 {
			next = ", дальше — с " + page.DayOf(t.Timeline[i].From)
		}
		switch {
		case now.Entry == nil:
			since = "сегодня не действует"
		case now.From != "":
			since = "действует с " + page.DayOf(now.From)
		}
	}
	text := strings.TrimPrefix(since+", версия "+e.Version.String()+" опубликована "+page.Day(e.PublishedAt)+next, ", ")
	parts = []page.Link{{Title: upperFirst(text) + "."}}
	for _, p := range s.Snapshot.Upcoming {
		if p.Item() == e.Item() {
			parts = append(parts, page.Link{Title: " С " + page.DayOf(s.Snapshot.DayOf(p.PublishedAt)) + " — "},
				page.Link{Title: "версия " + p.Version.String(), Href: s.frame.Root + api.UpcomingPath},
				page.Link{Title: "."})
		}
	}
	return parts
}

// recordPage makes the page of a single record.
func (s *Site) recordPage(e *content.Entry, r *records, record content.Object) page.Page {
	code, base := r.code(record), e.Kind.ItemPath(e.Name)
	path := base + "/" + url.PathEscape(code)
	p := page.Item{
		Head: page.Head{
			Title: r.title(record), Description: line(record.Text("description")), Path: s.frame.Root + path,
			Formats: formats(s.frame, path, nil, api.JSONType, api.MarkdownType),
			Crumbs:  kindCrumbs(s.frame, e.Kind, page.Link{Title: e.Body().Text("title"), Href: s.frame.Root + base}),
		},
		Kind: r.field.Items.Title, ID: code, Version: e.Version.String(), Status: s.config.status(e),
		Published: e.PublishedAt, History: s.frame.Root + base + "/versions",
		Document: page.Draw(document.Read(record, r.field.Items), s.drawing(e, false)),
	}
	p.Referrers, p.Others = s.references().mentions(s.config, r.target(e.Name, code)).links(s.frame)
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

// notice is the status of a version, nil if it is current without restrictions.
func (s *Site) notice(item *content.Item, e *content.Entry) *page.Notice {
	n := &page.Notice{Text: e.Reason, Since: dayIn(e.Since)}
	if item.Current != nil && item.Current.Publication != e.Publication {
		n.Links = []page.Link{
			{
				Title: "Действующая версия " + item.Current.Version.String(),
				Href:  s.frame.Root + e.Kind.ItemPath(e.Name),
			},
			{Title: "Сравнить с действующей", Href: comparison(s.frame, item, e, item.Current)},
		}
	}
	switch {
	case e.Draft:
		n.Text = "Черновик: эту версию ещё никто не опубликовал."
		n.Links = nil
	case e.Status == content.Superseded:
		n.Text, n.Since = "Это прежняя версия, её заменила другая.", time.Time{}
	case e.Status == content.Archived:
		n.Text = "В архиве: по этой версии больше не отвечают." + reasonSentence(e.Reason)
		if e.ReplacedBy != "" {
			successor := s.replacement(e.ReplacedBy)
			n.Links = append(n.Links, page.Link{Title: "Вместо неё: " + successor.Title, Href: successor.Href})
		}
	case e.Status == content.ReviewRequired:
		n.Text = "Версия ждёт проверки человеком." + reasonSentence(e.Reason)
	default:
		return nil
	}
	return n
}

// reasonSentence is a reason as a second sentence, "" if there is none.
func reasonSentence(reason string) string {
	if reason = strings.TrimSpace(reason); reason == "" {
		return ""
	}
	return " Причина: " + strings.TrimRight(reason, ".") + "."
}

// history lists the newest versions, and the one shown, which may be nil.
func (s *Site) history(item *content.Item, shown *content.Entry) (all []page.Version) {
	for i, e := range item.Entries {
		own := shown != nil && e.Publication == shown.Publication
		if i < shownVersions || own {
			v := s.versionLine(e)
			v.Shown = own
			all = append(all, v)
		}
	}
	return all
}

func (s *Site) versionLine(e *content.Entry) page.Version {
	return page.Version{
		Number: e.Version.String(), Href: s.frame.Root + e.Path(), Status: s.config.status(e), Reason: e.Reason,
		Date: e.PublishedAt, Note: e.Note(),
	}
}

// versionsPage lists all versions of an item.
func (s *Site) versionsPage(item *content.Item) page.Page {
	frame, own, to := s.frame, page.Link{Title: item.Entries[0].ID()}, DefaultComparison(item)
	if served := ReadableVersions(item); len(served) > 0 {
		own = page.Link{Title: titleOf(served[0].Publication), Href: frame.Root + served[0].Path()}
	}
	path := item.Kind.ItemPath(item.Name) + "/versions"
	p := page.Versions{
		Head: page.Head{
			Title: "Версии: " + own.Title, Path: frame.Root + path, Formats: formats(frame, path, nil, api.JSONType),
			Crumbs: kindCrumbs(frame, item.Kind, own),
		},
		ID: item.Entries[0].ID(), Left: max(0, len(item.Entries)-maxEntries),
	}
	for _, e := range item.Entries[:len(item.Entries)-p.Left] {
		v := s.versionLine(e)
		v.Checksum = e.Checksum
		if e.Publication != to.Publication && e.Status != content.Redacted && to.Status != content.Redacted {
			v.Compare = comparison(frame, item, e, to)
		}
		p.Versions = append(p.Versions, v)
	}
	if len(ReadableVersions(item)) > 1 {
		p.Compare = pairForm(frame, item, ComparedWith(to), to, url.Values{})
	}
	return p
}

// links are links to the referrers for pages.
func (m mentions) links(frame *page.Frame) (links []page.Link, left int) {
	few, left := m.few()
	for _, by := range few {
		l := page.Link{Title: cmp.Or(by.title, by.id), Href: frame.Root + by.path}
		if by.sections != nil {
			l.Href += "#" + by.sections[0]
		}
		links = append(links, l)
	}
	return links, left
}

// signed says who signed a version.
func signed(e *content.Entry) []page.Statement {
	if e.SignedBy == (content.Signature{}) {
		return nil
	}
	what := map[string]string{
		content.SignedTag: "тег публикации", content.SignedCommit: "коммит", content.SignedSeal: "коммит с печатью",
	}
	return []page.Statement{
		{
			Title: "Подписал",
			Value: fmt.Sprintf("%s — %s", e.SignedBy.Signer, cmp.Or(what[e.SignedBy.Object], e.SignedBy.Object)),
		},
		{Title: "Ключ", Value: e.SignedBy.Key, Code: true},
	}
}
