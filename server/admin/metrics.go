package admin

import (
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"rulestore/server/observe"
)

// The metrics.
var (
	requests = describe("http_requests_total", "Requests answered.", "route", "status", "representation")
	duration = describe(
		"http_request_duration_seconds", "Time from the end of a request's headers to the end of its answer.", "route",
	)
	bytes       = describe("http_response_bytes_total", "Size of the bodies sent, as they were sent.", "route")
	inFlight    = describe("http_requests_in_flight", "Requests being answered.")
	connections = describe("http_connections", "Connections open to the public listener.")

	ready     = describe("ready", "1 while the process should get requests.")
	snapshot  = describe("snapshot_info", "What is served; always 1.", "snapshot", "commit", "branch")
	loadedAt  = describe("snapshot_loaded_timestamp_seconds", "When what is served was swapped in.")
	checkedAt = describe(
		"snapshot_checked_timestamp_seconds",
		"When the repository was last seen to agree with what is served: the last success.",
	)
	items        = describe("snapshot_items", "Items served, by kind.", "kind")
	publications = describe("snapshot_publications", "Publications served, without prereleases and drafts.")
	starter      = describe(
		"starter_content", "1 if the embedded starter content is served, since no repository was given.",
	)
	pinned   = describe("pinned", "1 if --ref has one tag or commit served, whatever comes.")
	heldBack = describe(
		"held_back",
		"1 while what the remote repository has is held back, since it loses publications or rewrites the branch.",
	)
	losses    = describe("held_back_losses", "Publications that the state loses that is held back.")
	heldBacks = describe("held_back_total", "States of the remote repository that were held back.")
	withheld  = describe(
		"snapshot_publications_withheld",
		"Publications not served: refused, or held until what they refer to is there.", "reason",
	)
	logLeaves = describe(
		"log_leaves", "Leaves of the log: those that are signed, and all with what is still to be appended.", "of",
	)
	logDisagrees = describe(
		"log_disagrees", "1 if the newest log of the repository does not stand.",
	)
	findings = describe(
		"snapshot_findings", "What the load of the snapshot found to be wrong, by severity.", "severity",
	)

	reloads        = describe("reloads_total", "Looks at the repository, by what came of them.", "result")
	reloadDuration = describe(
		"reload_duration_seconds", "Time from noticing a change to serving it, failures included.",
	)
	reloadFailed = describe(
		"reload_failed", "1 if the last look at the repository failed and older content is served.",
	)

	fetches       = describe("fetches_total", "Fetches from the remote repository, by what came of them.", "result")
	fetchDuration = describe("fetch_duration_seconds", "Time that fetches took, failures included.")
	renewals      = describe(
		"mirror_renewals_total",
		"Times that everything was fetched again because the copy was damaged or could not be loaded.",
	)
	unreadable = describe(
		"mirror_unreadable", "1 if the copy cannot be read: it is fetched again, and what was served goes on being served.",
	)
	webhooks = describe(
		"webhook_calls_total",
		"Calls of git hosts, by what came of them: refused are those that are not signed with the secret.", "result",
	)
	fetchedAt   = describe("fetch_succeeded_timestamp_seconds", "When the remote repository was last fetched.")
	fetchFailed = describe("fetch_failed", "1 if the last fetch failed and the last copy is served.")

	calculations = describe(
		"calculations_total", "Calculations asked for over HTTP and MCP, by what came of them.", "tool", "result",
	)
	mcpCalls = describe(
		"mcp_tool_calls_total", "Tools that MCP clients called, by what came of it.", "tool", "result",
	)
	mcpStreams = describe("mcp_streams", "Streams on which MCP clients wait for news.")

	crashes = describe(
		"crashes_total",
		"Crashes of the program, which cost what they happened to: each is a defect and is in the log.",
	)
	certificate = describe("tls_certificate_expiry_timestamp_seconds", "When the TLS certificate ends.")
	buildInfo   = describe("build_info", "The program; always 1.", "version", "goversion")
)

// all lists every metric above, in that order.
var all []*prometheus.Desc

func describe(name, help string, labels ...string) *prometheus.Desc {
	d := prometheus.NewDesc("rulestore_"+name, help, labels, nil)
	all = append(all, d)
	return d
}

// collector collects the numbers on request.
type collector struct{ Config }

