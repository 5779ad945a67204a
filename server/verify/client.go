package verify

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"rulestore/content/i18n"
)

const (
	// maxList is how many bytes the list of publications may have.
	maxList = 64 << 20
	// maxLine is how many bytes of a line of it are read.
	maxLine = 4 << 10
	// maxBody is how many bytes one answer may have of which nothing is expected.
	maxBody = 16 << 20
	// maxElement is how many more it may have for each publication, as lists have.
	maxElement = 1 << 10
	// maxHeader is how many bytes the headers of an answer may have.
	maxHeader = 64 << 10
	// maxAttempts is how often a server that is busy is asked.
	maxAttempts = 4
	// minPause and maxPause are how long a busy server may make this client wait.
	minPause = 50 * time.Millisecond
	maxPause = 30 * time.Second
)

// client asks one server.
type client struct {
	base    string // without a slash at its end
	http    *http.Client
	session string // of MCP; "" if there is none
	plain   bool   // most requests are for answers as they are, without a coding
}

func newClient(base string, timeout time.Duration) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = maxHeader
	transport.MaxIdleConnsPerHost, transport.MaxConnsPerHost = parallel, parallel
	transport.ResponseHeaderTimeout = timeout
	transport.DisableCompression = true // codings are asked for, and undone, here
	return &client{base: strings.TrimRight(base, "/"), http: &http.Client{Transport: transport, Timeout: timeout, CheckRedirect: asItCame}}
}

// asItCame leaves redirects alone: what a server answers is what it answered first.
func asItCame(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// request is one question.
type request struct {
	method string // GET if it is empty
	path   string // with its query
	accept string
	coding string // the only one that is accepted; "" is whatever a common client accepts
	header field  // one more
	body   string // JSON
	speaks revision
}

// field is one line of a header.
type field struct{ name, value string }

// answer is what a server said.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// agents are programs that many people have: nothing in a request says that it is this
// client's, so that a server has nobody to tell another story.
var agents = []string{
	"Go-http-client/1.1", "curl/8.5.0", "curl/7.88.1", "python-requests/2.32.3", "python-httpx/0.27.2", "node", "okhttp/4.12.0", "axios/1.7.7",
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
	"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
}

// browsing returns what a browser adds to a request, of which it says so in its name: for
// a page that somebody opens, and for what a page of the service sends.
func browsing(agent, method string) []field {
	switch {
	case !strings.HasPrefix(agent, "Mozilla/"):
		return nil
	case method == http.MethodGet || method == http.MethodHead:
		return []field{{"Sec-Fetch-Dest", "document"}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Site", "none"}, {"Sec-Fetch-User", "?1"}}
	}
	return []field{{"Sec-Fetch-Dest", "empty"}, {"Sec-Fetch-Mode", "cors"}, {"Sec-Fetch-Site", "same-origin"}}
}

// languages are what such programs ask for; the service has but one.
var languages = []string{"", "", "*", "en-US,en;q=0.5", "ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7"}

// codings are those that such programs accept together.
var codings = []string{"", "identity", "gzip", "gzip, deflate", "gzip, deflate, br", "gzip, deflate, br, zstd"}

// coding chooses which codings a request accepts. Where there are many to send, one in eight is
// for any of them: a coding that is never as it should be is found, and a server need not
// compress everything that it has for one who reads it once.
func (c *client) coding() string {
	if c.plain && rand.N(8) > 0 {
		return oneOf(codings[:2])
	}
	return oneOf(codings)
}

func oneOf[T any](values []T) T { return values[rand.N(len(values))] }

// ask sends a request. An error means that there was no whole answer, or that the
// server was busy each time.
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

// pause is how long to wait when the server says so.
func pause(after string) time.Duration {
	seconds, err := strconv.Atoi(after)
	if err != nil || seconds < 0 {
		return time.Second
	}
	return max(minPause, min(time.Duration(min(seconds, 3600))*time.Second, maxPause))
}

func (c *client) once(ctx context.Context, r request, limit int64) (answer, error) {
	req, err := r.http(ctx, c.base, c.session)
	if err != nil {
		return answer{}, err
	}
	accepted, agent := cmp.Or(r.coding, c.coding()), oneOf(agents)
	set(req.Header, browsing(agent, req.Method)...)
	set(req.Header, field{"User-Agent", agent}, field{"Accept-Language", oneOf(languages)}, field{"Accept-Encoding", accepted})
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, withoutURL(err)
	}
	defer res.Body.Close()
	if coding := res.Header.Get("Content-Encoding"); coding != "" && coding != "identity" && !strings.Contains(accepted, coding) {
		return answer{}, codingError{i18n.Errorf("the answer is in the coding %q, which was not asked for", clip(coding))}
	}
	body, err := readBody(res, limit)
	if err != nil {
		return answer{}, withoutURL(err)
	}
	for name, values := range res.Trailer { // which say as much as headers do
		res.Header[name] = append(res.Header[name], values...)
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

// http is the request as it is sent to a server, but for what differs from client to
// client.
func (r request) http(ctx context.Context, base, session string) (*http.Request, error) {
	method := r.method
	if method == "" {
		method = http.MethodGet
	}
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, method, base+r.path, body)
	if err != nil {
		return nil, err
	}
	set(req.Header, field{"Accept", r.accept}, r.header)
	if r.body != "" {
		req.Header.Set("Content-Type", jsonType)
	}
	set(req.Header, r.speaks.fields(r.body, session)...)
	return req, nil
}

// withoutURL leaves out the address, which may hold a password, and which the
// reader knows.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
