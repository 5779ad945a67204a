package site

import (
	"maps"
	"strings"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server/api"
	"rulestore/server/html/assets"
)

// route assigns the route that counts requests to every resource without one: its own path, which no content
// determines.
func (s *Site) route() {
	for path, r := range s.resources {
		if r.Route == nil {
			r.Route = s.Requests.Route(path)
		}
	}
}

// place places a resource at the path of an item and what follows it, with the pattern of that in its route.
func (s *Site) place(own *preparedItem, after, pattern string, r *Resource) {
	k, name := own.item.Kind, own.item.Name
	of := k.Path + "/{" + k.Argument() + "}"
	if k.Paths[name] != "" {
		of = k.Paths[name]
	}
	s.placeAt(own, k.ItemPath(name)+after, of+pattern, r)
}

// placeAt places a resource of an item at any other path.
func (s *Site) placeAt(own *preparedItem, path, route string, r *Resource) {
	r.Route = s.Requests.Route(route)
	own.placed = append(own.placed, placed{path, r})
}

// formatRoute is the route of JSON Schemas.
const formatRoute = api.FormatsPath + "{format}.json"

// builtIn are the resources that do not depend on the snapshot: every format ever released,
// for the Link describedby, the description of the API, and the calculations.
func (c Config) builtIn() map[string]*Resource {
	all := map[string]*Resource{
		api.OpenAPIPath + ".yaml": textResource(
			api.OpenAPIType+"+yaml", func() []byte { asYAML, _ := api.OpenAPI(c.Root()); return asYAML },
		),
		api.OpenAPIPath + ".json": textResource(
			api.OpenAPIType+"+json", func() []byte { _, asJSON := api.OpenAPI(c.Root()); return asJSON },
		),
	}
	maps.Copy(all, c.calculations())
	for name, document := range c.Schemas.Documents() {
		all[api.FormatsPath+name+".json"] = textResource(api.SchemaType, document)
	}
	for _, a := range assets.All() { // their names depend on their content, so they can be cached for ever
		all[a.Path] = textResource(a.Type, func() []byte { return a.Body }, immutable)
	}
	for path, r := range all {
		switch r.ofBuild = true; {
		case strings.HasPrefix(path, api.FormatsPath):
			r.Route = c.Requests.Route(formatRoute)
		case strings.HasPrefix(path, api.ToolsPath):
			r.Route = c.Requests.Route(api.ToolPattern)
		}
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
