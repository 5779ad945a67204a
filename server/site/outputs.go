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

// registriesOf returns the current versions of the registries whose codes the output schemas of an item have.
func (s *Site) registriesOf(own *preparedItem) string {
	var b strings.Builder
	for _, p := range own.entries {
		for _, e := range s.registriesIn(p.result) {
			fmt.Fprintln(&b, e.Name, e.Version, e.Checksum, e.ModifiedAt.Unix())
		}
	}
	return b.String()
}

func (s *Site) registriesIn(result *output.Schema) (from []*content.Entry) {
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

// jsonSchema represents an output schema as a JSON Schema. It allows the codes of the current
// registries, so it is made again when one of them has a new version.
func (s *Site) jsonSchema(p *preparedVersion, result *output.Schema) *Representation {
	c, e, modified := s.Config, p.entry, p.entry.ModifiedAt
	from := map[string]*content.Publication{}
	for _, r := range s.registriesIn(result) {
		from[r.Name] = r.Publication
		if r.ModifiedAt.After(modified) {
			modified = r.ModifiedAt
		}
	}
	r := &Resource{about: c.aboutItem(p)}
	r.modified = modified
	return r.addText(api.SchemaType, func() []byte {
		codes := map[string]output.Registry{}
		for name, registry := range from {
			codes[name] = output.Registry{Codes: c.readRecords(registry).codes(), Source: c.cite(registry)}
		}
		return result.JSONSchema(c.URL(jsonSchemaOf(e.Publication)), c.cite(e.Publication), codes)
	}).Representations[0]
}

// cite cites a publication by id, version, checksum and address.
func (c Config) cite(p *content.Publication) string {
	return p.ID() + " " + p.Version.String() + ", " + p.Checksum + ", " + c.URL(p.Path())
}

// placeJSONSchema places the JSON Schema of a version at the path that is its $id, and the current one
// also at the path without a version. If none is current, that path has the highest one if it was
// redacted, as in placeUnversioned.
func (s *Site) placeJSONSchema(own *preparedItem, v *preparedVersion) {
	e, r := v.entry, v.resource.only(api.SchemaType)
	if e.Kind != content.OutputSchemas || r == nil {
		return
	}
	s.placeAt(own, jsonSchemaOf(e.Publication), formatRoute, r)
	item := own.item
	if e == item.Current || item.Current == nil && e == item.Entries[0] && e.Status == content.Redacted {
		s.placeAt(own, api.JSONSchemasPath+item.Name+".json", formatRoute, r)
	}
}
