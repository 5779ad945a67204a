package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// maxList is the maximum size of the list of publications, in bytes.
	maxList = 64 << 20
	// maxLine is the maximum length of a line of the list in bytes.
	maxLine = 4 << 10
	// maxBody is the maximum size of a response, in bytes.
	maxBody = 16 << 20
	// maxElement is added to maxBody for each publication, for lists.
	maxElement = 1 << 10
	// maxHeader is the maximum size of the headers of a response, in bytes.
	maxHeader = 64 << 10
	// maxAttempts is the number of attempts with a busy server.
	maxAttempts = 4
	// minPause and maxPause limit the pause that a busy server asks for.
	minPause = 50 * time.Millisecond
	maxPause = 30 * time.Second
)

// The media types of responses.
const (
	anyType  = "*/*"
	jsonType = "application/json"
	textType = "text/plain"
)

// client sends requests to one server.
type client struct {
	base string // without a trailing slash
	http *http.Client
}

func newClient(base string, timeout time.Duration) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = maxHeader
	transport.MaxIdleConnsPerHost, transport.MaxConnsPerHost = parallel, parallel
	transport.ResponseHeaderTimeout = timeout
	return &client{
		base: strings.TrimRight(base, "/"),
		http: &http.Client{Transport: transport, Timeout: timeout, CheckRedirect: noRedirects},
	}
}

// noRedirects does not follow redirects: the first response is compared.
func noRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// response is a response that has been read.
type response struct {
	status int
	header http.Header
	body   []byte
}

// ask sends a request. An error means that there was no complete response, or that the server
// was busy in all attempts.
func (c *client) ask(ctx context.Context, path, accept string, limit int64) (response, error) {
	for attempt := 1; ; attempt++ {
		a, err := c.once(ctx, path, accept, limit)
		busy := a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable
		switch {
		case err != nil || !busy:
			return a, err
		case attempt == maxAttempts:
			return a, fmt.Errorf(
				"the answer is still %d after %d attempts: the server is busy, try again later", a.status, maxAttempts,
			)
		}
		select {
		case <-ctx.Done():
			return a, context.Cause(ctx)
		case <-time.After(pause(a.header.Get("Retry-After"))):
		}
	}
}

// pause is the pause before the next attempt, by Retry-After.
func pause(after string) time.Duration {
	seconds, err := strconv.Atoi(after)
	if err != nil || seconds < 0 {
		return time.Second
	}
	return max(minPause, min(time.Duration(min(seconds, 3600))*time.Second, maxPause))
}

// once sends a request, and reads a response of so many bytes at most.
func (c *client) once(ctx context.Context, path, accept string, limit int64) (response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return response{}, err
	}
	req.Header.Set("Accept", accept)
	res, err := c.http.Do(req)
	if err != nil {
		return response{}, withoutAddress(err)
	}
	defer res.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(io.LimitReader(res.Body, limit+1)); err != nil {
		return response{}, withoutAddress(err)
	}
	if int64(body.Len()) > limit {
		return response{}, fmt.Errorf("the answer is larger than %d bytes", limit)
	}
	return response{res.StatusCode, res.Header, body.Bytes()}, nil
}

// withoutAddress removes the address from an error, as it may contain a password and is known
// to the reader.
func withoutAddress(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
