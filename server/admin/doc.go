// Package admin serves the endpoints for operators, on a listener of its own that clients never
// reach:
//
//	/metrics      counters and gauges, listed in metrics.go, in the formats of Prometheus
//	/livez        200 while the process can respond; else restart it
//	/api/v1/health  the public health document, and what it omits: addresses, files, texts of errors
//	/readyz       200 while the process should get requests, else 503 with the reason
//	/served       the current and the previous state, what is held back with the reason, and the pin
//	/debug/pprof  profiles, if enabled
//
// POST changes what is served of a remote repository, for clients on the same machine that
// are not pages of another origin (the listener checks the Host):
//
//	/served/confirm?state=…  serve the state that is held back, if it is this one
//	/served/pin              pin the current state
//	/served/pin?state=…      pin a tag or commit
//	/served/unpin            serve the state of the repository
//	/served/back             serve and pin the previous state; a second call returns to the newer one
//
// Each answers like GET /served, or with an error. Decisions persist over restarts.
//
// The package is given numbers, and does not depend on their origin. It is the only
// package that imports the Prometheus client.
package admin
