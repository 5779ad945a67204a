package server

import (
	"net/http"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// logPart answers with the checkpoint of the log, or a tile.
func (h *handler) logPart(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	if part, ok := strings.CutPrefix(r.URL.Path, api.SourcesRoot); ok {
		res, code, why := s.SourceLog(part)
		h.found(w, r, res, problem{Status: http.StatusNotFound, Code: code, Detail: why})
		return
	}
	if r.URL.Path == api.CheckpointPath {
		h.found(
			w, r, s.Checkpoint(), problem{Status: http.StatusNotFound, Code: "no_checkpoint", Detail: s.NoCheckpoint()},
		)
		return
	}
	h.found(w, r, s.Tile(strings.TrimPrefix(r.URL.Path, api.LogRoot)), problem{
		Status: http.StatusNotFound, Code: "tile_not_found",
		Detail: "Такой плитки у журнала нет. Сколько в нём листьев, говорит " + s.URL(api.LogPath),
	})
}

// found answers with a resource without parameters, or with the problem if there is none.
func (h *handler) found(w http.ResponseWriter, r *http.Request, res *site.Resource, missing problem) {
	switch {
	case !parseQuery(r, nil).valid(w, r):
	case res == nil:
		missing.write(w, r)
	default:
		h.serve(w, r, siteOf(r), res, false)
	}
}

// proof answers with the proof that a version is in the log.
func (h *handler) proof(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	e := s.Proven(r.URL.Path)
	if e == nil {
		missingProblem(s, strings.TrimSuffix(r.URL.EscapedPath(), api.ProofSuffix)).write(w, r)
		return
	}
	res, why := s.Proof(e)
	h.found(w, r, res, problem{Status: http.StatusNotFound, Code: "no_proof", Detail: why})
}

// checksum answers with the publication of a checksum.
func (h *handler) checksum(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	sum := strings.TrimPrefix(r.URL.Path, api.ChecksumsPath+"/")
	detail := "Этому серверу такая сумма неизвестна. Это не значит, что под ней ничего не публиковали: сервер может " +
		"отставать."
	if !content.ValidChecksum(sum) {
		detail = "Это не контрольная сумма: она состоит из sha256: и 64 шестнадцатеричных цифр, строчными буквами."
	}
	h.found(w, r, s.Checksum(sum), problem{Status: http.StatusNotFound, Code: "checksum_unknown", Detail: detail})
}
