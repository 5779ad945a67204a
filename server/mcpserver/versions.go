package mcpserver

import (
	"encoding/json"
	"errors"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

func (c *call) compareVersions() (reply, error) {
	it, err := c.namedItem()
	if err != nil {
		return reply{}, err
	}
	v := site.AskedComparison(it, c, func(name string, standard *content.Entry) *content.Entry {
		return c.compared(it, name, standard)
	})
	if err := c.err(); err != nil {
		return reply{}, err
	}
	if v.AsOf+v.InForce != "" {
		v.From = c.site.OnDay(it, v.AsOf, v.InForce)
	}
	if v.From == nil {
		return reply{}, c.nothingOn(it)
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
	known := site.Numbers(site.ReadableVersions(it))
	c.Fault(name, "unknown_value", site.NoVersion, "Есть: "+strings.Join(known, ", ")+".")
	return standard
}

// sectioned returns a resource, or reports an unknown section.
func (c *call) sectioned(res *site.Resource, err error) (reply, error) {
	if unknown, ok := errors.AsType[*site.UnknownSection](err); ok {
		c.Fault(api.Section, "unknown_section", site.NoSection, unknown.Hint())
		return reply{}, c.err()
	}
	if res == nil {
		return reply{}, versionMissing()
	}
	return c.resource(res, c.asMarkdown())
}

// proof returns the proof of a version, given by its tag.
func (c *call) proof() (reply, error) {
	tag := strings.TrimPrefix(strings.TrimSpace(c.Text("tag")), scheme)
	it, e := entryOf(c.site, tag)
	switch {
	case it == nil:
		return refused("version_not_found", "Такого тега нет: это папка, имя и версия, как в list_checksums.")
	case e == nil:
		return reply{}, versionMissing()
	}
	res, why := c.site.Proof(e)
	if res == nil {
		return refused("no_proof", why)
	}
	body := c.body(res, api.TextType)
	return reply{json: api.JSON(api.Object("tag", tag, "proof", string(body))), text: body, of: e}, nil
}

// citations checks the versions that an earlier answer relied on.
func (c *call) citations() (reply, error) {
	var given content.Object
	if json.Unmarshal(c.raw, &given) == nil {
		for i, m := range given {
			given[i].Value = inText(m.Value)
		}
		c.raw = given.AppendJSON(nil)
	}
	all, faults := site.ReadCitations(c.raw)
	if len(faults) > 0 {
		return reply{}, &toolError{Code: invalidArguments, Detail: seeErrors, Errors: faults}
	}
	return c.resource(c.site.CheckCitations(all), false)
}
