// Package admin serves the endpoints for operators, on a listener of its own that clients never
// reach:
//
//	/metrics      counters and gauges, listed in metrics.go, in the formats of Prometheus
//	/livez        200 while the process can respond; else restart it
//	/api/v1/health  the public health document, and what it omits: addresses, files, texts of errors
//	/readyz       200 while the process should get requests, else 503 with the reason
//	/served       the served state, and what is held back with the reason
//	/debug/pprof  profiles, if enabled
//
// A POST of /served/confirm?state=… serves the state of a remote repository that is held back, if
// it is this one, for clients on the same machine that are not pages of another origin (the
// listener checks the Host). It answers like GET /served, or with an error. The decision
// persists over restarts.
//
// The package is given numbers, and does not depend on their origin. It is the only
// package that imports the Prometheus client.
package admin
