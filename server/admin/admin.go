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

	"rulestore/server/html/assets"
	"rulestore/server/observe"
)

// Config is the configuration of the admin listener.
type Config struct {
	Version  string // of the program
	Requests *observe.Requests
	State    func() State
	// Health returns the health document for operators, and its status; it may be nil.
	Health func() (status int, document []byte)
	// HealthPage returns the same as a page; nil, or not ok: there is none.
	HealthPage func() (html []byte, ok bool)
	// Served describes the served state; nil: it is not described, and nothing can be confirmed.
	Served func() (status int, document []byte)
	// Confirm serves the state that is held back, if it has this name, for an operator on this
	// machine; it returns the served state after it, or an error.
	Confirm func(ctx context.Context, state string) (status int, document []byte)
	Pprof   bool // also serve profiles, which expose internals of the process and cost time
}

// State is the state of the process at one moment.
type State struct {
	Unready  string // why the process should get no requests; empty if it should
	Snapshot *Snapshot
	Reloads  Reloads
	Fetches  *Fetches // nil for a local repository
	// Calculations counts the calls of each tool by result.
	Calculations []Calculations
	MCP          *MCP // nil before the MCP server exists
	// CertificateExpires is the end of validity of the TLS certificate, zero without TLS.
	CertificateExpires time.Time
	Connections        int64 // open on the public listener
	Crashes            uint64
	Starter            bool // what is served is the starter content
	Pinned             bool // --ref pins a tag or a commit
	HeldBack           *HeldBack
}

// HeldBack is the state of a remote repository that a guard holds back.
type HeldBack struct {
	Now    bool   // the repository's state is held back
	Losses int    // number of publications that it would remove
	Total  uint64 // states held back by this process
}

// Snapshot is the served snapshot.
type Snapshot struct {
	ID, Commit, Branch string
	LoadedAt           time.Time      // when it was swapped in
	CheckedAt          time.Time      // last time at which the repository agreed with it
	Items              map[string]int // by kind
	Publications       int
	Refused, Held      int   // publications that are not served
	Errors, Warnings   int   // findings
	LogSize, LogSigned int64 // leaves of the log, and those that the checkpoint covers
	LogDisagrees       bool  // the newest checkpoint is of another log
}

// Reloads counts the results of looking at the repository.
type Reloads struct {
	Swapped, Unchanged, Failed uint64
	LastFailed                 bool
	Duration                   observe.Reading // of those that read the repository
}

// Fetches counts the results of fetching from a remote repository.
type Fetches struct {
	Succeeded, Failed uint64
	LastSucceeded     time.Time // zero: never since the start of the process
	LastFailed        bool      // of the last fetch
	Duration          observe.Reading
	Renewals          uint64 // number of complete fetches after damage to the mirror
	Unreadable        bool   // the mirror is, and is fetched again
	Webhooks          Webhooks
}

// Webhooks counts the calls of git hosts.
type Webhooks struct{ Accepted, Refused uint64 }

// Calculations is the number of calls of one tool with one result.
type Calculations struct {
	Tool, Result string
	Count        uint64
}

// MCP counts the open streams of MCP clients, and their calls.
type MCP struct {
	Streams int
	Calls   []Calls
}

// Calls is the number of calls of one MCP tool with one result.
type Calls struct {
	Tool, Result string
	Count        uint64
}

// New returns the handler of the admin listener.
func New(c Config) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(
		"GET /metrics",
		promhttp.HandlerFor(registry(c), promhttp.HandlerOpts{EnableOpenMetrics: true, MaxRequestsInFlight: 4}),
	)
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if why := c.State().Unready; why != "" {
			say(w, http.StatusServiceUnavailable, why)
			return
		}
		say(w, http.StatusOK, "ok")
	})
	if c.Served != nil {
		c.register(mux)
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
	for _, a := range assets.All() {
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

// writePage reports whether a browser requests the page of health, and answers it.
func (c Config) writePage(w http.ResponseWriter, r *http.Request) bool {
	if c.HealthPage == nil || !strings.Contains(r.Header.Get("Accept"), "text/html") ||
		r.URL.Query().Get("format") == "json" {
		return false
	}
	html, ok := c.HealthPage()
	if !ok {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", assets.Policy)
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
