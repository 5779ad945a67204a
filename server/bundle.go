package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
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
	header := w.Header()
	header.Set("Cache-Control", "no-cache")
	header.Set("Etag", state)
	if matches(r.Header.Get("If-None-Match"), state) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	f, err := openBundle(from, r)
	switch {
	case errors.Is(err, ErrNoCommit):
		invalidBundleQuery.write(w, r)
		return
	case errors.Is(err, ErrBusy):
		header.Set("Retry-After", "10")
		unavailableProblem("busy", "Слишком много запросов на копию хранилища. Повторите позже.").write(w, r)
		return
	case err != nil:
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

var invalidBundleQuery = problem{
	Status: http.StatusBadRequest, Code: "invalid_query",
	Detail: "have — идентификатор коммита из 40 шестнадцатеричных цифр, since — число листьев журнала; вместе их не " +
		"дают.",
}

// openBundle opens the bundle that a request selects.
func openBundle(from Bundles, r *http.Request) (File, error) {
	q := r.URL.Query()
	have, since := q["have"], q["since"]
	switch {
	case len(q) == 0:
		return from.After(r.Context(), "", "")
	case len(q) > 1 || len(have)+len(since) != 1:
		return nil, ErrNoCommit
	case have != nil && have[0] != "":
		return from.After(r.Context(), have[0], r.Header.Get("If-None-Match"))
	}
	size, err := strconv.ParseInt(strings.Join(since, ""), 10, 64)
	if err != nil || size < 0 {
		return nil, ErrNoCommit
	}
	return from.Since(r.Context(), size)
}
