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

// keptFor is the time for which kept connections may be used once more. A proxy may be sending a
// request on one when it is closed, and must not send it again elsewhere unless it is a GET.
const keptFor = time.Second

// settling is the time for connections that are being made when no new ones are accepted: several
// round trips to a nearby proxy. A client that connects meanwhile retries after a second.
const settling = 5 * time.Millisecond

// drain reports that the process is not ready, waits until that is noticed, and shuts down the
// server.
func (p *Process) drain(ctx context.Context, srv *http.Server) error {
	start := time.Now()
	p.publisher.Drain()
	p.systemd.Notify("STOPPING=1")
	p.Log.Info("stopping", "delay", p.DrainDelay, "grace", Grace)
	time.Sleep(p.DrainDelay)
	until(start.Add(keptFor), func() bool { return p.connections.Load() == 0 })
	ctx, cancel := context.WithTimeout(ctx, Grace)
	defer cancel()
	p.takeLast()
	p.background.Run(ctx, "ending streams", func(context.Context) {
		p.assistants.Load().Close() // they would stay open
	})
	if err := srv.Shutdown(ctx); err != nil && !errors.Is(err, http.ErrServerClosed) {
		_ = srv.Close()
		return i18n.Errorf("stop: %d requests were cut off after %s: %w", p.requests.InFlight(), Grace, err)
	}
	return nil
}

// takeLast accepts the connections that are established, and no new ones, so that closing the
// listener loses none. Those of a socket from systemd stay in it, for the next process.
func (p *Process) takeLast() {
	if p.sockets[systemd.PublicSocket] == nil && ignoreNew(p.public) == nil {
		time.Sleep(settling)
		until(time.Now().Add(keptFor), func() bool { return nobodyWaits(p.public) })
		time.Sleep(settling) // the last one is known to the server
	}
}

// lastOnes closes each kept connection with its next response while the process drains: clients
// send nothing more after a response that announces it.
func (p *Process) lastOnes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.publisher.Draining() {
			w = lastOne{w}
		}
		next.ServeHTTP(w, r)
	})
}

// lastOne writes a response after which the connection is closed.
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

// Unwrap gives [http.ResponseController] access to the underlying writer.
func (w lastOne) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// until waits for a condition, at most until a time.
func until(end time.Time, happened func() bool) {
	for !happened() && time.Now().Before(end) {
		time.Sleep(5 * time.Millisecond)
	}
}
