package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/html"
	"rulestore/server/site"
)

// Status is the state of the process: how the content was loaded.
type Status struct {
	LoadedAt   time.Time // when the current site was built
	CheckedAt  time.Time // last time at which the repository agreed with it
	WatchMode  string    // how changes are noticed
	LastError  string    // the error of the last load; empty if it succeeded
	Report     content.Report
	Draining   bool          // the process is about to stop
	StaleAfter time.Duration // the maximum age of CheckedAt; zero: unlimited
	Remote     *Remote       // the state of the mirror; nil for a local repository
	Starter    bool          // the starter content is served, since no repository was given
	Repository string        // its location
	Pinned     string        // the tag or abbreviated commit that --ref pins; empty if there is none
	HeldBack   *HeldBack     // the state of the repository that is not served; nil if there is none
}

// Remote is the status of mirroring a remote repository.
type Remote struct {
	State       RemoteState
	SucceededAt time.Time // the last success; zero: none yet
	FailedAt    time.Time // the last failure; zero: never
	Error       string    // the error of the last attempt; empty if it succeeded
	RenewedAt   time.Time // the last complete fetch after damage; zero: never
	Renewal     string    // its reason, or that of the next one
	Mirror      string    // the folder of the mirror
}

// RemoteState is the state of following a remote repository.
type RemoteState string

// The states of a remote, and of its mirror.
const (
	RemoteFollowing  RemoteState = "following"  // what it has is served, unless the errors say why not
	RemoteHeld       RemoteState = "held"       // what it has is held back until an operator confirms it
	RemoteUnreadable RemoteState = "unreadable" // the mirror cannot be read, and is fetched again
)

// Unavailable returns the reason why the process should get no requests; empty if it should.
func (s Status) Unavailable(now time.Time) string {
	switch {
	case s.Draining:
		return "draining"
	case s.StaleAfter > 0 && now.Sub(s.CheckedAt) > s.StaleAfter:
		return "stale"
	}
	return ""
}

// health is the health document (design, section 6). What is only for operators is left
// out of the public one.
type health struct {
	operators bool // it is theirs

	Status        string               `json:"status"` // ok, degraded or unavailable
	Reason        string               `json:"reason,omitempty"`
	Build         string               `json:"build"` // of the program
	Snapshot      string               `json:"snapshot"`
	Commit        string               `json:"commit"`
	Branch        string               `json:"branch"`
	Date          string               `json:"date"`
	Drafts        bool                 `json:"drafts"`
	Starter       bool                 `json:"starter,omitempty"`
	Pinned        string               `json:"pinned,omitempty"`
	HeldBack      *heldBack            `json:"held_back,omitempty"`
	LoadedAt      string               `json:"loaded_at"`
	AgeSeconds    int                  `json:"age_seconds"`
	CheckedAt     string               `json:"checked_at"`
	WatchMode     string               `json:"watch_mode"`
	LastError     *string              `json:"last_error"`
	Repository    string               `json:"repository,omitempty"` // for operators
	Remote        *remote              `json:"remote,omitempty"`
	Vouched       []content.SignedFile `json:"vouched,omitempty"`
	Counts        counts               `json:"counts"`
	Refused       []rejected           `json:"refused"`
	Held          []rejected           `json:"held"`
	FindingsTotal int                  `json:"findings_total"`
	Findings      []reportedFinding    `json:"findings"`
	FetchedAt     string               `json:"fetched_at"`
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
	State       RemoteState `json:"state"`
	LastSuccess *string     `json:"last_success"`
	LastFailure *string     `json:"last_failure"`
	LastError   *string     `json:"last_error"`
	LastRenewal *string     `json:"last_renewal"`
	Renewal     string      `json:"renewal_reason,omitempty"` // for operators
	Mirror      string      `json:"mirror,omitempty"`         // for operators
}

// The public texts for errors: the original texts contain addresses and file names, and
// messages of git hosts.
const (
	notLoaded  = "the repository could not be loaded, and what was served goes on being served; operators are told why"
	notFetched = "the repository could not be fetched, and the last copy is served; operators are told why"
)

