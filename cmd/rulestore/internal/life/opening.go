package life

import (
	"net/http"
	"time"

	"rulestore/server/api"
)

// patience is the time after the start for which requests wait for the first content. If a service
// manager keeps the socket, or a proxy has no other server, a restart is a pause and not a
// failure.
const patience = 5 * time.Second

// firstOnes lets requests wait for the first content, except those that check whether there is
// any.
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
	if r.URL.Path == api.LegacyHealthPath || r.URL.Path == api.HealthPath {
		return
	}
	select {
	case <-p.ready:
	case <-time.After(time.Until(p.begun.Add(patience))):
	case <-r.Context().Done():
	}
}
