package follow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/mirror"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
)

// copied is a copy of a remote repository in memory.
type copied struct {
	remote, arrived, served git.Opener // nil: none
	away                    int        // how many fetches fail
	isServed                bool
	why                     string
	renewed                 bool
	full                    bool // nothing can be stored
	agreed                  time.Time
}

var errAway = errors.New("the host is away")

func (c *copied) Fetch(context.Context) (bool, error) {
	if c.away > 0 {
		c.away--
		return false, errAway
	}
	changed := c.arrived != c.remote || c.why != ""
	c.renewed = c.renewed || c.why != ""
	c.arrived, c.why = c.remote, ""
	return changed, nil
}

func (c *copied) Open() (*git.Repo, error) {
	o := c.arrived
	if c.isServed {
		o = c.served
	}
	if o == nil {
		return nil, mirror.ErrNotFetched
	}
	return o.Open()
}

func (c *copied) WorkTree() string   { return "" }
func (c *copied) Select(served bool) { c.isServed = served }
func (c *copied) Serve() error {
	if c.full {
		return errors.New("the disk is full")
	}
	c.served = c.arrived
	return nil
}
func (c *copied) Renewal() mirror.Renewal { return mirror.Renewal{Next: c.why} }
func (c *copied) Agree(at time.Time)      { c.agreed = at }
func (c *copied) Agreed() time.Time       { return c.agreed }
func (c *copied) Folder() string          { return "" }
func (c *copied) Close() error            { return nil }
func (c *copied) Failed(err error) bool {
	if _, unreadable := errors.AsType[*git.ReadError](err); !unreadable || c.renewed { // not again and again
		return false
	}
	c.why = err.Error()
	return true
}

// broken is a repository that cannot be read.
type broken struct{ git.Opener }

func (broken) Open() (*git.Repo, error) {
	return nil, &git.ReadError{What: i18n.New("open the mirror"), Err: git.ErrDamaged}
}

// crashing is a repository that crashes whoever opens it.
type crashing struct{ git.Opener }

func (crashing) Open() (*git.Repo, error) { panic("a defect of the loader") }

// followed is what a process makes of a remote, over restarts.
type followed struct {
	*testing.T
	*Follower
	losses int
	source *copied
	states map[string]git.Opener
	names  map[string]string // of the states, by commit and number of publications
	judged time.Time         // when the remote was last found as it is served, or held back
}

func newFollowed(t *testing.T, losses int) *followed {
	t.Helper()
	script := history(t)
	last := script[2]
	rewritten, tagless, moved := slices.Clone(script[:2]), slices.Clone(script), slices.Clone(script)
	rewritten[0].Message += "\n\nanew"
	tagless[2].Tags = nil
	more := slices.Clone(tagless)
	more[1].Tags = nil
	fewest := slices.Clone(more)
	fewest[0].Tags = slices.Concat(fewest[0].Tags[:1], fewest[0].Tags[2:]) // others refer to the first
	moved[2].Tags = nil
	moved = append(moved, git.ScriptCommit{Date: last.Date.Add(time.Hour), Message: "other", Tags: last.Tags,
		Files: map[string][]byte{"scenarios/two.yaml": bytes.ReplaceAll(last.Files["scenarios/two.yaml"],
			[]byte("Второй"), []byte("Третий"))}})
	released := slices.Clone(script)
	released[2].Tags = append(slices.Clone(last.Tags), git.NewTag{Name: "v1.0.0", Message: "product"})
	marked := append(slices.Clone(script), git.ScriptCommit{Date: last.Date.Add(time.Hour), Message: "mark",
		Files: map[string][]byte{"lifecycle.yaml": []byte("schema_version: \"1.0\"\nmarks:\n  - {item: scenarios/two, " +
			"version: 1.1.0, status: redacted, reason: Ошибка, since: 2026-02-02}\n")}})
	f := &followed{T: t, losses: losses, source: &copied{}, names: map[string]string{},
		states: map[string]git.Opener{"broken": broken{}, "crashing": crashing{}}}
	for name, s := range map[string]git.Script{
		"one": script[:1], "two": script[:2], "three": script, "rewritten": rewritten, "tagless": tagless,
		"two tags less": more, "three tags less": fewest, "moved": moved, "released": released,
		"marked": marked,
		"empty":  {{Date: script[0].Date, Message: "nothing"}},
	} {
		f.states[name] = begun(t, s)
		repo, err := f.states[name].Open()
		if err != nil {
			t.Fatal(err)
		}
		refs, err := repo.Refs("")
		if err != nil {
			t.Fatal(err)
		}
		tags := 0
		for _, c := range s {
			tags += len(c.Tags)
		}
		f.names[fmt.Sprintf("%v %d", refs.Commit, tags)] = name
	}
	return f
}

