package main

import (
	"net/http"
	"time"
)

// patience is how long after its start the process has requests wait for the first
// content. Where a service manager keeps the socket, or a proxy has nobody else to ask,
// a restart is then a pause and no failure.
const patience = 5 * time.Second

// firstOnes has requests wait that come before there is content, but for those that ask
// whether there is.
func (l *life) firstOnes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-l.ready:
		default:
			l.awaitContent(r)
		}
		next.ServeHTTP(w, r)
	})
}

func (l *life) awaitContent(r *http.Request) {
	if r.URL.Path == "/healthz" || r.URL.Path == "/api/v1/health" {
		return
	}
	select {
	case <-l.ready:
	case <-time.After(time.Until(l.begun.Add(patience))):
	case <-r.Context().Done():
	}
}