// rejected is a publication that is not served, and why.
type rejected struct {
	Tag         string            `json:"tag"`
	Commit      string            `json:"commit,omitempty"`
	CommittedAt *time.Time        `json:"committed_at,omitempty"`
	Author      string            `json:"author,omitempty"` // for operators: whoever pushes writes what they like there
	Causes      []reportedFinding `json:"causes"`
	Instead     string            `json:"-"` // on pages: the address of what is served in its place, "" if nothing is
}

// reportedFinding is a finding of the health document. Only operators get its detail and excerpt.
type reportedFinding struct {
	content.Finding
	Detail  string `json:"detail,omitempty"`
	Excerpt string `json:"excerpt,omitempty"` // the line that is meant: nobody has published it
}

// report returns a finding for the readers of the document.
func (d health) report(f content.Finding) reportedFinding {
	if d.operators {
		return reportedFinding{f, f.Detail, f.Excerpt.Text}
	}
	f.Excerpt = content.Excerpt{}
	return reportedFinding{Finding: f}
}

// told is an error as operators are told it, or what the public is told of it; nil if there is none.
func (d health) told(err, public string) *string {
	switch {
	case err == "":
		return nil
	case d.operators:
		return &err
	}
	return &public
}

// The limits of lists in the health document; counts are complete.
const (
	maxFindings = content.MaxRejected
	maxCauses   = 20 // of one tag
)

func (h *handler) health(w http.ResponseWriter, r *http.Request) {
	s, st, now := siteOf(r), h.Status(), time.Now()
	doc := describeHealth(s, st, now, false)
	status := doc.code()
	if pageSite(r) != nil {
		writePage(w, r, status, s, doc.page(s, st.Report, s.Root()))
		return
	}
	writeUncached(w, r, status, api.JSONType, doc)
}

// code is the status of an answer with the document.
func (d health) code() int {
	if d.Status == "unavailable" {
		return http.StatusServiceUnavailable
	}
	return http.StatusOK
}

// Health returns the served health document of a site.
func Health(s *site.Site, st Status) []byte {
	return indentedJSON(describeHealth(s, st, time.Now(), false))
}

// ForOperators returns the health document with details that are not public: the locations of
// the repository and its mirror, and the texts of errors. The site is nil before the first.
func ForOperators(s *site.Site, st Status) (code int, document []byte) {
	if s == nil {
		of := health{operators: true}
		doc := starting{"unavailable", "starting", st.Repository, of.remote(st.Remote)}
		return http.StatusServiceUnavailable, indentedJSON(doc)
	}
	doc := describeHealth(s, st, time.Now(), true)
	return doc.code(), indentedJSON(doc)
}

// PageForOperators returns the same as a self-contained page, for a listener without other
// pages; not ok before the first site.
func PageForOperators(s *site.Site, st Status) (page []byte, ok bool) {
	if s == nil {
		return nil, false
	}
	p := describeHealth(s, st, time.Now(), true).page(s, st.Report, s.URL(""))
	p.Head.Crumbs, p.Head.Searches = nil, true
	return html.RenderAlone(s, p), true
}

// starting is the health document before there is a site.
type starting struct {
	Status     string  `json:"status"`
	Reason     string  `json:"reason"`
	Repository string  `json:"repository"`
	Remote     *remote `json:"remote,omitempty"`
}

// healthz is the legacy check: the status alone.
func (h *handler) healthz(w http.ResponseWriter, r *http.Request) {
	reason := h.Status().Unavailable(time.Now())
	w.Header().Set("Deprecation", site.LegacySince)
	w.Header().Set("Link", "<"+siteOf(r).URL(api.HealthPath)+`>; rel="successor-version"`)
	if reason != "" {
		writeUncached(
			w, r, http.StatusServiceUnavailable, api.JSONType,
			map[string]string{"status": "unavailable", "reason": reason},
		)
		return
	}
	writeUncached(w, r, http.StatusOK, api.JSONType, map[string]string{"status": "ok"})
}

