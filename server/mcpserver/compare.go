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
	named := []*api.Param{required(oneOf("folder", folders()...)), required(text("name", "Имя или id"))}
	compare := api.Of(api.Compare, nil, "")
	return []*tool{
		reads("service", "compare_versions", "Сравнение версий",
			"Чем две версии отличаются, по порядку текста. Без from и to — действующая и прежняя; as_of или in_force "+
				"вместо from — то, что было в тот день.",
			object("item"), (*call).compareVersions, slices.Concat(named,
				[]*api.Param{text("from", ""), text("to", "")},
				given(compare, "as_of", site.InForceParameter, "class", section.Name),
				[]*api.Param{offset, markdown})...),
	}
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
	k := content.KindOf(c.Text("folder"))
	it := find(c.site, k, c.Text("name"))
	if it == nil {
		return nil, itemMissing(k)
	}
	site.AskedInForce(it.Kind, c)
	return it, c.err()
}

func (c *call) compareVersions() (result, error) {
	it, err := c.namedItem()
	if err != nil {
		return result{}, err
	}
	v := site.AskedComparison(it, c, func(name string, standard *content.Entry) *content.Entry {
		return c.compared(it, name, standard)
	})
	if err := c.err(); err != nil {
		return result{}, err
	}
	if v.AsOf+v.InForce != "" {
		v.From = c.site.OnDay(it, v.AsOf, v.InForce)
	}
	if v.From == nil {
		return result{}, c.nothingOn(it)
	}
	return c.sectioned(c.site.Compare(it, v))
}

// compared is the version that an argument refers to, which may be a redacted one.
func (c *call) compared(it *content.Item, name string, standard *content.Entry) *content.Entry {
	if !c.Has(name) {
		return standard
	}
	if e := it.Version(c.Text(name)); e != nil {
		return e
	}
	known := versionsOf(site.ReadableVersions(it))
	c.Fault(name, "unknown_value", site.NoVersion, "Есть: "+strings.Join(known, ", ")+".")
	return standard
}

// sectioned returns a resource, or reports an unknown section.
func (c *call) sectioned(res *site.Resource, err error) (result, error) {
	if unknown, ok := errors.AsType[*site.UnknownSection](err); ok {
		c.Fault(section.Name, "unknown_section", site.NoSection, unknown.Hint())
		return result{}, c.err()
	}
	if res == nil {
		return result{}, versionMissing()
	}
	return c.resource(res, c.Text("format") == "markdown")
}
