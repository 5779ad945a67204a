package site

import (
	"fmt"
	"hash/maphash"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/server/api"
	"rulestore/server/page"
)

// shownVersions is the maximum number of versions on an item's page.
const shownVersions = 6

// surroundings identifies the content of a version's page besides the version itself: the page
// is taken over if it is equal.
type surroundings struct {
	frame   *page.Frame
	history uint64 // hash of the versions of the item and their statuses
	remarks uint64 // hash of the remarks of a preview
}

func (s *Site) surroundings(history uint64, m *content.Manuscript) surroundings {
	return surroundings{frame: s.frame, history: history, remarks: remarksHash(m)}
}

// forPeople is the representation of a version for people, with its records in a view and the
// references to it.
func (c Config) forPeople(
	frame *page.Frame, item *content.Item, p *preparedVersion, v View, by func() mentions,
) *Representation {
	headers := func() []Header { return c.itemHeaders(p, api.HTMLType) }
	return pageOf(p.entry.ModifiedAt, headers, frame, func() page.Page { return c.itemPage(frame, item, p, v, by()) })
}

// noMentions is for pages without references to them.
func noMentions() mentions { return mentions{} }

// mentionsOf returns the references to a version; only the current one has any.
func (s *Site) mentionsOf(e *content.Entry) func() mentions {
	if item := s.Snapshot.Item(e.Kind, e.Name); item.Current == nil || item.Current.Publication != e.Publication {
		return noMentions
	}
	return func() mentions { return s.references().mentions(s.config, e.Item()) }
}

// pageWithReferences makes the page of the current version with the references to it.
func (c Config) pageWithReferences(frame *page.Frame, item *content.Item, p *preparedVersion) *referenced {
	r := p.resource
	return &referenced{target: p.entry.Item(), with: func(by mentions) *Resource {
		last := len(r.Representations) - 1
		people := c.forPeople(frame, item, p, View{}, func() mentions { return by })
		return &Resource{Representations: append(slices.Clone(r.Representations[:last]), people)}
	}}
}

var seed = maphash.MakeSeed()

// versionsOf hashes what the page of a version shows of all versions of an item.
func versionsOf(item *content.Item) uint64 {
	type version struct {
		*content.Publication
		content.Status
		since, replacedBy string
	}
	var h maphash.Hash
	h.SetSeed(seed)
	for _, e := range item.Entries {
		maphash.WriteComparable(&h, version{e.Publication, e.Status, e.Since, e.ReplacedBy})
	}
	return h.Sum64()
}

// itemPage makes the page of a version, with its records in a view.
func (c Config) itemPage(frame *page.Frame, item *content.Item, own *preparedVersion, v View, by mentions) page.Item {
	e := own.entry
	p := c.versionPage(frame, item, own)
	p.Description, p.Formats = line(about(e)), formats(frame, e.Path(), nil, api.JSONType, api.MarkdownType)
	p.Waiting, p.Signed = own.waits, signed(e)
	p.Versions, p.History = c.history(frame, item, e), frame.Root+e.Kind.ItemPath(e.Name)+"/versions"
	p.Checksum, p.Check = e.Checksum, checkCommand(c.url(e.Path()))
	p.Referrers, p.Others = by.links(frame)
	if index, ok := logged(own.log, e.Publication); ok {
		p.Logged = strconv.FormatInt(index, 10)
	}
	if e.Predecessor != nil && isReadable(e.Predecessor) {
		p.Change = own.change.get(func() *page.Changed { return c.changed(frame, item, e.Predecessor, e) })
	}
	if len(v.Filters) > 0 {
		p.Formats = formats(frame, e.Kind.ItemPath(e.Name), v.dataQuery(), api.JSONType)
	}
	fields, described := c.item(e), c.describe(e.Kind, c.format(e.Publication))
	if v.Only != nil {
		fields, described = v.Only, c.describeInForce(e)
	}
	r := c.recordsOf(own)
	if r != nil && (v.Only == nil || v.Only.Get(r.field.Name) != nil) {
		p.Records = c.table(frame, e, own.quoted, publication(item.Current) == e.Publication, r, v)
		fields = without(fields, r.field.Name)
	}
	if values := content.ValuesOf(e.Body()); values != nil && v.Only == nil {
		p.Periods = c.periodsTable(frame, own, values)
		fields = without(fields, "periods")
	}
	if v.Only == nil {
		p.Value = page.Headline(document.Read(parameterValue(e.Body()), described))
	}
	p.Remarks = remarks(own.manuscript)
	r.addRowRemarks(p.Records, own.manuscript, p.Remarks)
	drawing := drawingOf(frame, e)
	drawing.Remarks = p.Remarks
	p.Document = own.quoted.draw(c, e, document.Read(fields, described), drawing)
	return p
}

// drawingOf has the options for drawing sections of a version.
func drawingOf(frame *page.Frame, e *content.Entry) page.Drawing {
	return page.Drawing{Root: frame.Root, Path: frame.Root + e.Path()}
}

// versionPage begins the page of a version, or of a part of it.
func (c Config) versionPage(frame *page.Frame, item *content.Item, own *preparedVersion) page.Item {
	e := own.entry
	return page.Item{
		Head: page.Head{
			Title: titleOf(e.Publication), Path: frame.Root + e.Path(), Crumbs: kindCrumbs(frame, e.Kind),
		},
		Kind: c.format(e.Publication).Root().Title, ID: e.ID(), Version: e.Version.String(),
		Status: c.status(e), Published: e.PublishedAt, Notice: c.notice(frame, item, own),
	}
}

