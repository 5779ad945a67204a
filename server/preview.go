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
	// maxPreviews is how many pages may wait for changes at a time. A preview is
	// for an author, not for the public.
	maxPreviews = 64
	// heartbeat is how often a waiting page hears that nothing happened, so that
	// what lies between does not hang up, and we notice who went away.
	heartbeat = 20 * time.Second
)

// previews counts the pages that wait.
type previews struct{ waiting atomic.Int32 }

// moment names what is served now and what was found about it: a page that shows
// another moment is out of date.
func (h *handler) moment(s *site.Site) string {
	return s.ID + "-" + strconv.FormatInt(h.Status().LoadedAt.UnixNano(), 36)
}

// changes tells a page of a preview when it is out of date, as server-sent events.
func (h *handler) changes(w http.ResponseWriter, r *http.Request) {
	if !siteOf(r).Snapshot.Drafts || h.Changed == nil {
		pathNotFound(siteOf(r)).write(w, r)
		return
	}
	if h.previews.waiting.Add(1) > maxPreviews {
		h.previews.waiting.Add(-1)
		w.Header().Set("Retry-After", "30")
		problem{
			Status: http.StatusServiceUnavailable, Code: "too_many_previews",
			Detail: "Слишком много открытых страниц предпросмотра.",
		}.write(w, r)
		return
	}
	defer h.previews.waiting.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodHead {
		h.announce(w, r)
	}
}

// announce sends the moment whenever it is another, until the client goes away or
// the process ends.
func (h *handler) announce(w http.ResponseWriter, r *http.Request) {
	out := http.NewResponseController(w)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for message := "retry: 1000\n"; ; message = "" {
		changed := h.Changed() // before we look, so that nothing is missed
		s := h.Sites.Current()
		if h.Status().Draining {
			return
		}
		message += "data: " + h.moment(s) + "\n\n"
		for waiting := true; waiting; message = ": still here\n\n" {
			_ = out.SetWriteDeadline(time.Now().Add(2 * heartbeat)) // where it cannot be set, there is none
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

// previewed returns what only an author sees at a path, nil if that is what others
// see too.
func previewed(s *site.Site, r *http.Request) *site.Resource {
	if r.URL.RawPath != "" || r.URL.RawQuery != "" || !reads(r) || pageSite(r) == nil {
		return nil
	}
	return s.Preview(r.URL.Path)
}

// servePreview answers with a page as an author sees it: it says of which moment it
// is, and nobody may keep it.
func (h *handler) servePreview(w http.ResponseWriter, r *http.Request, s *site.Site, rep *site.Representation) {
	body := page.Fill(rep.Body.Bytes, h.moment(s))
	header := w.Header()
	assign(header, rep.Headers)
	header.Del("Etag")
	header.Del("Last-Modified")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a client that went away is no error of ours
	}
}
