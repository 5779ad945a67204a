package server

import (
	"fmt"
	"net/http"

	"github.com/gorilla/mux"

	"rulestore/content"
)

// routes is where requests go that the site has no prepared answer to. Paths
// are taken as they come: nothing is cleaned or redirected.
func (h *handler) routes() *mux.Router {
	r := mux.NewRouter().SkipClean(true).UseEncodedPath()
	r.NotFoundHandler = http.HandlerFunc(pathNotFound)
	r.MethodNotAllowedHandler = http.HandlerFunc(methodNotAllowed)
	get := func(path string, f http.HandlerFunc) {
		r.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { options(w) }).Methods(http.MethodOptions)
		r.HandleFunc(path, f).Methods(http.MethodGet, http.MethodHead)
	}
	get("/api/v1/health", h.health)
	get("/healthz", h.healthz)
	get("/api/v1/changelog", changelog)
	for _, k := range content.Kinds {
		get(k.Path, list(k))
		get(k.Path+"/{name}", itemNotFound(k))
		get(k.Path+"/{name}/versions", versions(k))
		get(k.Path+"/{name}/versions/{version}", versionNotFound(k))
		get("/"+k.Folder+"/{name}/current.{type:json|md}", itemNotFound(k))
	}
	return r
}

func pathNotFound(w http.ResponseWriter, r *http.Request) {
	problem{
		Status: http.StatusNotFound, Code: "path_not_found",
		Detail: "По этому адресу ничего нет. Адреса сервиса перечислены в манифесте: " + siteOf(r).URL("/"),
	}.write(w, r)
}

func itemNotFound(k *content.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s := siteOf(r)
		p := problem{
			Status: http.StatusNotFound, Code: k.Name + "_not_found",
			Detail: "Такого элемента нет. Список: " + s.URL(k.Path),
		}
		if s.Snapshot.Item(k, mux.Vars(r)["name"]) != nil {
			p.Code = "no_current_version"
			p.Detail = "Действующей версии нет. Все версии: " + s.URL(k.Path+"/"+mux.Vars(r)["name"]+"/versions")
		}
		p.write(w, r)
	}
}

func versionNotFound(k *content.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s, name := siteOf(r), mux.Vars(r)["name"]
		if s.Snapshot.Item(k, name) == nil {
			itemNotFound(k)(w, r)
			return
		}
		problem{
			Status: http.StatusNotFound, Code: "version_not_found",
			Detail: fmt.Sprintf("Такой версии нет. Все версии: %s", s.URL(k.Path+"/"+name+"/versions")),
		}.write(w, r)
	}
}
