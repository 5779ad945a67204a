package server

import (
	"net/http"
	"strings"
	"time"

	"rulestore/server/api"
)

// Past describes a snapshot that was served, so that the origin of an answer can be found by
// its X-Snapshot.
type Past struct {
	Snapshot     string     `json:"snapshot"`
	Commit       string     `json:"commit"`
	Branch       string     `json:"branch"`
	Date         string     `json:"date"`     // the date as of which it was made
	LogSize      int64      `json:"log_size"` // leaves of the log
	Publications int        `json:"publications"`
	Build        string     `json:"build"`
	From         time.Time  `json:"served_from"`
	Until        *time.Time `json:"served_until"` // nil while it is served

	Sources []PastSource `json:"sources,omitempty"` // the repositories, if there are several
}

// PastSource is one of several repositories of a snapshot.
type PastSource struct {
	Name    string `json:"name"`
	Commit  string `json:"commit"`
	Branch  string `json:"branch"`
	Date    string `json:"date"`
	LogSize int64  `json:"log_size"`
}

// past answers with the description of a snapshot.
func (h *handler) past(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimPrefix(r.URL.Path, api.SnapshotsPath)
	if err := parseQuery(r, nil, nil).err(); err != nil {
		writeError(w, r, err)
		return
	}
	p, ok := h.Past(id)
	if !ok {
		notFoundProblem(
			"snapshot_not_found",
			"Этот сервер не помнит такого снимка. Это не значит, что его не было: его мог отдавать другой сервер.",
		).write(w, r)
		return
	}
	writeUncached(w, r, http.StatusOK, api.JSONType, p)
}
