package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"rulestore/content"
	"rulestore/server/site"
)

// Status is what only the process knows: how the content came here.
type Status struct {
	LoadedAt   time.Time // when the site that is served was made
	CheckedAt  time.Time // when the repository was last seen to agree with it
	WatchMode  string    // how changes are noticed
	LastError  string    // why the last load failed; empty if it did not
	Report     content.Report
	Draining   bool          // the process is about to stop
	StaleAfter time.Duration // how old CheckedAt may become; zero: as old as it likes
	Remote     *Remote       // how copying the repository goes; nil if it is on this machine
}

// Remote is how copying a repository from elsewhere goes.
type Remote struct {
	SucceededAt time.Time // when it last did; zero: not yet
	FailedAt    time.Time // when it last did not; zero: never
	Error       string    // why the last attempt failed; empty if it did not
}

// Unavailable says why the process should get no requests; empty if it should.
func (s Status) Unavailable(now time.Time) string {
	switch {
	case s.Draining:
		return "draining"
	case s.StaleAfter > 0 && now.Sub(s.CheckedAt) > s.StaleAfter:
		return "stale"
	}
	return ""
}

// health is the health document (design, section 6).
type health struct {
	Status        string            `json:"status"` // ok, degraded or unavailable
	Reason        string            `json:"reason,omitempty"`
	Snapshot      string            `json:"snapshot"`
	Commit        string            `json:"commit"`
	Branch        string            `json:"branch"`
	Date          string            `json:"date"`
	Drafts        bool              `json:"drafts"`
	LoadedAt      string            `json:"loaded_at"`
	AgeSeconds    int               `json:"age_seconds"`
	CheckedAt     string            `json:"checked_at"`
	WatchMode     string            `json:"watch_mode"`
	LastError     *string           `json:"last_error"`
	Remote        *remote           `json:"remote,omitempty"`
	Vouched       []content.Vouched `json:"vouched,omitempty"`
	Counts        counts            `json:"counts"`
	Refused       []rejected        `json:"refused"`
	Held          []rejected        `json:"held"`
	FindingsTotal int               `json:"findings_total"`
	Findings      []content.Finding `json:"findings"`
	FetchedAt     string            `json:"fetched_at"`
}

type counts struct {
	Items        map[string]int `json:"items"`
	Publications int            `json:"publications"`
	Refused      int            `json:"refused"`
	Held         int            `json:"held"`
	Errors       int            `json:"errors"`
	Warnings     int            `json:"warnings"`
}

type remote struct {
	LastSuccess *string `json:"last_success"`
	LastFailure *string `json:"last_failure"`
	LastError   *string `json:"last_error"`
}

// rejected is a publication that is not served, and why.
type rejected struct {
	Tag    string            `json:"tag"`
	Causes []content.Finding `json:"causes"`
}

// What the health document shows; it counts all.
const (
	maxFindings = 200
	maxCauses   = 20 // of one tag
)

func (h *handler) health(w http.ResponseWriter, r *http.Request) {
	s, st, now := siteOf(r), h.Status(), time.Now()
	doc := describeHealth(s, st, now)
	status := http.StatusOK
	if doc.Status == "unavailable" {
		status = http.StatusServiceUnavailable
	}
	if pageSite(r) != nil {
		writePage(w, r, status, s.Frame(), doc.page(s))
		return
	}
	writeUncached(w, r, status, "application/json", doc)
}

// Health returns the health document of a site, as it is served.
func Health(s *site.Site, st Status) []byte { return indented(describeHealth(s, st, time.Now())) }

// healthz is the legacy check: the status alone.
func (h *handler) healthz(w http.ResponseWriter, r *http.Request) {
	reason := h.Status().Unavailable(time.Now())
	w.Header().Set("Deprecation", site.LegacySince)
	w.Header().Set("Link", "<"+siteOf(r).URL("/api/v1/health")+`>; rel="successor-version"`)
	if reason != "" {
		writeUncached(w, r, http.StatusServiceUnavailable, "application/json", map[string]string{"status": "unavailable", "reason": reason})
		return
	}
	writeUncached(w, r, http.StatusOK, "application/json", map[string]string{"status": "ok"})
}

func describeHealth(s *site.Site, st Status, now time.Time) health {
	doc := health{
		Status: "ok", Reason: st.Unavailable(now),
		Snapshot: s.ID, Commit: s.Snapshot.Commit, Branch: s.Snapshot.Branch,
		Date: s.Snapshot.Date, Drafts: s.Snapshot.Drafts,
		LoadedAt: st.LoadedAt.UTC().Format(site.TimeFormat), AgeSeconds: int(now.Sub(st.LoadedAt).Seconds()),
		CheckedAt: st.CheckedAt.UTC().Format(site.TimeFormat), WatchMode: st.WatchMode,
		Vouched:       s.Snapshot.Vouched,
		Refused:       reject(st.Report.Refused, st.Report.Findings),
		Held:          reject(st.Report.Held, st.Report.Findings),
		FindingsTotal: len(st.Report.Findings),
		Findings:      append([]content.Finding{}, st.Report.Findings[:min(len(st.Report.Findings), maxFindings)]...),
		FetchedAt:     now.UTC().Format(site.TimeFormat),
	}
	doc.Counts = counts{
		Items: map[string]int{}, Publications: s.Snapshot.Count(),
		Refused: len(st.Report.Refused), Held: len(st.Report.Held),
		Errors: st.Report.Count(content.Error), Warnings: st.Report.Count(content.Warning),
	}
	for _, item := range s.Snapshot.Items {
		doc.Counts.Items[item.Kind.Folder]++
	}
	if st.LastError != "" {
		doc.LastError = &st.LastError
	}
	failing := st.Remote != nil && st.Remote.Error != ""
	if st.Remote != nil {
		doc.Remote = describeRemote(*st.Remote)
	}
	switch {
	case doc.Reason != "":
		doc.Status = "unavailable"
	case st.LastError != "" || failing || doc.Counts.Errors > 0:
		doc.Status = "degraded"
	}
	return doc
}

func describeRemote(r Remote) *remote {
	var doc remote
	if !r.SucceededAt.IsZero() {
		doc.LastSuccess = new(r.SucceededAt.UTC().Format(site.TimeFormat))
	}
	if !r.FailedAt.IsZero() {
		doc.LastFailure = new(r.FailedAt.UTC().Format(site.TimeFormat))
	}
	if r.Error != "" {
		doc.LastError = &r.Error
	}
	return &doc
}

// reject pairs tags with what was found about them.
func reject(tags []string, findings []content.Finding) []rejected {
	list := []rejected{}
	for _, tag := range tags[:min(len(tags), maxFindings)] {
		r := rejected{Tag: tag, Causes: []content.Finding{}}
		for _, f := range findings {
			if f.Tag == tag && len(r.Causes) < maxCauses {
				r.Causes = append(r.Causes, f)
			}
		}
		list = append(list, r)
	}
	return list
}

// writeUncached answers with a document that is true only now.
func writeUncached(w http.ResponseWriter, r *http.Request, status int, mediaType string, doc any) {
	body := indented(doc)
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a client that went away is no error of ours
	}
}

// indented writes a document for people and programs alike, on a terminal too.
func indented(doc any) []byte {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		panic(err) // only types of this package come here
	}
	return content.PrintableJSON(body.Bytes())
}
