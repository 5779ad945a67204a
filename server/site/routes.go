package site

import (
	"maps"
	"strings"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server/api"
	"rulestore/server/html/assets"
)

// route assigns a route, which counts requests, to every resource without one. Those taken over
// from the previous site have theirs.
func (s *Site) route() {
	if s.Requests == nil {
		return
	}
	for path, r := range s.resources {
		if r.Route == nil {
			r.Route = s.Requests.Route(pattern(path))
		}
	}
}

// pattern returns the route of a path, with parameters in braces for names in content. All other
// paths are their own routes: a build has a fixed number of them.
func pattern(path string) string {
	for _, base := range content.Registries.Paths {
		if rest, ok := strings.CutPrefix(path, base); ok && (rest == "" || rest[0] == '/') {
			return base + partPattern(rest)
		}
	}
	for _, k := range content.Kinds {
		if name, ok := strings.CutPrefix(path, k.Path+"/"); ok {
			return k.Path + "/{" + k.Argument() + "}" + partPattern(afterName(k, name))
		}
		if i := strings.LastIndexByte(path, '.'); k.Static != "" && i > 0 && strings.HasPrefix(path, k.Static) &&
			strings.HasSuffix(path[:i], k.StaticEnd) {
			return k.StaticPath("{"+k.Argument()+"}") + path[i:]
		}
	}
	switch {
	case strings.HasPrefix(path, api.FormatsPath):
		return api.FormatsPath + "{format}.json"
	case strings.HasPrefix(path, api.ToolsPath):
		return api.ToolPattern
	}
	return path
}

// afterName returns what follows an item's name in a path.
func afterName(k *content.Kind, path string) string {
	if i := strings.Index(path, "/versions"); i >= 0 {
		return path[i:]
	}
	if i := strings.IndexByte(path, '/'); i >= 0 && !k.Folders {
		return path[i:]
	}
	return ""
}

// partPattern is the pattern of what follows an item in a path: its versions, one of them, or a
// record.
func partPattern(part string) string {
	switch {
	case part == "" || part == "/versions" || part == api.PeriodsSuffix:
		return part
	case strings.HasPrefix(part, "/versions/"):
		return api.VersionPattern
	}
	return "/{record}"
}

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
