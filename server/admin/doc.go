// Package admin answers operators, on a listener of its own that clients never
// reach:
//
//	/metrics      counts and gauges, as metrics.go lists them, in the formats of Prometheus
//	/livez        200 while the process can answer at all: else restart it
//	/api/v1/health  what clients are told of health, and what they are not: addresses, files, texts of errors
//	/readyz       200 while it should get requests, else 503 and why
//	/served       what is served, what was before, what is held back and why, and what is pinned
//	/debug/pprof  profiles, if they are asked for
//
// POST changes what is served of a repository elsewhere, for who is on the same machine and
// is no page of another origin:
//
//	/served/confirm?state=…  serve the state that is held back, if it is that one
//	/served/pin              have what is served go on being served, whatever comes
//	/served/pin?state=…      the same with a tag or commit of it
//	/served/unpin            serve what the repository has
//	/served/back             serve and pin what was served before; once more goes forth again
//
// Each answers as GET of /served does, or with an error. What is decided is kept over restarts.
//
// It is handed numbers, and knows nothing of what they are about. It is the only
// package that knows the Prometheus client.
package admin
