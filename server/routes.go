package server

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/observe"
	"rulestore/server/site"
)

// routes routes requests for which the site has no prepared response. Paths are not cleaned or
// redirected.
func (h *handler) routes() *mux.Router {
	r := mux.NewRouter().SkipClean(true).UseEncodedPath()
	r.NotFoundHandler = http.HandlerFunc(notFound)
	r.MethodNotAllowedHandler = http.HandlerFunc(func(
		w http.ResponseWriter, r *http.Request,
	) {
		methodNotAllowed(w, r, readMethods)
	})
	handlers, routed := h.handlers(), map[string]bool{}
	for _, o := range api.Operations() {
		path := cmp.Or(o.Route, o.Path)
		if handlers[o.Action] == nil || routed[path] {
			continue
		}
		routed[path] = true
		h.route(r, path, operationsAt(path), handlers)
	}
	return r
}

// operationsAt lists the operations with the same path in the router.
func operationsAt(path string) (all []*api.Operation) {
	for _, o := range api.Operations() {
		if cmp.Or(o.Route, o.Path) == path {
			all = append(all, o)
		}
	}
	return all
}

// handlers are the handlers of responses that the site has not prepared.
func (h *handler) handlers() map[api.Action]http.HandlerFunc {
	all := map[api.Action]http.HandlerFunc{
		api.ReadHealth: h.health, api.ReadLegacyHealth: h.healthz, api.CheckCitations: checkCitations,
	}
	all[api.Compare] = h.resolved(api.Of(api.Compare, nil, ""), compare)
	for action, resolve := range map[api.Action]resolver{ // without parameters
		api.ReadLog: logPart, api.Prove: proof, api.FindChecksum: checksum, api.ReadFeed: feed,
	} {
		all[action] = h.resolved(nil, resolve)
	}
	if h.MCP != nil {
		all[api.ServeMCP] = h.MCP.ServeHTTP
	}
	return all
}

// route routes the operations with one path by method to their handlers.
func (h *handler) route(r *mux.Router, path string, all []*api.Operation, handlers map[api.Action]http.HandlerFunc) {
	route := h.Requests.Route(path)
	r.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		observe.Take(w, route)
		for _, o := range all {
			if o.Action == api.ServeMCP || r.Method == o.Method || o.Method == "" && isRead(r) {
				handlers[o.Action](w, r)
				return
			}
		}
		if r.Method == http.MethodOptions {
			options(w, methodsOf(all))
			return
		}
		methodNotAllowed(w, r, methodsOf(all))
	})
}

// methodsOf lists the methods of operations.
func methodsOf(all []*api.Operation) string {
	var methods []string
	for _, o := range all {
		method := o.Method
		if method == "" {
			method = "GET, HEAD"
		}
		if !slices.Contains(methods, method) {
			methods = append(methods, method)
		}
	}
	return strings.Join(append(methods, http.MethodOptions), ", ")
}

// notFound answers with the part of the path that exists: the item, the registry, the kind, or
// nothing. Below a path that exists, only reading is allowed.
func notFound(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	p := missingProblem(s, r.URL.EscapedPath())
	switch {
	case p.Code == "path_not_found" || p.Code == calc.CodeUnknownTool || isRead(r):
		p.write(w, r)
	case r.Method == http.MethodOptions:
		options(w, readMethods)
	default:
		methodNotAllowed(w, r, readMethods)
	}
}

// isRead reports whether the request only reads.
func isRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// itemPath matches a path that an item, its versions or one of them could have.
var itemPath = regexp.MustCompile(`^(.+?)(/versions(/[^/]+)?)?$`)

// missingProblem is the problem of what does not exist at a path.
func missingProblem(s *site.Site, path string) problem {
	of := aliased(path)
	m := itemPath.FindStringSubmatch(of)
	if res := s.Lookup(of); m == nil || of != path && res != nil && res.Representations != nil {
		return pathNotFoundProblem(s) // what it is about is there
	}
	if id, ok := strings.CutPrefix(of, api.ToolsPath); ok {
		return unknownToolProblem(s, id)
	}
	base, version := m[1], m[3]
	if versions := s.Lookup(base + "/versions"); versions != nil {
		code, detail := "no_current_version", site.NoCurrentVersion
		if version != "" {
			code, detail = "version_not_found", s.NoSuchVersion(versions.Kind, versions.Name, version[1:])
		}
		return problem{
			Status: http.StatusNotFound, Code: code, Detail: detail + " Все версии: " + s.URL(base+"/versions"),
			pageDetail: detail, item: versions.Kind.Folder + "/" + versions.Name,
		}
	}
	if i := strings.LastIndexByte(base, '/'); m[2] == "" && 0 < i && i < len(base)-1 && hasRecords(s, base[:i]) {
		return notFoundProblem("record_not_found", "Такой записи нет. Все записи: "+s.URL(base[:i])).
			orSimilar(s, s.SimilarRecords(base[:i], base[i+1:]))
	}
	for _, k := range content.Kinds {
		name, ok := strings.CutPrefix(base, k.Path+"/")
		if of, _, _ := strings.Cut(name, "/"); k == content.Registries && s.Lookup(k.ItemPath(of)+"/versions") == nil {
			name = of // of a record
		}
		if ok && k.List && name != "" && (k.Folders || !strings.Contains(name, "/")) {
			p := notFoundProblem(k.Name+"_not_found", "Такого элемента нет. Список: "+s.URL(k.Path))
			p.item = k.Folder + "/" + name
			return p.orSimilar(s, s.SimilarItems(k, name))
		}
	}
	return pathNotFoundProblem(s)
}

// hasRecords reports whether the paths below this one are records.
func hasRecords(s *site.Site, path string) bool {
	res := s.Lookup(path)
	return res != nil && res.Action == api.ReadItem && s.Filters(s.Snapshot.Item(res.Kind, res.Name)) != nil
}

func pathNotFoundProblem(s *site.Site) problem {
	return notFoundProblem(
		"path_not_found", "По этому адресу ничего нет. Адреса сервиса перечислены в манифесте: "+s.URL("/"),
	)
}

// aboutItems are paths before the folder and the name of an item.
var aboutItems = []string{api.ComparePath, api.FeedsPath}

// jsonSchemaPath matches a path that an output schema could have as JSON Schema.
var jsonSchemaPath = regexp.MustCompile("^" + api.JSONSchemasPath + `(.+?)(/[0-9]+\.[^/]+)?\.json$`)

// aliased returns the path of the item, the version or the calculation that another path is about, or the
// path itself.
func aliased(path string) string {
	for _, about := range aboutItems {
		id, ok := strings.CutPrefix(path, about)
		folder, name, _ := strings.Cut(strings.TrimSuffix(id, ".atom"), "/")
		switch k := content.KindOf(folder); {
		case ok && k != nil:
			return k.ItemPath(name)
		case ok && folder == "tools":
			return api.ToolsPath + name
		}
	}
	if m := jsonSchemaPath.FindStringSubmatch(path); m != nil {
		of := content.OutputSchemas.ItemPath(m[1])
		if m[2] != "" {
			of += "/versions" + m[2]
		}
		return of
	}
	if strings.HasPrefix(path, content.Parameters.Path+"/") {
		return strings.TrimSuffix(path, api.PeriodsSuffix)
	}
	for _, k := range content.Kinds {
		name, prefixed := strings.CutPrefix(path, k.Static)
		if k.Static == "" || !prefixed {
			continue
		}
		for _, ext := range []string{".json", ".md"} {
			if name, ok := strings.CutSuffix(name, k.StaticEnd+ext); ok {
				return k.ItemPath(name)
			}
		}
	}
	return path
}