// publicationsOf are the publications and releases of a snapshot.
func publicationsOf(s *content.Snapshot) map[string]string { return sums(s, new(content.Snapshot)) }

// start begins a process.
func (f *followed) start() {
	f.Helper()
	log := slog.New(slog.NewTextHandler(f.Output(), nil))
	f.source.why, f.source.renewed = "", false
	if f.source.remote == nil {
		f.source.remote = f.states["one"]
	}
	f.Follower = New(Config{
		Loader: loader.New(loader.Config{Source: f.source, Schemas: schemas.Embedded(), Now: time.Now}),
		Remote: &Remote{Source: f.source, Poll: time.Hour, Losses: f.losses}, Log: log,
	})
	f.Site = site.Config{BaseURL: "https://rules.example.org", Schemas: schemas.Embedded()}
	first, err := f.Begin(f.Context(), false)
	if err == nil {
		err = f.Serve(first, time.Now())
	}
	if err != nil {
		f.Fatal(err)
	}
}

// do does what is called like this, or the remote becomes what is, and looks.
func (f *followed) do(step string) {
	f.Helper()
	f.source.away = 0
	switch step {
	case "restart":
		f.start()
	case "away":
		f.source.away = 1
	case "break":
		f.source.arrived, f.source.served = broken{}, broken{}
		f.seen, f.result.State = "", ""
		f.Look(f.Context())
		return
	case "no room", "room":
		f.source.full = step == "no room"
	case "confirm":
		held := f.status.HeldBack.State
		if err := f.confirm(f.Context(), "0123456789abcdef"); err == nil || !strings.Contains(err.Error(), held) {
			f.Errorf("another state is confirmed: %v", err)
		}
		if err := f.confirm(f.Context(), held); err != nil {
			f.Fatal(err)
		}
	default:
		f.source.remote = f.states[step]
	}
	if f.Follower == nil {
		f.start()
	}
	_ = f.fetch(f.Context())
	f.Look(f.Context())
}

// check compares what is served, and in which state the remote is.
func (f *followed) check(step, served string, state server.RemoteState) {
	f.Helper()
	status, s := f.Status(), f.Current().Snapshot
	if got := f.names[fmt.Sprintf("%s %d", s.Commit, len(publicationsOf(s)))]; got != served || status.Remote.State != state {
		f.Errorf("%s: %s is served, not %s; the state is %s, not %s: %s %s", step, got, served, status.Remote.State, state,
			status.LastError, status.Remote.Error)
	}
	switch {
	case status.LastError == "" && status.Remote.Error == "" || state == server.RemoteHeld:
		f.judged = time.Now()
	case status.CheckedAt.After(f.judged):
		f.Errorf("%s: what is served was last found there at %s, after %s", step, status.CheckedAt, f.judged)
	}
	_, document := f.DescribeServed()
	var now Served
	if err := json.Unmarshal(document, &now); err != nil {
		f.Fatal(err)
	}
	held := now.Held != nil
	if f.State().HeldBack.Now != held || (status.HeldBack != nil) != held {
		f.Errorf("%s: the metrics are %+v, held is %+v", step, f.State().HeldBack, now.Held)
	}
}

// What is served in each state of the remote and of its copy, over restarts, step by step.
func TestStates(t *testing.T) {
	type step struct {
		do     string // what has become of the remote, or what is done
		served string
		state  server.RemoteState
	}
	tests := map[string][]step{
		"it moves on": {{"one", "one", "following"}, {"two", "two", "following"}, {"three", "three", "following"},
			{"restart", "three", "following"}},
		"the host is away": {{"two", "two", "following"}, {"away", "two", "following"}, {"restart", "two", "following"},
			{"away", "two", "following"}, {"three", "three", "following"}},
		"it is rewritten": {{"two", "two", "following"}, {"rewritten", "two", "held"}, {"restart", "two", "held"},
			{"away", "two", "held"}, {"restart", "two", "held"}, {"confirm", "rewritten", "following"},
			{"restart", "rewritten", "following"}},
		"it loses something, and has it again": {{"three", "three", "following"}, {"one", "three", "held"},
			{"two", "three", "held"}, {"three", "three", "following"}},
		"publications are taken away": {{"three", "three", "following"}, {"tagless", "three", "held"},
			{"two tags less", "three", "held"}, {"confirm", "two tags less", "following"}, {"three", "three", "following"}},
		"a publication says something else": {{"three", "three", "following"}, {"moved", "three", "held"},
			{"confirm", "moved", "following"}},
		"a mark is no loss": {{"three", "three", "following"}, {"marked", "marked", "following"},
			{"restart", "marked", "following"}},
		"a release is taken away": {{"released", "released", "following"}, {"three", "released", "held"},
			{"released", "released", "following"}},
		"nothing is published any more": {{"two", "two", "following"}, {"empty", "two", "following"},
			{"restart", "two", "following"}, {"two", "two", "following"}},
		"what is held moves on to nothing": {{"three", "three", "following"}, {"tagless", "three", "held"},
			{"empty", "three", "following"}, {"tagless", "three", "held"}},
		"what has arrived cannot be read": {{"one", "one", "following"}, {"broken", "one", "unreadable"},
			{"restart", "one", "unreadable"}, {"two", "two", "following"}},
		"what has arrived crashes the loader": {{"one", "one", "following"}, {"crashing", "one", "following"},
			{"restart", "one", "following"}, {"two", "two", "following"}},
		"the copy cannot be read": {{"one", "one", "following"}, {"break", "one", "unreadable"},
			{"restart", "one", "following"}, {"two", "two", "following"}},
		"what is held outlives its copy": {{"two", "two", "following"}, {"rewritten", "two", "held"},
			{"break", "two", "unreadable"}, {"restart", "rewritten", "following"}},
		"what is served is stored later": {{"no room", "one", "following"}, {"two", "two", "following"},
			{"room", "two", "following"}, {"restart", "two", "following"}},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			f := newFollowed(t, 0)
			for _, s := range steps {
				f.do(s.do)
				f.check(s.do, s.served, s.state)
			}
		})
	}
}

