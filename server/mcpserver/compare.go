package mcpserver

import (
	"errors"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// versionTools are the tools that compare versions.
func versionTools() []*tool {
	named := []param{oneOf("folder", folders()...).must(), text("name", "Имя или id").must()}
	compare, timeline := api.Of(api.Compare, nil, ""), api.Of(api.ReadTimeline, nil, "")
	return []*tool{
		reads("service", "compare_versions", "Сравнение версий",
			"Чем две версии отличаются, по порядку текста. Без from и to — действующая и прежняя; as_of или in_force вместо from — то, что было в тот день.",
			object("item"), (*call).compareVersions, slices.Concat(named, []param{text("from", ""), text("to", "")},
				given(compare, "as_of", site.InForceParameter, "class"),
				[]param{oneSection(compare), offset, markdown})...),
		reads("service", "get_timeline", "История правила",
			"Какая версия добавила, меняла и убрала документ или раздел, когда, с чьей подписью, и что применялось в день.",
			object("item"), (*call).timeline, slices.Concat(named, []param{oneSection(timeline)},
				given(timeline, "as_of", site.InForceParameter), []param{offset, markdown})...),
	}
}

// oneSection is the parameter of an operation for the address of one section.
func oneSection(o *api.Operation) param {
	p := declared(o.Param(section.name))
	p.most = maxAddress
	return p
}

// folders lists the folders of the kinds.
func folders() (all []string) {
	for _, k := range content.Kinds {
		all = append(all, k.Folder)
	}
	return all
}

// namedItem is the item that the arguments folder and name refer to.
func (c *call) namedItem() (*content.Item, error) {
	k := content.KindOf(c.text("folder"))
	it := find(c.site, k, c.text("name"))
	if it == nil {
		return nil, &toolError{
			Code: k.Name + "_not_found", Detail: "Такого элемента нет. Что есть: list_" + k.Folder + ", search.",
		}
	}
	if c.has(site.InForceParameter) && !api.HasPeriods(it.Kind) {
		c.fault(
			site.InForceParameter, "not_dated", "У элементов этого вида нет дат действия.",
			"Что было опубликовано на день, говорит as_of.",
		)
	}
	if _, readable := site.Compared(it); readable == nil {
		_, err := c.resource(c.site.Lookup(it.Entries[0].Path()), false)
		return nil, err
	}
	return it, c.err()
}

func (c *call) compareVersions() (result, error) {
	it, err := c.namedItem()
	if err != nil {
		return result{}, err
	}
	from, to := site.Compared(it)
	v := site.Comparison{
		From: c.servedVersion(it, "from", from), To: c.servedVersion(it, "to", to), AsOf: c.text("as_of"),
		InForce: c.text(site.InForceParameter),
		Only:    c.text("class"), Section: c.text(section.name), Offset: c.number("offset"),
	}
	dated := v.AsOf+v.InForce != ""
	if c.has("from") && dated {
		c.fault("from", "inconsistent", "Указаны и версия, и день.", "Уберите from либо as_of и in_force.")
	}
	if err := c.err(); err != nil {
		return result{}, err
	}
	if dated {
		v.From = c.site.OnDay(it, v.AsOf, v.InForce)
	}
	if v.From == nil || c.site.Lookup(v.From.Path()) == nil || c.site.Lookup(v.From.Path()).Gone != nil {
		return result{}, &toolError{
			Code: "not_published_then", Detail: "В этот день ничего не действовало. Все версии: list_versions.",
		}
	}
	return c.sectioned(c.site.Compare(it, v))
}

// servedVersion is the readable version that an argument refers to.
func (c *call) servedVersion(it *content.Item, name string, standard *content.Entry) *content.Entry {
	if !c.has(name) {
		return standard
	}
	var known []string
	for _, e := range site.Served(it) {
		if known = append(known, e.Version.String()); e.Version.String() == c.text(name) {
			return e
		}
	}
	c.fault(name, "unknown_value", "Такой версии нет.", "Есть: "+strings.Join(known, ", ")+".")
	return nil
}

func (c *call) timeline() (result, error) {
	it, err := c.namedItem()
	if err != nil {
		return result{}, err
	}
	return c.sectioned(c.site.Timeline(it, site.TimelineOf{
		Section: c.text(section.name), AsOf: c.text("as_of"), InForce: c.text(site.InForceParameter),
		Offset: c.number("offset"),
	}))
}

// sectioned returns a resource, or reports an unknown section.
func (c *call) sectioned(res *site.Resource, err error) (result, error) {
	if unknown, ok := errors.AsType[*site.UnknownSection](err); ok {
		c.fault(section.name, "unknown_section", "Такого раздела нет.", unknown.Hint())
		return result{}, c.err()
	}
	return c.resource(res, c.text("format") == "markdown")
}
