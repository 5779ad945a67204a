package mcpserver

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// itemMissing is the error for an item that there is not.
func itemMissing(k *content.Kind) error {
	tools := "search"
	if k.List {
		tools = listTool(k) + ", search"
	}
	return &toolError{Code: k.Name + "_not_found", Detail: "Такого элемента нет. Что есть: " + tools + "."}
}

// fraudBrief combines the records of the registries for signals and states.
func (c *call) fraudBrief() (reply, error) {
	switch res := c.site.Lookup(api.FraudBriefPath); {
	case res == nil:
		return refused("registry_not_found", "Справочника признаков сейчас нет.")
	case res.Gone != nil:
		return c.resource(res, false)
	}
	signals, states := c.lists["signal"], c.lists["state"]
	c.site.CheckFraud(signals, states, c)
	if err := c.err(); err != nil {
		return reply{}, err
	}
	return c.resource(c.site.FraudBrief(signals, states), false)
}

// readItem reads a version of an item, given by the name in its address or by its id, which lists
// and searches return.
func (c *call) readItem() (reply, error) {
	it := find(c.site, c.kind, cmp.Or(c.item, c.Text(c.kind.Argument())))
	if it == nil {
		return reply{}, itemMissing(c.kind)
	}
	if c.Has(site.InForceParameter) {
		return c.inForce(it)
	}
	e, err := c.versionOf(it)
	if err != nil {
		return reply{}, err
	}
	return c.selected(e)
}

// inForce is the version of an item in force on a day.
func (c *call) inForce(it *content.Item) (reply, error) {
	if c.Has("version") || c.Text("view") == site.ReferrersView {
		c.Fault(
			site.InForceParameter, "inconsistent", "На день отвечает та версия, что в силе.",
			"Уберите version и view или in_force.",
		)
		return reply{}, c.err()
	}
	asOf, on := c.Text("as_of"), c.Text(site.InForceParameter)
	if e := c.site.InForceVersion(it, asOf, on); e != nil && (c.Has("section") || c.Has("view")) {
		return c.selected(e)
	}
	if res := c.site.InForce(it, asOf, on); res != nil {
		return c.resource(res, c.asMarkdown())
	}
	e, err := c.versionOf(it) // one that cannot be read
	if err != nil {
		return reply{}, err
	}
	return c.selected(e)
}

// selected is the requested part of a version: all, some sections, or its brief.
func (c *call) selected(e *content.Entry) (reply, error) {
	past := ""
	if c.Has(versionName) || c.Has(api.AsOf) {
		past = versionName + " и " + api.AsOf
	}
	wanted := site.AskedPart(c.lists[api.Section], c, past)
	if err := c.err(); err != nil {
		return reply{}, err
	}
	r, err := c.sectioned(c.site.Part(e, wanted))
	if r.text != nil && !wanted.Whole() && e.Kind.Path == content.Instructions.Path {
		r.text = []byte(c.server.forTools(r.text, c.site.Discovery(e)))
	}
	r.of = e
	return r, err
}

// find returns the item of a name or id at the paths of a kind, nil if there is none.
func find(s *site.Site, k *content.Kind, name string) *content.Item {
	for _, other := range content.Kinds {
		if it := s.Snapshot.Item(other, name); it != nil && other.Path == k.Path {
			return it
		}
	}
	i := slices.IndexFunc(s.Snapshot.Items, func(it *content.Item) bool {
		return it.Kind.Path == k.Path && it.Entries[0].Publication.ID() == name
	})
	if i < 0 {
		return nil
	}
	return s.Snapshot.Items[i]
}

// versionOf returns the requested version of an item: the one given, that of a day, or the
// current one; if all are redacted, the highest.
func (c *call) versionOf(it *content.Item) (*content.Entry, error) {
	served := func(e *content.Entry) bool { return e != nil && c.site.Lookup(e.Path()) != nil }
	switch {
	case c.Has("version") && c.Has("as_of"):
		c.Fault("as_of", "inconsistent", site.VersionAndDay, site.LeaveOne)
		return nil, c.err()
	case c.Has("version"):
		if e := it.Version(c.Text("version")); served(e) {
			return e, nil
		}
		return nil, versionMissing()
	case c.Has("as_of"):
		if e := c.site.Snapshot.On(c.Text("as_of")).Current(it); served(e) {
			return e, nil
		}
		return nil, c.nothingOn(it)
	}
	if e := it.Current; served(e) {
		return e, nil
	}
	if e := it.Entries[0]; e.Status == content.Redacted {
		return e, nil
	}
	return nil, &toolError{Code: "no_current_version", Detail: site.NoCurrentVersion + allVersions}
}

const allVersions = " Все версии: list_versions."

// versionMissing is the error for a version that an item does not have.
func versionMissing() error {
	return &toolError{Code: "version_not_found", Detail: site.NoVersion + allVersions}
}

// nothingOn says that nothing of an item applied on the requested days.
func (c *call) nothingOn(it *content.Item) error {
	asOf, on := c.Text("as_of"), c.Text(site.InForceParameter)
	e := &toolError{
		Code: "not_published_then", Detail: c.site.NothingOn(it, it.ID(), asOf, on) + allVersions,
	}
	if on != "" {
		e.Code = "not_in_force_then"
	}
	return e
}