// Describe implements prometheus.Collector.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range all {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	out := metrics(to)
	out.requests(c.Requests)
	s := c.State()
	out.gauge(connections, float64(s.Connections))
	out.gauge(ready, truth(s.Unready == ""))
	out.snapshot(s.Snapshot)
	out.gauge(starter, truth(s.Starter))
	out.gauge(pinned, truth(s.Pinned))
	out.heldBack(s.HeldBack)
	out.reloads(s.Reloads)
	out.fetches(s.Fetches)
	for _, n := range s.Calculations {
		out.counter(calculations, float64(n.Count), n.Tool, n.Result)
	}
	if s.MCP != nil {
		out.gauge(mcpStreams, float64(s.MCP.Streams))
		for _, n := range s.MCP.Calls {
			out.counter(mcpCalls, float64(n.Count), n.Tool, n.Result)
		}
	}
	if !s.CertificateExpires.IsZero() {
		out.gauge(certificate, unix(s.CertificateExpires))
	}
	out.counter(crashes, float64(s.Crashes))
	out.gauge(buildInfo, 1, c.Version, runtime.Version())
}

// metrics is where metrics are sent.
type metrics chan<- prometheus.Metric

func (m metrics) requests(q *observe.Requests) {
	for _, r := range q.Routes() {
		asked := false
		for n := range r.Counts() {
			m.counter(requests, float64(n.Requests), r.Pattern, n.Status, n.Representation)
			asked = true
		}
		if asked {
			m.counter(bytes, float64(r.Bytes()), r.Pattern)
			m.histogram(duration, r.Latency.Read(), r.Pattern)
		}
	}
	m.gauge(inFlight, float64(q.InFlight()))
}

// snapshot has nothing to say before the first.
func (m metrics) snapshot(s *Snapshot) {
	if s == nil {
		return
	}
	m.gauge(snapshot, 1, s.ID, s.Commit, s.Branch)
	m.gauge(loadedAt, unix(s.LoadedAt))
	m.gauge(checkedAt, unix(s.CheckedAt))
	m.gauge(publications, float64(s.Publications))
	for kind, n := range s.Items {
		m.gauge(items, float64(n), kind)
	}
	m.gauge(withheld, float64(s.Refused), "refused")
	m.gauge(withheld, float64(s.Held), "held")
	m.gauge(logLeaves, float64(s.LogSize), "all")
	m.gauge(logLeaves, float64(s.LogSigned), "signed")
	m.gauge(logDisagrees, truth(s.LogDisagrees))
	m.gauge(findings, float64(s.Errors), "error")
	m.gauge(findings, float64(s.Warnings), "warning")
}

func (m metrics) reloads(r Reloads) {
	m.counter(reloads, float64(r.Swapped), "swapped")
	m.counter(reloads, float64(r.Unchanged), "unchanged")
	m.counter(reloads, float64(r.Failed), "failed")
	m.histogram(reloadDuration, r.Duration)
	m.gauge(reloadFailed, truth(r.LastFailed))
}

// fetches has nothing to say without a remote.
func (m metrics) fetches(f *Fetches) {
	if f == nil {
		return
	}
	m.counter(fetches, float64(f.Succeeded), "succeeded")
	m.counter(fetches, float64(f.Failed), "failed")
	m.gauge(fetchFailed, truth(f.LastFailed))
	m.histogram(fetchDuration, f.Duration)
	m.counter(renewals, float64(f.Renewals))
	m.gauge(unreadable, truth(f.Unreadable))
	m.counter(webhooks, float64(f.Webhooks.Accepted), "accepted")
	m.counter(webhooks, float64(f.Webhooks.Refused), "refused")
	if !f.LastSucceeded.IsZero() {
		m.gauge(fetchedAt, unix(f.LastSucceeded))
	}
}

// heldBack has nothing to say without a guard.
func (m metrics) heldBack(h *HeldBack) {
	if h == nil {
		return
	}
	m.gauge(heldBack, truth(h.Now))
	m.gauge(losses, float64(h.Losses))
	m.counter(heldBacks, float64(h.Total))
}

func (m metrics) gauge(d *prometheus.Desc, v float64, labels ...string) {
	m <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
}

func (m metrics) counter(d *prometheus.Desc, v float64, labels ...string) {
	m <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
}

func (m metrics) histogram(d *prometheus.Desc, r observe.Reading, labels ...string) {
	m <- prometheus.MustNewConstHistogram(d, r.Count, r.Seconds, r.Buckets, labels...)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func unix(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
