package server

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"rulestore/server/page"
	"rulestore/server/site"
)

const (
	// maxPreviews is the maximum number of pages that wait for changes. Previews are for authors,
	// not for the public.
	maxPreviews = 64
	// heartbeat is the interval of messages to waiting pages, so that proxies keep the connection,
	// and clients that are gone are detected.
	heartbeat = 20 * time.Second
)

// previews counts the waiting pages.
type previews struct{ waiting atomic.Int32 }

// pageState identifies the served content with its findings: a page with another state is outdated.
func (h *handler) pageState(s *site.Site) string {
	return s.ID + "-" + strconv.FormatInt(h.Status().LoadedAt.UnixNano(), 36)
}

// previewEvents notifies a page of a preview by server-sent events when it is outdated.
func (h *handler) previewEvents(w http.ResponseWriter, r *http.Request) {
	if !siteOf(r).Snapshot.Drafts || h.Changed == nil {
		pathNotFoundProblem(siteOf(r)).write(w, r)
		return
	}
	if h.previews.waiting.Add(1) > maxPreviews {
		h.previews.waiting.Add(-1)
		w.Header().Set("Retry-After", "30")
		unavailableProblem("too_many_previews", "Слишком много открытых страниц предпросмотра.").write(w, r)
		return
	}
	defer h.previews.waiting.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodHead {
		h.announce(w, r)
	}
}

// announce sends the state whenever it changes, until the client is gone or the process ends.
func (h *handler) announce(w http.ResponseWriter, r *http.Request) {
	out := http.NewResponseController(w)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for message := "retry: 1000\n"; ; message = "" {
		changed := h.Changed() // before reading the state, so that no change is missed
		s := h.Sites.Current()
		if h.Status().Draining {
			return
		}
		message += "data: " + h.pageState(s) + "\n\n"
		for waiting := true; waiting; message = ": still here\n\n" {
			_ = out.SetWriteDeadline(time.Now().Add(2 * heartbeat)) // not all connections have deadlines
			if _, err := fmt.Fprint(w, message); err != nil || out.Flush() != nil {
				return
			}
			select {
			case <-r.Context().Done():
				return
			case <-changed:
				waiting = false
			case <-beat.C:
			}
		}
	}
}

// previewOf returns the author's view of a path, nil if it is that of all.
func previewOf(s *site.Site, r *http.Request) *site.Resource {
	if r.URL.RawPath != "" || r.URL.RawQuery != "" || !isRead(r) || pageSite(r) == nil {
		return nil
	}
	return s.Preview(r.URL.Path)
}

// servePreview answers with a page for authors: it has its state, and must not be stored.
func (h *handler) servePreview(w http.ResponseWriter, r *http.Request, s *site.Site, rep *site.Representation) {
	body := page.Fill(rep.Body.Bytes, h.pageState(s))
	header := w.Header()
	assign(header, rep.Headers)
	header.Del("Etag")
	header.Del("Last-Modified")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may be gone
	}
}
