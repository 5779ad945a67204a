package site

import (
	"strings"

	"rulestore/content"
	"rulestore/server/api"
)

// route assigns a route, which counts requests, to every resource without one. Those taken over
// from the previous site have theirs.
func (s *Site) route() {
	if s.config.Requests == nil {
		return
	}
	for path, r := range s.resources {
		if r.Route == nil {
			r.Route = s.config.Requests.Route(pattern(path))
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
