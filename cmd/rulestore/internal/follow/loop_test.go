package follow

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git/gittest"
	"rulestore/loader/git/mirror"
	"rulestore/schemas"
)

// away is a source that takes its time, and then fails or not.
type away struct {
	Copy
	start time.Time
	mu    sync.Mutex      // for at, while it is followed
	at    []time.Duration // when it was asked
	takes func(n int) time.Duration
	err   error
	cut   error // of a fetch that is abandoned, if it is not the reason
}

func (a *away) Fetch(ctx context.Context) (bool, error) {
	a.mu.Lock()
	a.at = append(a.at, time.Since(a.start))
	n := len(a.at)
	a.mu.Unlock()
	select {
	case <-ctx.Done():
		return false, cmp.Or(a.cut, context.Cause(ctx))
	case <-time.After(a.takes(n)):
	}
	return false, a.err
}

func (a *away) Agreed() time.Time           { return time.Time{} }
func (a *away) Agree(time.Time)             {}
func (a *away) Renewal() (r mirror.Renewal) { return r }
func (a *away) Folder() string              { return "" }
func (a *away) Failed(error) bool           { return false }
func (a *away) Close() error                { return nil }
func (a *away) Select(bool)                 {}
func (a *away) Serve() error                { return nil }

// asked is how often it was asked.
func (a *away) asked() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.at)
}

// run follows a source for a time, by the clock of a bubble.
func (a *away) run(t *testing.T, poll, length time.Duration, during func(*Follower)) {
	t.Helper()
	if a.takes == nil {
		a.takes = func(int) time.Duration { return 100 * time.Millisecond }
	}
	p := young(t, io.Discard)
	synctest.Test(t, func(t *testing.T) {
		a.start = time.Now()
		c := p.Config // of a bubble is what is made in it
		c.Remote = &Remote{Source: a, Poll: poll}
		was := p
		p := New(c)
		p.Site, p.result, p.seen = was.Site, was.result, was.seen
		p.current.Store(was.Current())
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); p.follow(ctx) }()
		if during != nil {
			during(p)
		}
		time.Sleep(length - time.Since(a.start))
		cancel()
		<-done
	})
}

// A reload returns when a fetch that began after it was judged; one that hangs is abandoned for it.
func TestReloadFetches(t *testing.T) {
	hanging := func(n int) time.Duration {
		if n == 2 {
			return time.Hour
		}
		return 100 * time.Millisecond
	}
	for name, c := range map[string]struct {
		takes func(int) time.Duration
		err   error
		after time.Duration // the beginning of the second fetch
		most  time.Duration // that the reload takes
		cut   error
	}{
		"no fetch runs":      {most: 200 * time.Millisecond},
		"a fetch that hangs": {takes: hanging, after: 20 * time.Second, most: 200 * time.Millisecond},
		"a fetch that hangs, and ends in its own way": {
			takes: hanging, after: 20 * time.Second, most: 200 * time.Millisecond, cut: errors.New("connection closed"),
		},
		"a fetch just begun": {takes: hanging, after: 300 * time.Millisecond, most: time.Second},
		"the host is away":   {err: errors.New("away"), most: 200 * time.Millisecond},
		"a fetch takes long": {takes: func(int) time.Duration { return 5 * time.Second }, most: 6 * time.Second},
		"the next hangs, too": {
			takes: func(n int) time.Duration { return time.Duration(n%2) * time.Minute }, most: 2 * time.Minute,
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := &away{takes: c.takes, err: c.err, cut: c.cut}
			a.run(t, 10*time.Minute, time.Hour, func(p *Follower) {
				time.Sleep(time.Minute)
				p.RequestFetch() // the second
				synctest.Wait()
				time.Sleep(c.after)
				if c.after == 0 {
					time.Sleep(5 * time.Minute)
				}
				before, start := a.asked(), time.Now()
				<-p.Reload(context.Background())
				if took, n := time.Since(start), a.asked()-before; took > c.most || n == 0 {
					t.Errorf("it took %s, and %d fetches", took, n)
				}
			})
		})
	}
}

// Whoever waits for a reload is let go when nothing follows the repository any more.
func TestReloadThatNothingEnds(t *testing.T) {
	a := &away{takes: func(int) time.Duration { return time.Hour }}
	a.run(t, time.Hour, time.Minute, func(p *Follower) {
		go func() { <-p.Reload(context.Background()) }() // the bubble waits for its end
		synctest.Wait()
	})
}

// waiting is a repository whose days begin in Kamchatka, with a version that waits for one of them.
const waiting = `-- commit 1999-12-01T10:00:00Z --
Begin
-- rulestore.yaml --
schema_version: "1.1"
service: rules
title: Правила
description: Правила для ассистентов.
audience: ИИ-ассистенты
default_language: ru
time_zone: Asia/Kamchatka
disclaimer: Это не консультация.
demo: true
-- scenarios/one.yaml --
scenario_id: one
schema_version: "1.0"
title: Один
description: Сценарий для испытаний.
-- tag scenarios/one/v1.0.0 --
-- commit 2000-01-05T12:00:00Z --
Later
-- scenarios/one.yaml --
scenario_id: one
schema_version: "1.0"
title: Один, иначе
description: Сценарий для испытаний.
-- tag scenarios/one/v1.1.0 --
`

// What is published ahead is served from the first moment of its day on, which begins where the repository says,
// without a push.
func TestMidnight(t *testing.T) {
	script, err := gittest.ParseTxtar(txtar.Parse([]byte(waiting)))
	if err != nil {
		t.Fatal(err)
	}
	source := begun(t, script)
	synctest.Test(t, func(t *testing.T) { // begins at 2000-01-01T00:00:00Z
		p := New(Config{
			Loader: loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: time.Now}),
			Log:    slog.New(slog.DiscardHandler),
		})
		p.Site.Schemas = schemas.Embedded()
		p.Look(t.Context())
		time.Sleep(30 * time.Second) // it looks every minute in any case
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); p.follow(ctx) }()
		day := time.Date(2000, 1, 5, 12, 0, 0, 0, time.UTC)
		version := func() string { return p.Current().Snapshot.Item(content.Scenarios, "one").Current.Version.String() }
		time.Sleep(time.Until(day) - time.Second)
		if got := version(); got != "1.0.0" || !p.Current().ChangesByDate() {
			t.Errorf("before the day %s is served", got)
		}
		time.Sleep(2 * time.Second)
		if got := version(); got != "1.1.0" || p.Current().ChangesByDate() {
			t.Errorf("on the day %s is served", got)
		}
		cancel()
		<-done
	})
}
