package verify

import (
	"bytes"
	"context"
	"math"
	"net/http"
	"regexp"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
)

// Named is what a server states about itself. It is used only to select the expectation.
type Named struct {
	Base    string // its base URL
	Version string // of the program
	Commit  string // of its content
	Branch  string // of the commit; "" if it is not stated

	// Sources are the repositories that it states, if there are several.
	Sources []NamedSource
}

// NamedSource is what a server states about one of several repositories.
type NamedSource struct{ Source, Commit, Branch string }

// Expected is the expected behaviour of a server of the repository.
type Expected struct {
	Handler http.Handler
	Paths   []string // of all resources without a query
	// Snapshot is the expected snapshot: that of the repository or, if the server is behind, an
	// older one.
	Snapshot *content.Snapshot
	// Newer is the expectation for an up-to-date server; nil if the server is up to date.
	Newer *Expected
	// Note returns remarks on the state of the server and of the repository.
	Note i18n.Text
	// Process sets the process state in the handler's responses to that of the server. It may
	// be nil.
	Process func(ProcessState)

	session string // of MCP; "" if there is none
}

// recorder records a response.
type recorder struct {
	answer
	body bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}

func (r *recorder) Flush() {}

// answer is the expected response to a request.
func (e *Expected) answer(ctx context.Context, r request) (answer, error) {
	req, err := r.http(ctx, "http://localhost", e.session)
	if err != nil {
		return answer{}, err
	}
	req.RequestURI = r.path
	w := &recorder{answer: answer{header: http.Header{}}}
	e.Handler.ServeHTTP(w, req)
	w.WriteHeader(http.StatusOK)
	w.answer.body = w.body.Bytes()
	return w.answer, nil
}

// unequal adds a difference of two texts, with excerpts at the first differing byte.
func (r *report) unequal(what, problem i18n.Text, want, got string) {
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	r.differ(what, problem, excerpt(want, at), excerpt(got, at))
}

// excerpt is the part of a text around an offset.
func excerpt(text string, at int) string {
	const before, after = 30, 60
	part := text[max(0, at-before):min(len(text), at+after)]
	if at > before {
		part = "…" + part
	}
	if len(text) > at+after {
		part += "…"
	}
	return strings.ToValidUTF8(part, "")
}

// moment matches times of a response, also in JSON within JSON.
var moment = regexp.MustCompile(`("fetched_at\\*": ?\\*")(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)`)

// withoutTimes removes the times of the response from a body.
func withoutTimes(body []byte) []byte { return moment.ReplaceAll(body, []byte("$1")) }

// snapshotID matches names of snapshots.
var snapshotID = regexp.MustCompile(`^[0-9a-f]{16}$`)

// text is a body without what differs between servers of one repository: the times of the
// response, and the name of the snapshot, which depends on all refs.
func (a answer) text() []byte {
	body := withoutTimes(a.body)
	if id := a.header.Get("X-Snapshot"); snapshotID.MatchString(id) {
		// validated, so that it cannot remove arbitrary text
		body = bytes.ReplaceAll(body, []byte(id), []byte("<snapshot>"))
	}
	return body
}

// namesSnapshot reports whether the body, and so its entity tag, depends on the name of the
// snapshot.
func (a answer) namesSnapshot() bool {
	return bytes.Contains(a.body, []byte(a.header.Get("X-Snapshot")))
}

// The tolerated difference of the time of a response from now: caches serve stale responses,
// and clocks are wrong.
const (
	oldest = 48 * time.Hour
	newest = time.Hour
)

// moments compares the times of a response with the expected ones: a time that should be now
// may differ by the tolerance, others, in examples, must be equal.
func (r *report) moments(what i18n.Text, want, got []byte) {
	wanted, found := moment.FindAllSubmatch(want, -1), moment.FindAllSubmatch(got, -1)
	for i := range min(len(wanted), len(found)) {
		w, g := string(wanted[i][2]), string(found[i][2])
		at := age(g)
		if a := age(w); w != g && (a > time.Hour || a < -time.Hour || at > oldest || at < -newest) {
			r.differ(what, "fetched_at", w, g)
		}
	}
}

// age is the time since a time in a text; the largest duration if it is invalid.
func age(text string) time.Duration {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return math.MaxInt64
	}
	return time.Since(at)
}

// firstDifference describes the place where two bodies differ first: the field of JSON
// objects, else the text.
func firstDifference(want, got []byte) i18n.Text {
	w, _, err1 := read(want)
	g, _, err2 := read(got)
	if err1 != nil {
		return i18n.New("the text")
	}
	if err2 != nil {
		return theBody
	}
	for i := range max(len(w), len(g)) {
		switch {
		case i >= len(g) || i < len(w) && g.Get(w[i].Name) == nil:
			return i18n.New("field %s", w[i].Name)
		case i >= len(w) || w.Get(g[i].Name) == nil, w[i].Name != g[i].Name || !bytes.Equal(w[i].Value, g[i].Value):
			return i18n.New("field %s", clip(g[i].Name))
		}
	}
	return theBody
}
