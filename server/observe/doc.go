// Package observe tells operators what the service does: it counts requests,
// writes the access log and hands requests to a tracer.
//
// [Handler] goes around everything that answers requests. What answers one says
// which route it took with [Take], and what a 304 stands for with [As];
// everything else is read off the answer. A [Route] holds its counters, and a
// prepared resource holds its Route, so that counting a request costs a few
// additions and no look-up.
//
// What a client sends is no business of an operator's: no query string, no body,
// no header but a request id, and no address is counted, logged or traced. A path
// is logged only if something is there; elsewhere a person may have typed
// anything into it.
package observe
