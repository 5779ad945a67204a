package verify

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"rulestore/content/i18n"
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

// client sends requests to one server.
type client struct {
	base  string // without a trailing slash
	http  *http.Client
	plain bool // most requests are for responses without a content coding
}

func newClient(base string, timeout time.Duration) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = maxHeader
	transport.MaxIdleConnsPerHost, transport.MaxConnsPerHost = parallel, parallel
	transport.ResponseHeaderTimeout = timeout
	transport.DisableCompression = true // content codings are requested and decoded here
	return &client{
		base: strings.TrimRight(base, "/"),
		http: &http.Client{Transport: transport, Timeout: timeout, CheckRedirect: noRedirects},
	}
}

// noRedirects does not follow redirects: the first response is compared.
func noRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// request is an HTTP request.
type request struct {
	method string // GET if it is empty
	path   string // with query
	accept string
	coding string // the only accepted content coding; "" for those of common clients
	header field  // an additional one
}

// field is a header field.
type field struct{ name, value string }

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// agents are common programs. Requests must not be distinguishable as those of this client,
// so that a server cannot answer it differently.
var agents = []string{
	"Go-http-client/1.1", "curl/8.5.0", "curl/7.88.1", "python-requests/2.32.3", "python-httpx/0.27.2", "node",
	"okhttp/4.12.0", "axios/1.7.7",
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
	"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
}

// browserHeaders are the headers that a browser adds to a request for a page.
var browserHeaders = []field{
	{"Sec-Fetch-Dest", "document"}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Site", "none"},
	{"Sec-Fetch-User", "?1"},
}

// languages are common values of Accept-Language; the service has one language.
var languages = []string{"", "", "*", "en-US,en;q=0.5", "ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7"}

// codings are common values of Accept-Encoding.
var codings = []string{"", "identity", "gzip", "gzip, deflate", "gzip, deflate, br", "gzip, deflate, br, zstd"}

// coding chooses the accepted content codings of a request. If there are many requests, only
// one in eight accepts any: that is enough to find wrong codings, and the server need not
// compress all its content.
func (c *client) coding() string {
	if c.plain && rand.N(8) > 0 {
		return oneOf(codings[:2])
	}
	return oneOf(codings)
}

func oneOf[T any](values []T) T { return values[rand.N(len(values))] }

// ask sends a request. An error means that there was no complete response, or that the server
// was busy in all attempts.
func (c *client) ask(ctx context.Context, r request, limit int64) (answer, error) {
	for attempt := 1; ; attempt++ {
		a, err := c.once(ctx, r, limit)
		busy := a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable
		switch {
		case err != nil || !busy:
			return a, err
		case attempt == maxAttempts:
			return a, i18n.Errorf(
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

func (c *client) once(ctx context.Context, r request, limit int64) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, cmp.Or(r.method, http.MethodGet), c.base+r.path, nil)
	if err != nil {
		return answer{}, err
	}
	accepted, agent := cmp.Or(r.coding, c.coding()), oneOf(agents)
	if strings.HasPrefix(agent, "Mozilla/") {
		set(req.Header, browserHeaders...)
	}
	set(
		req.Header, field{"Accept", r.accept}, r.header, field{"User-Agent", agent}, field{"Accept-Language", oneOf(languages)},
		field{"Accept-Encoding", accepted},
	)
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, withoutAddress(err)
	}
	defer res.Body.Close()
	if coding := res.Header.Get("Content-Encoding"); coding != "" && coding != "identity" &&
		!strings.Contains(accepted, coding) {
		return answer{}, codingError{i18n.Errorf(
			"the answer is in the coding %q, which was not asked for", clip(coding),
		)}
	}
	body, err := readBody(res, limit)
	if err != nil {
		return answer{}, withoutAddress(err)
	}
	return answer{res.StatusCode, res.Header, body}, nil
}

// set sets the fields that have a value.
func set(h http.Header, fields ...field) {
	for _, f := range fields {
		if f.value != "" {
			h.Set(f.name, f.value)
		}
	}
}

// withoutAddress removes the address from an error, as it may contain a password and is known
// to the reader.
func withoutAddress(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
