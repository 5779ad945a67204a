package server

import (
	"net/http"

	"rulestore/server/api"
	"rulestore/server/site"
)

// citationsAnswer has the media type of the answer to a check of citations.
var citationsAnswer = &site.Resource{Representations: []*site.Representation{{Type: api.JSONType}}}

// checkCitations checks the citations of a request. Nothing of the body is stored or logged.
func checkCitations(w http.ResponseWriter, r *http.Request) {
	form, body, ok := negotiateAndReadJSON(w, r, citationsAnswer)
	if !ok {
		return
	}
	all, faults := site.ReadCitations(body)
	if len(faults) > 0 {
		invalidProblem(http.StatusUnprocessableEntity, "validation_failed", "Цитаты заданы неверно", faults).write(w, r)
		return
	}
	rep := siteOf(r).CheckCitations(all).Representations[0].Ready()
	writeUnstored(w, r, form.Type, rep.Body.Append(nil, clock()))
}