// A new state may lose so many publications, and no more; whoever holds nothing back follows everything.
func TestLosses(t *testing.T) {
	for losses, steps := range map[int][][3]string{
		1: {{"three", "three", "following"}, {"tagless", "tagless", "following"}, {"restart", "tagless", "following"},
			{"two tags less", "two tags less", "following"}, {"three", "three", "following"},
			{"two tags less", "three", "held"}, {"restart", "three", "held"}, {"confirm", "two tags less", "following"},
			{"three tags less", "three tags less", "following"}},
		-1: {{"one", "one", "following"}, {"two", "two", "following"}, {"one", "one", "following"},
			{"two", "two", "following"}, {"rewritten", "rewritten", "following"}},
	} {
		t.Run(fmt.Sprint(losses), func(t *testing.T) {
			f := newFollowed(t, losses)
			for _, s := range steps {
				f.do(s[0])
				f.check(s[0], s[1], server.RemoteState(s[2]))
			}
		})
	}
}

// Whatever happens to a remote and to the process in whatever order, nothing that was served is lost while
// nobody confirms it, and all is well once the remote has it again.
func TestLossesAtRandom(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	f := newFollowed(t, 0)
	delete(f.states, "marked") // another branch than that of the end
	f.do("three")
	steps := append(slices.Sorted(maps.Keys(f.states)), "away", "restart")
	served, done := map[string]string{}, []string{}
	for range 100 {
		do := steps[random.IntN(len(steps))]
		done = append(done, do)
		f.do(do)
		now := publicationsOf(f.Current().Snapshot)
		for tag, sum := range served {
			if now[tag] != sum {
				t.Fatalf("seed %d, after %q: %s is %q, and was %q", seed, done, tag, now[tag], sum)
			}
		}
		maps.Copy(served, now)
	}
	f.do("released")
	f.check("in the end", "released", server.RemoteFollowing)
}

// The first start waits for a host that is away, if it may, and not if there is something to serve without it.
func TestFirstStartWaits(t *testing.T) {
	source, day := begun(t, history(t)), time.Now()
	now := func() time.Time { return day }
	for name, c := range map[string]struct {
		copied  copied
		patient bool
		ok      bool
		takes   time.Duration
	}{
		"nothing": {copied{away: 5}, false, false, 0},
		"patient": {copied{away: 5}, true, true, 31 * time.Second},
		"broken, and what has arrived is whole": {
			copied{away: 1 << 30, served: broken{}, arrived: source}, true, true, 0,
		},
		"crashing, and what has arrived is whole": {
			copied{away: 1 << 30, served: crashing{}, arrived: source}, true, true, 0,
		},
		"both are broken":      {copied{away: 5, served: broken{}, arrived: broken{}}, true, true, 31 * time.Second},
		"what comes is broken": {copied{away: 5}, true, false, 31 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if c.copied.remote = source; name == "what comes is broken" {
					c.copied.remote = broken{}
				}
				p := New(Config{
					Loader: loader.New(loader.Config{Source: &c.copied, Schemas: schemas.Embedded(), Now: now}),
					Remote: &Remote{Source: &c.copied, Poll: time.Hour}, Log: slog.New(slog.DiscardHandler),
				})
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				start := time.Now()
				_, err := p.Begin(ctx, c.patient)
				if took := time.Since(start); c.ok != (err == nil) || took != c.takes {
					t.Errorf("%v after %s", err, took)
				}
			})
		})
	}
}