// apartOf returns the function that finds the sections for which the page of a version has no room.
// All that links to these sections shares it, as dividing a page takes drawing it.
func (s *Site) apartOf(e *content.Entry) func() page.Apart {
	return s.entries[e.Publication].quoted.apart
}

// divided makes the function that apartOf returns. Records and periods have tables of their own.
func (s *Site) divided(e *content.Entry) func() page.Apart {
	c, frame := s.config, s.frame // and not the site, which is replaced
	return sync.OnceValue(func() page.Apart {
		root := c.tree(e)
		root.Kids = slices.DeleteFunc(root.Kids, func(n document.Node) bool {
			return n.Name == "periods" || n.Field != nil && n.Field.Records
		})
		return page.Divide(root, drawingOf(frame, e))
	})
}

// parameterValue is the value of a parameter; of one with periods the value on the day on which it was
// checked, which does not depend on the current day.
func parameterValue(body content.Object) content.Object {
	for _, v := range content.ValuesOf(body) {
		if v.Has(body.Text("verified_at")) {
			return v.Fields.With(
				"valid_from", content.String(v.From),
			).With("unit", body.Get("unit")).With("inclusive", body.Get("inclusive"))
		}
	}
	return body
}

// partPage makes the page of some sections of a version.
func (c Config) partPage(
	frame *page.Frame, item *content.Item, own *preparedVersion, root *document.Node, chosen []document.Section,
) page.Item {
	e := own.entry
	p := c.versionPage(frame, item, own)
	p.Whole = p.Path
	p.Crumbs = append(p.Crumbs, page.Link{Title: p.Title, Href: p.Path})
	query, drawing := url.Values{}, drawingOf(frame, e)
	for _, s := range chosen {
		query.Add("section", s.Address)
		drawing.Only = append(drawing.Only, s.Node)
	}
	p.Formats = formats(frame, e.Path(), query, api.JSONType, api.MarkdownType)
	p.Document = own.quoted.draw(c, e, root, drawing)
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
func (c Config) notice(frame *page.Frame, item *content.Item, own *preparedVersion) *page.Notice {
	e := own.entry
	n := &page.Notice{Text: e.Reason, Since: dayIn(e.Since)}
	if item.Current != nil && item.Current.Publication != e.Publication {
		n.Links = []page.Link{
			{Title: "Действующая версия " + item.Current.Version.String(), Href: frame.Root + e.Kind.ItemPath(e.Name)},
			{Title: "Сравнить с действующей", Href: comparison(frame, item, e, item.Current)},
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
			successor := own.quoted.successor(e.ReplacedBy)
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

// history lists the newest versions, and the one shown, which may be from the previous site and
// is identified by its publication; it may be nil.
func (c Config) history(frame *page.Frame, item *content.Item, shown *content.Entry) (all []page.Version) {
	for i, e := range item.Entries {
		own := shown != nil && e.Publication == shown.Publication
		if i < shownVersions || own {
			v := c.versionLine(frame, e)
			v.Shown = own
			all = append(all, v)
		}
	}
	return all
}

func (c Config) versionLine(frame *page.Frame, e *content.Entry) page.Version {
	return page.Version{
		Number: e.Version.String(), Href: frame.Root + e.Path(), Status: c.status(e), Reason: e.Reason,
		Date: e.PublishedAt, Note: e.Note(),
	}
}

// versionsPage lists all versions of an item.
func (c Config) versionsPage(frame *page.Frame, item *content.Item) page.Versions {
	own := highest(frame, item)
	path := item.Kind.ItemPath(item.Name) + "/versions"
	p := page.Versions{
		Head: page.Head{
			Title: "Версии: " + own.Title, Path: frame.Root + path, Formats: formats(frame, path, nil, api.JSONType),
			Crumbs: kindCrumbs(frame, item.Kind, own),
		},
		ID: item.Entries[0].ID(),
	}
	p.Left = max(0, len(item.Entries)-maxEntries)
	for _, e := range item.Entries[:len(item.Entries)-p.Left] {
		v := c.versionLine(frame, e)
		v.Checksum = e.Checksum
		if item.Current != nil && e.Publication != item.Current.Publication && e.Status != content.Redacted &&
			item.Current.Status != content.Redacted {
			v.Compare = comparison(frame, item, e, item.Current)
		}
		p.Versions = append(p.Versions, v)
	}
	if to := DefaultComparison(item); len(ReadableVersions(item)) > 1 {
		p.Compare = pairForm(frame, item, ComparedWith(to), to, url.Values{})
	}
	return p
}

// highest links the highest readable version of an item by its title; if all are redacted, it
// is the id without an address.
func highest(frame *page.Frame, item *content.Item) page.Link {
	served := ReadableVersions(item)
	if len(served) == 0 {
		return page.Link{Title: item.Entries[0].ID()}
	}
	return page.Link{Title: titleOf(served[0].Publication), Href: frame.Root + served[0].Path()}
}

// checkCommand is the command that computes the checksum of an item (design, section 5).
func checkCommand(url string) string {
	return fmt.Sprintf("curl -fsS %s |\n  jq -jcS 'del(.%s)' |\n  sha256sum", url, strings.Join(content.Derived, ",."))
}
