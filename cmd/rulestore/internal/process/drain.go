package process

import (
	"context"
	"errors"
	"net/http"
	"time"

	"rulestore/content/i18n"
)

const (
	// Grace is the maximum duration of requests in progress when the process ends.
	Grace = 10 * time.Second
	// keptFor is the time for which kept connections may be used once more. A proxy may be sending a
	// request on one when it is closed.
	keptFor = time.Second
)

// drain reports that the process is not ready, waits until that is noticed, and shuts down the
// server. Connections of a socket from systemd wait in it for the next process; a proxy sends those
// to another replica that a listener resets when it is closed: nothing that is asked changes anything.
func (p *Process) drain(ctx context.Context) error {
	start := time.Now()
	p.follower.Drain()
	p.manager.notify("STOPPING=1")
	p.Log.Info("stopping", "delay", p.DrainDelay, "grace", Grace)
	time.Sleep(p.DrainDelay)
	for p.connections.Load() > 0 && time.Since(start) < keptFor {
		time.Sleep(5 * time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(ctx, Grace)
	defer cancel()
	p.background.Run(ctx, "ending streams", func(context.Context) {
		p.assistants.Load().Close() // they would stay open
	})
	if err := p.server.Shutdown(ctx); err != nil && !errors.Is(err, http.ErrServerClosed) {
		_ = p.server.Close()
		return i18n.Errorf("stop: %d requests were cut off after %s: %w", p.requests.InFlight(), Grace, err)
	}
	return nil
}
