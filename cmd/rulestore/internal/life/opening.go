package life

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
func (p *Process) firstOnes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-p.ready:
		default:
			p.awaitContent(r)
		}
		next.ServeHTTP(w, r)
	})
}

func (p *Process) awaitContent(r *http.Request) {
	if r.URL.Path == "/healthz" || r.URL.Path == "/api/v1/health" {
		return
	}
	select {
	case <-p.ready:
	case <-time.After(time.Until(p.begun.Add(patience))):
	case <-r.Context().Done():
	}
}
