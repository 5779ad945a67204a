package server

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/gorilla/mux"

	"rulestore/content"
	"rulestore/server/calc"
	"rulestore/server/observe"
	"rulestore/server/site"
)

// routes is where requests go that the site has no prepared answer to. Paths
// are taken as they come: nothing is cleaned or redirected.
func (h *handler) routes() *mux.Router {
	r := mux.NewRouter().SkipClean(true).UseEncodedPath()
	r.NotFoundHandler = http.HandlerFunc(notFound)
	r.MethodNotAllowedHandler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { methodNotAllowed(w, r, reading) })
	get := func(path string, f http.HandlerFunc) {
		route := h.Requests.Route(path)
		r.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			observe.Take(w, route)
			options(w, reading)
		}).Methods(http.MethodOptions)
		r.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			observe.Take(w, route)
			f(w, r)
		}).Methods(http.MethodGet, http.MethodHead)
	}
	get("/api/v1/health", h.health)
	get("/healthz", h.healthz)
	if h.MCP != nil {
		route := h.Requests.Route(site.MCPPath)
		mcp := func(w http.ResponseWriter, r *http.Request) {
			observe.Take(w, route)
			h.MCP.ServeHTTP(w, r)
		}
		for _, path := range []string{site.MCPPath, site.MCPCardPath, site.MCPRegistryPath} {
			r.HandleFunc(path, mcp)
		}
		r.HandleFunc("/.well-known/skills/index.json", func(w http.ResponseWriter, r *http.Request) {
			moved := *r
			moved.URL = &url.URL{Path: site.SkillsPath + "index.json"}
			mcp(w, &moved)
		})
		r.PathPrefix(site.SkillsPath).HandlerFunc(mcp)
	}
	if h.Bundles != nil {
		get(bundlePath, h.bundle)
	}
	get(site.CheckpointPath, h.logPart)
	get(site.LogRoot+"tile/{tile:.+}", h.logPart)
	get("/{item:.+}/versions/{version}"+site.ProofSuffix, h.proof)
	get(site.ChecksumsPath+"/{checksum}", h.checksum)
	r.HandleFunc(site.CitationsPath, h.citations())
	get(site.LivePath, h.changes)
	get(site.FeedsPath+"{feed:.+}", h.feed)
	get(site.ComparePath+"{item:.+}", h.compare)
	return r
}

// notFound says how much of the path exists: the item, the registry, the kind, or
// nothing.
// Under the path of something that exists, only reading is possible.
func notFound(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	p := missing(s, r.URL.EscapedPath())
	switch {
	case p.Code == "path_not_found" || p.Code == calc.CodeUnknownTool || reads(r):
		p.write(w, r)
	case r.Method == http.MethodOptions:
		options(w, reading)
	default:
		methodNotAllowed(w, r, reading)
	}
}

// reads says whether the request only reads.
func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// itemPath is a path that an item, its versions or one of them could have.
var itemPath = regexp.MustCompile(`^(.+?)(/versions(/[^/]+)?)?$`)

// missing says what is missing at a path.
func missing(s *site.Site, path string) problem {
	m := itemPath.FindStringSubmatch(aliased(path))
	if m == nil {
		return pathNotFound(s)
	}
	if id, ok := strings.CutPrefix(path, site.ToolsPath); ok {
		return unknownTool(s, id)
	}
	base, version := m[1], m[3]
	known := s.Lookup(base+"/versions") != nil
	switch {
	case known && version != "":
		return problem{
			Status: http.StatusNotFound, Code: "version_not_found",
			Detail: "Такой версии нет. Все версии: " + s.URL(base+"/versions"),
		}
	case known:
		return problem{
			Status: http.StatusNotFound, Code: "no_current_version",
			Detail: "Действующей версии нет. Все версии: " + s.URL(base+"/versions"),
		}
	}
	if i := strings.LastIndexByte(base, '/'); m[2] == "" && 0 < i && i < len(base)-1 && hasRecords(s, base[:i]) {
		return problem{
			Status: http.StatusNotFound, Code: "record_not_found",
			Detail: "Такой записи нет. Все записи: " + s.URL(base[:i]),
		}
	}
	for _, k := range content.Kinds {
		name, ok := strings.CutPrefix(base, k.Path+"/")
		if ok && k.List && name != "" && (k.Folders || !strings.Contains(name, "/")) {
			return problem{
				Status: http.StatusNotFound, Code: k.Name + "_not_found",
				Detail: "Такого элемента нет. Список: " + s.URL(k.Path),
			}
		}
	}
	return pathNotFound(s)
}

// hasRecords says whether the paths under this one are records.
func hasRecords(s *site.Site, path string) bool {
	res := s.Lookup(path)
	return res != nil && res.Ask == site.OfItem && s.Filters(s.Snapshot.Item(res.Kind, res.Name)) != nil
}

func pathNotFound(s *site.Site) problem {
	return problem{
		Status: http.StatusNotFound, Code: "path_not_found",
		Detail: "По этому адресу ничего нет. Адреса сервиса перечислены в манифесте: " + s.URL("/"),
	}
}

// aliased returns the path of the item that a plain file's path stands for, or
// the path itself.
func aliased(path string) string {
	for _, k := range content.Kinds {
		before, after, ok := strings.Cut(k.Static, "{name}")
		name, prefixed := strings.CutPrefix(path, before)
		if !ok || !prefixed {
			continue
		}
		for _, ext := range []string{".json", ".md"} {
			if name, ok := strings.CutSuffix(name, after+ext); ok {
				return k.ItemPath(name)
			}
		}
	}
	return path
}
