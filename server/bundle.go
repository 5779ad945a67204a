package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"rulestore/server/api"
	"rulestore/server/observe"
)

// Bundles provides bundles of a repository (git help bundle).
type Bundles interface {
	// State returns an entity tag of the state that a bundle leads to; "" if no bundle can be
	// made.
	State() string
	// After opens a bundle of the changes since a commit, given by its id: a full bundle if the
	// id is empty or unknown. had is the entity tag of the client's state, so that its tags can
	// be left out; "" if it is unknown. The error is ErrNoCommit if the text is not an id.
	After(ctx context.Context, commit, had string) (File, error)
	// Since opens a bundle of the changes since the log had that many leaves.
	Since(ctx context.Context, size int64) (File, error)
}

// File is an open bundle. The caller closes it.
type File interface {
	io.ReadSeeker
	io.Closer
}

var (
	// ErrNoCommit is the error for a text that is not the id of a commit.
	ErrNoCommit = errors.New("no id of a commit")
	// ErrBusy is the error for too many concurrent requests.
	ErrBusy = errors.New("too many ask for bundles")
)

// bundleTime is the maximum time for sending a bundle, which is longer than that of other responses.
const bundleTime = 15 * time.Minute

// bundle answers with a bundle of the repository, or of the changes since the state of the client.
func (h *handler) bundle(w http.ResponseWriter, r *http.Request) {
	source := mux.Vars(r)[api.SourceInPath]
	from, state := h.Bundles[source], ""
	if from != nil {
		state = from.State()
	}
	if state == "" {
		pathNotFoundProblem(siteOf(r)).write(w, r)
		return
	}
	q := parseQuery(r, siteOf(r), api.Of(api.ReadBundle, nil, ""))
	if q.Has("have") && q.Has("since") {
		q.Fault("since", "inconsistent", "Что у клиента уже есть, говорят одним параметром.", "Уберите have или since.")
	}
	if err := q.err(); err != nil {
		writeError(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Cache-Control", "no-cache")
	header.Set("Etag", state)
	if matches(r.Header.Get("If-None-Match"), state) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	f, err := openBundle(from, q, r)
	switch {
	case errors.Is(err, ErrNoCommit):
		q.Fault("have", "malformed", "Это не идентификатор коммита.", "Он состоит из 40 шестнадцатеричных цифр.")
		writeError(w, r, q.err())
		return
	case errors.Is(err, ErrBusy):
		header.Set("Retry-After", "10")
		unavailableProblem("busy", "Слишком много запросов на копию хранилища. Повторите позже.").write(w, r)
		return
	case err != nil:
		header.Set("Retry-After", "10")
		h.Log.Warn("a bundle could not be made", "error", err, "request_id", observe.ID(w))
		unavailableProblem("no_bundle", "Копию хранилища сейчас сделать не удалось. Повторите позже.").write(w, r)
		return
	}
	defer f.Close()
	if r.URL.RawQuery != "" {
		header.Set("Cache-Control", "no-store") // it is for who has what this client has
	}
	// in place of the shorter one of other responses
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(bundleTime))
	header.Set("Content-Type", api.BundleType)
	header.Set("Content-Disposition", `attachment; filename="`+cmp.Or(source, "rules")+`.bundle"`)
	http.ServeContent(w, r, "", time.Time{}, f)
}

// openBundle opens the bundle that a request selects.
func openBundle(from Bundles, q *query, r *http.Request) (File, error) {
	switch {
	case q.Has("since"):
		return from.Since(r.Context(), int64(q.Number("since")))
	case q.Has("have"):
		return from.After(r.Context(), q.Text("have"), r.Header.Get("If-None-Match"))
	}
	return from.After(r.Context(), "", "")
}
