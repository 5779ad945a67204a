// Package admin answers operators, on a listener of its own that clients never
// reach:
//
//	/metrics      counts and gauges, as metrics.go lists them, in the formats of Prometheus
//	/livez        200 while the process can answer at all: else restart it
//	/readyz       200 while it should get requests, else 503 and why
//	/debug/pprof  profiles, if they are asked for
//
// It is handed numbers, and knows nothing of what they are about. It is the only
// package that knows the Prometheus client.
package admin
