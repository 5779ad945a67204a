package admin

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"rulestore/server/observe"
	"rulestore/server/page"
)

// Config says what operators are told.
type Config struct {
	Version  string // of the program
	Requests *observe.Requests
	State    func() State
	// Health returns the health document with what only operators are told, and the status
	// to answer it with; nil: there is none.
	Health func() (status int, document []byte)
	// HealthPage returns the same as a page; nil, or not ok: there is none.
	HealthPage func() (html []byte, ok bool)
	// Order does what an operator of this machine wants: one of [Orders], with an argument, of
	// several repositories to the one that is named; it returns what is served then, or why
	// not. nil: nothing can be wanted.
	Order func(ctx context.Context, source, order, argument string) (status int, document []byte)
	// History returns what was served, newest first, a line of JSON for each snapshot.
	History func() []byte
	Pprof   bool // also serve profiles, which show the inside of the process and cost time
}

// State is what the process knows of itself at one moment.
type State struct {
	Unready  string // why the process should get no requests; empty if it should
	Snapshot *Snapshot
	Reloads  Reloads
	Fetches  *Fetches // nil if the repository is on this machine
	// Calculations says for each tool that was asked what came of it.
	Calculations []Calculations
	MCP          *MCP // nil before there is one
	// CertificateExpires is when the TLS certificate ends, zero without TLS.
	CertificateExpires time.Time
	Connections        int64 // open to the public listener
	Shed               int64 // times that idle connections were closed to make room
	Crashes            uint64
	Starter            bool // what is served is the starter content
	Pinned             bool // nothing else is served, whatever comes
	HeldBack           *HeldBack
	Delay              *Delay        // nil if what is new is served at once
	Sources            []SourceState // of each repository, where there are several
}

// SourceState is how one of several repositories fares.
type SourceState struct {
	Name          string
	CheckedAt     time.Time // when it was last seen to agree with what is served
	LastFailed    bool      // the last look at it failed, or the last fetch
	HeldBack      bool      // something that it has is not served until an operator decides
	Refused, Held int       // publications that are not served
	Errors        int       // findings
}

// Delay is how what is new waits before it is served.
type Delay struct {
	For     time.Duration
	Since   time.Time // when what waits was found; zero: nothing waits
	Behind  bool      // it waits for a canary,
	Serving bool      // which serves and holds nothing back
}

// HeldBack is what a guard holds back of a remote repository.
type HeldBack struct {
	Now    bool   // what the repository has is held back
	Losses int    // how many publications that would lose
	Total  uint64 // states held back by this process
}

// Snapshot is what is served.
type Snapshot struct {
	ID, Commit, Branch string
	LoadedAt           time.Time      // when it was swapped in
	CheckedAt          time.Time      // when the repository was last seen to agree with it
	Items              map[string]int // by kind
	Publications       int
	Refused, Held      int   // publications that are not served
	Errors, Warnings   int   // findings
	LogSize, LogSigned int64 // leaves of the log, and those that the checkpoint covers
	LogDisagrees       bool  // the newest checkpoint is not of this log
}

// Reloads counts what came of looking at the repository.
type Reloads struct {
	Swapped, Unchanged, Failed uint64
	LastFailed                 bool
	Duration                   observe.Reading // of those that read the repository
}

// Fetches counts what came of asking a remote repository.
type Fetches struct {
	Succeeded, Failed uint64
	LastSucceeded     time.Time // zero: never since the process started
	LastFailed        bool      // of the last fetch
	Duration          observe.Reading
	Renewals          uint64 // times that everything was fetched again because the copy was damaged
	Newest, Loaded    int    // generations of the copy: the last one, and the last that was loaded; 0: none
	Webhooks          Webhooks
}

// Webhooks counts the calls of git hosts and of other replicas, and those to other replicas.
type Webhooks struct {
	Accepted, Refused       uint64
	Forwarded, NotForwarded uint64
}

// Calculations is how often one tool was asked with one result.
type Calculations struct {
	Tool, Result string
	Count        uint64
}

// MCP is what clients of MCP have open, and have called.
type MCP struct {
	Sessions, Streams int
	Calls             []Calls
}

// Calls is how often one tool of MCP was called with one result.
type Calls struct {
	Tool, Result string
	Count        uint64
}

// History is where operators read what was served.
const History = "/history"

// New returns the handler of the admin listener.
func New(c Config) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry(c), promhttp.HandlerOpts{EnableOpenMetrics: true, MaxRequestsInFlight: 4}))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if why := c.State().Unready; why != "" {
			say(w, http.StatusServiceUnavailable, why)
			return
		}
		say(w, http.StatusOK, "ok")
	})
	if c.Order != nil {
		c.register(mux)
	}
	if c.History != nil {
		mux.HandleFunc("GET "+History, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/jsonl")
			w.Header().Set("Cache-Control", "no-store")
			_, _ = w.Write(c.History())
		})
	}
	if c.Health != nil {
		mux.HandleFunc("GET /api/v1/health", func(w http.ResponseWriter, r *http.Request) {
			if c.writePage(w, r) {
				return
			}
			status, document := c.Health()
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(status)
			_, _ = w.Write(document)
		})
	}
	for _, a := range page.Assets() {
		mux.HandleFunc("GET "+a.Path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", a.Type)
			w.Header().Set("X-Content-Type-Options", "nosniff")
			_, _ = w.Write(a.Body)
		})
	}
	if c.Pprof {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// writePage answers a browser with the page of health; false if that is not asked for.
func (c Config) writePage(w http.ResponseWriter, r *http.Request) bool {
	if c.HealthPage == nil || !strings.Contains(r.Header.Get("Accept"), page.Type) || r.URL.Query().Get("format") == "json" {
		return false
	}
	html, ok := c.HealthPage()
	if !ok {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", page.Type+"; charset=utf-8")
	h.Set("Content-Security-Policy", page.Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(html)
	return true
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintln(w, text)
}

// registry returns the metrics of one process, apart from any other in it.
func registry(c Config) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(
		&collector{c},
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return r
}
