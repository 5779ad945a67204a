package process

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// newServer returns a server with the time-outs and limits of all listeners. What it would log of connections has
// the addresses of clients, which are never logged.
func newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute, // more than proxies keep connections
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
}

// serve has a server beside that for clients answer on a listener until the process is closed.
func (p *Process) serve(doing string, srv *http.Server, l net.Listener) {
	p.beside = append(p.beside, srv)
	p.background.Run(context.Background(), doing, func(context.Context) {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			p.Log.Error("a listener is gone", "doing", doing, "error", err)
		}
	})
}
