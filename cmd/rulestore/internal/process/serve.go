package process

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// newServer returns a server with the time-outs and limits of all listeners.
func newServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute, // more than proxies keep connections
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          errorLog(log),
	}
}

// serve runs a server on a listener until the context ends. It returns the error if it stopped
// for another reason.
func serve(ctx context.Context, srv *http.Server, l net.Listener) error {
	closed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(closed)
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second) // for requests in progress
		defer cancel()
		if srv.Shutdown(last) != nil {
			_ = srv.Close()
		}
	})
	err := srv.Serve(l)
	if !stop() {
		<-closed
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// errorLog returns the log for connection errors of an HTTP server: at debug level, without the
// addresses of clients.
func errorLog(l *slog.Logger) *log.Logger { return log.New(connections{l}, "", 0) }

// addresses are what net/http and crypto/tls write into what they have to say, those of
// clients among them.
var addresses = regexp.MustCompile(
	`(\d{1,3}\.){3}\d{1,3}(:\d+)?|\[[0-9A-Fa-f]*:[0-9A-Fa-f:.]+(%[^\]\s]+)?\](:\d+)?`,
)

type connections struct{ *slog.Logger }

// Write implements [io.Writer] for one message.
func (c connections) Write(message []byte) (int, error) {
	c.Debug(addresses.ReplaceAllString(strings.TrimSpace(string(message)), "…"))
	return len(message), nil
}
