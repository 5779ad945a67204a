// Package canary polls the server that serves new content first: the other servers
// serve new content only while the canary responds, serves that content and holds
// nothing back.
//
// The canary's public health document is read, and accepted only if it states
// that the server is a canary: the address of a service could lead to a server that itself waits.
// A canary that does not respond, cannot load the repository, is pinned or holds something back
// stops the others, as the new content has not been shown to be harmless; they continue to serve
// their current content.
package canary

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server"
	"rulestore/server/api"
)

// patience is how long a canary may take to answer.
const patience = 10 * time.Second

// maxAnswer is more than a health document has, with all that it may find.
const maxAnswer = 4 << 20

// Canary polls a canary.
type Canary struct {
	address string
	source  string // the name of the repository, where there are several
	poll    time.Duration
	log     *slog.Logger
	client  *http.Client

	mu    sync.Mutex
	state server.Canary
}

// Parse parses the address of a canary: the public URL of a service.
func Parse(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return "", i18n.Errorf("it is no address of a service: expected for example https://canary.example.org")
	}
	return strings.TrimRight(address, "/"), nil
}

// New returns a canary at an address, as returned by [Parse], with an interval. The source names
// the repository that it is asked about, where there are several.
func New(address, source string, poll time.Duration, log *slog.Logger) *Canary {
	return &Canary{
		address: address, source: source, poll: poll, log: log,
		state: server.Canary{State: server.CanaryUnknown, Address: address},
		client: &http.Client{
			Timeout:       patience,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// State returns the last known state of the canary.
func (c *Canary) State() server.Canary {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Run polls at once and then at each interval, until the context ends; polled is called after
// each poll.
func (c *Canary) Run(ctx context.Context, polled func()) {
	for {
		c.Ask(ctx)
		polled()
		select {
		case <-ctx.Done():
			return
		case <-time.After(c.poll):
		}
	}
}

// Ask polls once, and stores the result.
func (c *Canary) Ask(ctx context.Context) {
	next, err := c.ask(ctx)
	if ctx.Err() != nil {
		return
	}
	next.Address = c.address
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		next.State, next.Error, next.AnsweredAt = server.CanaryAway, err.Error(), c.state.AnsweredAt
	}
	if before := c.state; before.State != next.State {
		level := slog.LevelInfo
		if next.State != server.CanaryServing {
			level = slog.LevelWarn
		}
		c.log.Log(ctx, level, "the canary", "state", string(next.State), "error", next.Error)
	}
	c.state = next
}

// canaryHealth has the members of a canary's health document that its followers use.
type canaryHealth struct {
	Status, Snapshot, Commit, Pinned string
	LastError                        *string   `json:"last_error"`
	HeldBack                         *struct{} `json:"held_back"`
	Rollout                          struct{ Role, Content string }
	Sources                          []struct{ Source, Content string }
}

// content identifies the served content of a repository; empty if it is unknown.
func (t canaryHealth) content(source string) string {
	if source == "" {
		return name(t.Rollout.Content)
	}
	for _, part := range t.Sources {
		if part.Source == source {
			return name(part.Content)
		}
	}
	return ""
}

var (
	errNoCanary    = i18n.Errorf("it does not say that it is a canary: start it with --canary")
	errUnavailable = i18n.Errorf("it says that it takes no requests")
)

func (c *Canary) ask(ctx context.Context) (s server.Canary, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address+api.HealthPath, nil)
	if err != nil {
		return s, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Cache-Control", "no-cache")
	res, err := c.client.Do(req)
	if err != nil {
		return s, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return s, err
	}
	var says canaryHealth
	switch err := json.Unmarshal(body, &says); {
	case res.StatusCode == http.StatusServiceUnavailable:
		return s, errUnavailable
	case res.StatusCode != http.StatusOK:
		return s, i18n.Errorf("it answers %s", content.Printable(res.Status))
	case err != nil:
		return s, errors.Join(i18n.Errorf("its answer is no health document"), err)
	case says.Rollout.Role != server.RoleCanary:
		return s, errNoCanary
	}
	s = server.Canary{
		State: server.CanaryServing, AnsweredAt: time.Now(), Snapshot: name(says.Snapshot), Commit: name(says.Commit),
		Content: says.content(c.source),
	}
	if says.Pinned != "" || says.HeldBack != nil || says.LastError != nil {
		s.State = server.CanaryHolding
	}
	return s, nil
}

// name returns a name as servers give them, empty if it is none: what others say is shown in
// health.
func name(text string) string {
	if len(text) > 64 || strings.Trim(text, "0123456789abcdef") != "" {
		return ""
	}
	return text
}
