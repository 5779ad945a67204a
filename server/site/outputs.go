package site

import (
	"fmt"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/output"
	"rulestore/server/api"
)

// resultOf parses an output schema; nil if the publication is none, or has a format that this
// build cannot read.
func resultOf(p *content.Publication) *output.Schema {
	if p.Kind != content.OutputSchemas {
		return nil
	}
	r, err := output.Parse(p.Body())
	if err != nil {
		return nil
	}
	return r
}

// resultOf is the output schema as parsed for p, which may be nil.
func (p *preparedVersion) resultOf(publication *content.Publication) *output.Schema {
	if p != nil {
		return p.result
	}
	return resultOf(publication)
}

// jsonSchemaPath is the permanent path of an output schema as a JSON Schema, "" if there is none.
func jsonSchemaPath(p *content.Publication) string {
	if resultOf(p) == nil {
		return ""
	}
	return jsonSchemaOf(p)
}

func jsonSchemaOf(p *content.Publication) string {
	return api.JSONSchemasPath + p.Name + "/" + p.Version.String() + ".json"
}

// registries are the current versions of the registries whose codes an output schema has.
type registries []*content.Entry

func (s *Site) registriesOf(result *output.Schema) (from registries) {
	if result == nil {
		return nil
	}
	for _, name := range result.Registries() {
		if e := s.current(content.Registries, name); e != nil && !slices.Contains(from, e) {
			from = append(from, e)
		}
	}
	return from
}

// String identifies the versions and their dates of modification.
func (r registries) String() string {
	var b strings.Builder
	for _, e := range r {
		fmt.Fprintln(&b, e.Name, e.Version, e.Checksum, e.ModifiedAt.Unix())
	}
	return b.String()
}

// jsonSchema represents an output schema as a JSON Schema. It allows the codes of the current
// registries, so it is made again when one of them has a new version.
func (s *Site) jsonSchema(p *preparedVersion) *Representation {
	c, e, result, modified := s.config, p.entry, p.result, p.entry.ModifiedAt
	from := map[string]*content.Publication{}
	for _, r := range s.registriesOf(result) {
		from[r.Name] = r.Publication
		if r.ModifiedAt.After(modified) {
			modified = r.ModifiedAt
		}
	}
	return representLater(api.SchemaType, modified, func() []Header {
		return c.itemHeaders(p, api.SchemaType)
	}, func() Body {
		codes := map[string]output.Registry{}
		for name, registry := range from {
			codes[name] = output.Registry{Codes: c.readRecords(registry).codes(), Source: c.cite(registry)}
		}
		return Body{Bytes: result.JSONSchema(c.url(jsonSchemaOf(e.Publication)), c.cite(e.Publication), codes)}
	})
}

// cite cites a publication by id, version, checksum and address.
func (c Config) cite(p *content.Publication) string {
	return p.ID() + " " + p.Version.String() + ", " + p.Checksum + ", " + c.url(p.Path())
}

// addJSONSchema adds the JSON Schema of a version at the path that is its $id, and the current one
// also at the path without a version. If none is current, that path has the highest one if it was
// redacted, as in addUnversioned.
func (s *Site) addJSONSchema(prev *Site, own *preparedItem, e *content.Entry) {
	p, item := s.entries[e.Publication], own.item
	if p.result == nil {
		return
	}
	path := jsonSchemaOf(e.Publication)
	r := p.resource.only(api.SchemaType)
	if prev != nil && prev.entries[e.Publication] == p {
		r = prev.resources[path]
	}
	s.place(own, path, r)
	if e == item.Current || item.Current == nil && e == item.Entries[0] && e.Status == content.Redacted {
		s.place(own, api.JSONSchemasPath+item.Name+".json", r)
	}
}
