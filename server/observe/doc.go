// Package observe provides metrics and access log of requests.
//
// [Handler] wraps everything that answers requests. A handler sets the
// route with [Take], and the representation that a 304 refers to with [As];
// everything else is read from the response. A [Route] has its counters, and a
// prepared resource has its Route, so that counting a request costs a few
// additions and no look-up.
//
// Data of clients is not recorded: no query string, no body,
// no header but a request id and a traceparent, and no address is counted or logged. A path
// is logged only if it exists; any other path may contain what a person typed.
package observe