// asMarkdown reports whether the answer shall be Markdown.
func (c *call) asMarkdown() bool { return c.Text(formatName) == "markdown" }

// resource is what HTTP answers at the resource.
func (c *call) resource(res *site.Resource, asMarkdown bool) (r reply, err error) {
	if g := res.Gone; g != nil {
		return r, &toolError{Code: "redacted", Detail: g.Detail(), Gone: g}
	}
	r.json = c.body(res, api.JSONType)
	if asMarkdown {
		r.text = c.body(res, api.MarkdownType)
		r.json = representation(res, api.JSONType).Body.Identity(c.now) // without the content
	}
	return r, nil
}

// body is the body of a resource in a media type, nil if it has none.
func (c *call) body(res *site.Resource, mediaType string) []byte {
	return bodyOf(res, mediaType, c.now)
}

func bodyOf(res *site.Resource, mediaType, now string) []byte {
	if rep := representation(res, mediaType); rep != nil {
		return rep.Body.Append(nil, now)
	}
	return nil
}

// representation is a resource in a media type, nil if it has none.
func representation(res *site.Resource, mediaType string) *site.Representation {
	for _, rep := range res.Representations {
		if rep.Type == mediaType {
			return rep.Ready()
		}
	}
	return nil
}

// list reads the list of a kind.
func (c *call) list() (reply, error) {
	f := c.site.AskedFilter(c)
	if err := c.err(); err != nil {
		return reply{}, err
	}
	return c.page(c.site.List(c.kind, f))
}

// versions lists the versions of an item of any kind.
func (c *call) versions() (reply, error) {
	it, err := c.namedItem()
	if err != nil {
		return reply{}, err
	}
	return c.page(c.site.Lookup(it.Kind.ItemPath(it.Name) + "/versions"))
}

// namedItem is the item that the arguments folder and name refer to.
func (c *call) namedItem() (*content.Item, error) {
	k := content.KindOf(c.Text("folder"))
	it := find(c.site, k, c.Text("name"))
	if it == nil {
		return nil, itemMissing(k)
	}
	return it, nil
}

// records reads the records of a registry, or the registry if it has none.
func (c *call) records() (reply, error) {
	item := c.site.Snapshot.Item(content.Registries, c.item)
	if item == nil {
		return refused("registry_not_found", "Этого справочника сейчас нет.")
	}
	e, err := c.versionOf(item)
	if err != nil {
		return reply{}, err
	}
	values := c.site.AskedRecords(item, c, c.Text("as_of"))
	if err := c.err(); err != nil {
		return reply{}, err
	}
	return c.page(c.site.Records(e, site.View{Filters: values}))
}

// record reads one record of any registry.
func (c *call) record() (reply, error) {
	code := c.Text("code")
	res := c.site.Lookup(content.Registries.ItemPath(c.Text("registry")) + "/" + code)
	if res == nil || code == "versions" || strings.Contains(code, "/") { // the code must not lead to another path
		return refused("record_not_found",
			"Такой записи нет. Коды записей даёт список справочника.")
	}
	return c.resource(res, c.asMarkdown())
}

// page is the part of a list selected by limit and offset, or a resource without a list.
func (c *call) page(res *site.Resource) (reply, error) {
	rep := representation(res, api.JSONType)
	if rep == nil || rep.Body.List == nil {
		return c.resource(res, false)
	}
	from := min(c.Number("offset"), rep.Body.List.Len())
	to := min(from+c.Number("limit"), rep.Body.List.Len())
	return c.elements(rep.Body, from, to, from), nil
}

// elements are some of the list in a body, as many as fit, with the offset of the next ones, if there are
// any: the first of them is at offset in the whole list.
func (c *call) elements(body site.Body, from, to, offset int) reply {
	n, text := fitting(to-from, func(n int) []byte {
		next := offset + n
		if n == 0 || next >= body.List.End() {
			next = 0
		}
		return body.Page(from, from+n, next, c.now)
	})
	return reply{json: text, total: body.List.Total, returned: n}
}

// maxListed is the maximum length of a list, in characters, unless its first element is longer: a model that
// wants the rest asks for the next offset.
const maxListed = 12_000

// fitting returns how many of n elements fit into an answer, and the answer with these.
func fitting(n int, answer func(n int) []byte) (int, []byte) {
	for {
		text := answer(n)
		size := utf8.RuneCount(text)
		if n <= 1 || size <= maxListed {
			return n, text
		}
		n = max(1, min(n-1, n*maxListed/size))
	}
}

// fittingPage is the page of a list that the arguments select, with the offset of the next one if there is one.
func (c *call) fittingPage(name string, total int, elements func(from, to int) any) reply {
	from := min(c.Number("offset"), total)
	n, text := fitting(min(c.Number("limit"), total-from), func(n int) []byte {
		page := api.Object("total", total)
		if from+n < total {
			page = append(page, api.Object("next_offset", from+n)...)
		}
		return api.JSON(append(page, api.Object(name, elements(from, from+n))...))
	})
	return reply{json: text, total: total, returned: n}
}
