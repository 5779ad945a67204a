package site

import (
	"maps"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server/api"
	"rulestore/server/html/assets"
)

// builtIn are the resources that do not depend on the snapshot: every format ever released,
// for the Link describedby, the description of the API, and the calculations.
func (c Config) builtIn() map[string]*Resource {
	all := map[string]*Resource{
		api.OpenAPIPath + ".yaml": textResource(
			api.OpenAPIType+"+yaml", func() []byte { asYAML, _ := api.OpenAPI(c.root()); return asYAML },
		),
		api.OpenAPIPath + ".json": textResource(
			api.OpenAPIType+"+json", func() []byte { _, asJSON := api.OpenAPI(c.root()); return asJSON },
		),
	}
	maps.Copy(all, c.calculations())
	for name, document := range c.Schemas.Documents() {
		all[api.FormatsPath+name+".json"] = textResource(api.SchemaType, document)
	}
	for _, a := range assets.All() { // their names depend on their content, so they can be cached for ever
		all[a.Path] = textResource(a.Type, func() []byte { return a.Body }, immutable)
	}
	for _, r := range all {
		r.ofBuild = true
	}
	return all
}

// schemaPath is the path of the format of a version, "" if this build does not know it.
func schemaPath(e *content.Entry, set *schemas.Set) string {
	folder, format := content.FormatsOf(set, e.Kind, e.Name), e.Body().Text(e.Kind.Format)
	if set.Schema(folder, format) == nil {
		return ""
	}
	return api.FormatsPath + folder + "/" + format + ".json"
}
