package verify

import (
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
	// maxList is how many bytes the list of publications may have.
	maxList = 64 << 20
	// maxBody is how many bytes one publication may have.
	maxBody = 16 << 20
	// maxHeader is how many bytes the headers of an answer may have.
	maxHeader = 64 << 10
	// maxRedirects is how many redirects within the host are followed.
	maxRedirects = 3
	// maxAttempts is how often a server that is busy is asked.
	maxAttempts = 4
	// minPause and maxPause are how long a busy server may make this client wait.
	minPause = 50 * time.Millisecond
	maxPause = 30 * time.Second
)

// client asks one server.
type client struct {
	base string // without a slash at its end
	http *http.Client
}

func newClient(base string, timeout time.Duration) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = maxHeader
	transport.MaxIdleConnsPerHost, transport.MaxConnsPerHost = parallel, parallel
	transport.ResponseHeaderTimeout = timeout
	return &client{strings.TrimRight(base, "/"), &http.Client{Transport: transport, Timeout: timeout, CheckRedirect: within}}
}

// within follows redirects inside the host that was asked, and never from https
// to http.
func within(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	switch {
	case req.URL.Host != first.Host || req.URL.Scheme != first.Scheme && req.URL.Scheme != "https":
		return fmt.Errorf("it redirects to %q, which is not followed", (&url.URL{Scheme: req.URL.Scheme, Host: req.URL.Host}).String())
	case len(via) > maxRedirects:
		return errors.New("it redirects again and again")
	}
	return nil
}

// answer is what a server said.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// get fetches a path. An error means that there was no whole answer, or that the
// server was busy each time.
func (c *client) get(ctx context.Context, path, accept string, limit int64) (answer, error) {
	for attempt := 1; ; attempt++ {
		a, err := c.once(ctx, path, accept, limit)
		busy := a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable
		switch {
		case err != nil || !busy:
			return a, err
		case attempt == maxAttempts:
			return a, fmt.Errorf("the answer is still %d after %d attempts: the server is busy, try again later", a.status, maxAttempts)
		}
		select {
		case <-ctx.Done():
			return a, context.Cause(ctx)
		case <-time.After(pause(a.header.Get("Retry-After"))):
		}
	}
}

// pause is how long to wait when the server says so.
func pause(after string) time.Duration {
	seconds, err := strconv.Atoi(after)
	if err != nil || seconds < 0 {
		return time.Second
	}
	return max(minPause, min(time.Duration(min(seconds, 3600))*time.Second, maxPause))
}

func (c *client) once(ctx context.Context, path, accept string, limit int64) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("User-Agent", "rulestore-verify")
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, withoutURL(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	switch {
	case err != nil:
		return answer{}, withoutURL(err)
	case int64(len(body)) > limit:
		return answer{}, fmt.Errorf("the answer is larger than %d bytes", limit)
	}
	return answer{res.StatusCode, res.Header, body}, nil
}

// withoutURL leaves out the address, which may hold a password, and which the
// reader knows.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