func describeHealth(s *site.Site, st Status, now time.Time, operators bool) health {
	doc := health{
		operators: operators, Status: "ok", Reason: st.Unavailable(now), Build: s.Program(),
		Snapshot: s.ID, Commit: s.Snapshot.Commit, Branch: s.Snapshot.Branch,
		Date: s.Snapshot.Date, Drafts: s.Snapshot.Drafts, Starter: st.Starter, Pinned: st.Pinned,
		LoadedAt: st.LoadedAt.UTC().Format(site.TimeFormat), AgeSeconds: int(now.Sub(st.LoadedAt).Seconds()),
		CheckedAt: st.CheckedAt.UTC().Format(site.TimeFormat), WatchMode: st.WatchMode,
		Vouched: s.Snapshot.SignedFiles, HeldBack: describeHeldBack(st.HeldBack),
		FindingsTotal: st.Report.Total(), Findings: []reportedFinding{}, FetchedAt: now.UTC().Format(site.TimeFormat),
	}
	doc.Refused, doc.Held = doc.reject(st.Report.Refused, st.Report), doc.reject(st.Report.Held, st.Report)
	for _, f := range st.Report.Findings[:min(len(st.Report.Findings), maxFindings)] {
		doc.Findings = append(doc.Findings, doc.report(f))
	}
	doc.LastError, doc.Remote = doc.told(st.LastError, notLoaded), doc.remote(st.Remote)
	if operators {
		doc.Repository = st.Repository
	}
	doc.Counts = counts{
		Items: map[string]int{}, Publications: s.Snapshot.Count(),
		Refused: len(st.Report.Refused), Held: len(st.Report.Held),
		Errors: st.Report.Count(content.Error), Warnings: st.Report.Count(content.Warning),
	}
	for _, item := range s.Snapshot.Items {
		doc.Counts.Items[item.Kind.Folder]++
	}
	failing := st.Pinned != "" || st.Remote != nil &&
		(st.Remote.Error != "" || slices.Contains(troubled, st.Remote.State))
	switch {
	case doc.Reason != "":
		doc.Status = "unavailable"
	case st.LastError != "" || failing || doc.Counts.Errors > 0:
		doc.Status = "degraded"
	}
	return doc
}

// troubled are the states of a remote that somebody has to know of.
var troubled = []RemoteState{RemoteUnreadable, RemoteHeld}

// remote is the status of the mirror, nil if there is none.
func (d health) remote(r *Remote) *remote {
	if r == nil {
		return nil
	}
	doc := &remote{
		State: r.State, LastSuccess: timestamp(r.SucceededAt), LastFailure: timestamp(r.FailedAt),
		LastRenewal: timestamp(r.RenewedAt), LastError: d.told(r.Error, notFetched),
	}
	if d.operators {
		doc.Renewal, doc.Mirror = r.Renewal, r.Mirror
	}
	return doc
}

// reject pairs tags with what was found about them, and with where they are from.
func (d health) reject(tags []string, r content.Report) []rejected {
	list, at := []rejected{}, map[string]int{}
	for _, tag := range tags[:min(len(tags), maxFindings)] {
		at[tag] = len(list)
		one := rejected{Tag: tag, Causes: []reportedFinding{}}
		if o, ok := r.Origins[tag]; ok {
			one.Commit = o.Commit
			if d.operators {
				one.Author = o.Author
			}
			if !o.Committed.IsZero() {
				one.CommittedAt = &o.Committed
			}
		}
		list = append(list, one)
	}
	for _, f := range r.Findings {
		if i, ok := at[f.Tag]; ok && len(list[i].Causes) < maxCauses {
			list[i].Causes = append(list[i].Causes, d.report(f))
		}
	}
	return list
}

// writeUncached answers with a document that is true only now.
func writeUncached(w http.ResponseWriter, r *http.Request, status int, mediaType string, doc any) {
	writeBody(w, r, status, mediaType, indentedJSON(doc))
}

// indentedJSON encodes a document with indentation, without characters that a terminal would interpret.
func indentedJSON(doc any) []byte {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		panic(err) // only types of this package come here
	}
	return content.PrintableJSON(body.Bytes())
}
