package life

import (
	"context"
	"errors"
	"net/http"
	"time"

	"rulestore/cmd/rulestore/internal/systemd"
	"rulestore/content/i18n"
)

// Grace is the maximum duration of requests in progress when the process ends.
const Grace = 10 * time.Second

// keptFor is how long connections that clients keep are left to be used once more. A
// proxy may be sending a request on one at the moment that it is closed, and must not
// send it again elsewhere unless it is a GET.
const keptFor = time.Second

// settling is how long connections may take to be made when no new ones are: some times
// the way to a proxy nearby. Who asks for one meanwhile waits a second, until it tries again.
const settling = 5 * time.Millisecond

// drain says that no more requests are wanted, waits until that is known, and
// ends the server.
func (p *Process) drain(ctx context.Context, srv *http.Server) error {
	start := time.Now()
	p.publisher.Drain()
	p.systemd.Notify("STOPPING=1")
	p.Log.Info("stopping", "delay", p.DrainDelay, "grace", Grace)
	time.Sleep(p.DrainDelay)
	until(start.Add(keptFor), func() bool { return p.public.Open() == 0 })
	end := time.Now().Add(Grace)
	ctx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	p.stopAccepting(ctx)
	p.background.Run(ctx, "ending sessions", func(context.Context) {
		p.assistants.Load().Close() // streams would stay open
	})
	until(end, p.public.Quiet) // the server would drop requests that it has not read yet
	if err := srv.Shutdown(ctx); err != nil && !errors.Is(err, http.ErrServerClosed) {
		_ = srv.Close()
		return i18n.Errorf("stop: %d requests were cut off after %s: %w", p.requests.InFlight(), Grace, err)
	}
	return nil
}

// stopAccepting closes the public listener without losing connections that the system
// has made and nobody took yet. Those of a socket from systemd stay in it, for the
// process that comes next.
func (p *Process) stopAccepting(ctx context.Context) {
	if p.sockets[systemd.PublicSocket] == nil && ignoreNew(p.public.Listener) == nil {
		time.Sleep(settling)
		until(time.Now().Add(keptFor), func() bool { return nobodyWaits(p.public.Listener) })
	}
	p.public.Stop(ctx)
}

// lastOnes has each kept connection end with its next answer while the process drains:
// a client sends nothing on a connection of which it was told that it ends.
func (p *Process) lastOnes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.publisher.Draining() {
			w = lastOne{w}
		}
		next.ServeHTTP(w, r)
	})
}

// lastOne writes an answer after which the connection ends, whatever its handler says.
type lastOne struct{ http.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (w lastOne) WriteHeader(status int) {
	w.Header().Set("Connection", "close")
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w lastOne) Write(p []byte) (int, error) {
	w.Header().Set("Connection", "close") // too late where it was said before
	return w.ResponseWriter.Write(p)
}

// Unwrap lets [http.ResponseController] reach what is underneath.
func (w lastOne) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// until waits for something, no longer than until a time.
func until(end time.Time, happened func() bool) {
	for !happened() && time.Now().Before(end) {
		time.Sleep(5 * time.Millisecond)
	}
}
