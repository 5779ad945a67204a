package follow

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content/i18n"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/loader/gitrepo/mirror"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
)

// copied is a copy of a remote repository in memory.
type copied struct {
	remote, arrived, served gitrepo.Opener // nil: none
	away                    error
	isServed                bool
	why                     string
	renewed                 bool
	agreed                  time.Time
}

func (c *copied) Fetch(context.Context) (bool, error) {
	if c.away != nil {
		return false, c.away
	}
	changed := c.arrived != c.remote || c.why != ""
	c.renewed = c.renewed || c.why != ""
	c.arrived, c.why = c.remote, ""
	return changed, nil
}

func (c *copied) Open() (*gitrepo.Repo, error) {
	o := c.arrived
	if c.isServed {
		o = c.served
	}
	if o == nil {
		return nil, mirror.ErrNotFetched
	}
	return o.Open()
}

func (c *copied) WorkTree() string            { return "" }
func (c *copied) Select(served bool)          { c.isServed = served }
func (c *copied) Serve(context.Context) error { c.served = c.arrived; return nil }
func (c *copied) Condemned() string           { return c.why }
func (c *copied) Renewal() (r mirror.Renewal) { return r }
func (c *copied) Agree(at time.Time)          { c.agreed = at }
func (c *copied) Agreed() time.Time           { return c.agreed }
func (c *copied) Folder() string              { return "" }
func (c *copied) Close() error                { return nil }
func (c *copied) Failed(err error) bool {
	if _, unreadable := errors.AsType[*gitrepo.ReadError](err); !unreadable || c.renewed { // not again and again
		return false
	}
	c.why = err.Error()
	return true
}

// broken is a repository that cannot be read.
type broken struct{ gitrepo.Opener }

func (broken) Open() (*gitrepo.Repo, error) {
	return nil, &gitrepo.ReadError{What: i18n.New("open the mirror"), Err: gitrepo.ErrDamaged}
}

// What is served in each state of the remote and of its copy, over restarts, step by step.
func TestStates(t *testing.T) {
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	begun := func(s gitrepo.Script) gitrepo.Opener {
		o, err := gitrepo.InMemory(s)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	rewritten := slices.Clone(script[:2])
	rewritten[0].Message += "\n\nanew"
	states := map[string]gitrepo.Opener{
		"one": begun(script[:1]), "two": begun(script[:2]), "three": begun(script[:3]), "rewritten": begun(rewritten),
		"empty": begun(gitrepo.Script{{Date: script[0].Date, Message: "nothing"}}), "broken": broken{},
	}
	names := map[string]string{} // by commit
	for name, o := range states {
		if repo, err := o.Open(); err == nil {
			refs, _ := repo.Refs("")
			names[refs.Commit.String()] = name
		}
	}
	away := errors.New("the host is away")
	type step struct {
		do     string // what has become of the remote, or what is done
		served string
		state  server.RemoteState
	}
	for name, steps := range map[string][]step{
		"it moves on": {{"one", "one", "following"}, {"two", "two", "following"}, {"three", "three", "following"},
			{"restart", "three", "following"}},
		"the host is away": {{"two", "two", "following"}, {"away", "two", "following"}, {"restart", "two", "following"},
			{"three", "three", "following"}},
		"it is rewritten": {{"two", "two", "following"}, {"rewritten", "two", "held"}, {"restart", "two", "held"},
			{"away", "two", "held"}, {"restart", "two", "held"}, {"confirm", "rewritten", "following"},
			{"restart", "rewritten", "following"}},
		"it loses something, and has it again": {{"three", "three", "following"}, {"one", "three", "held"},
			{"two", "three", "held"}, {"three", "three", "following"}},
		"nothing is published any more": {{"two", "two", "following"}, {"empty", "two", "following"},
			{"restart", "two", "following"}, {"two", "two", "following"}},
		"what has arrived cannot be read": {{"one", "one", "following"}, {"broken", "one", "unreadable"},
			{"restart", "one", "unreadable"}, {"two", "two", "following"}},
		"the copy cannot be read": {{"one", "one", "following"}, {"break", "one", "following"},
			{"restart", "one", "following"}, {"two", "two", "following"}},
		"what is held outlives its copy": {{"two", "two", "following"}, {"rewritten", "two", "held"},
			{"break", "two", "unreadable"}, {"restart", "rewritten", "held"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, source := t.TempDir(), &copied{}
			log := slog.New(slog.NewTextHandler(t.Output(), nil))
			var p *Follower
			start := func() {
				source.why, source.renewed = "", false
				p = New(Config{
					Loader: loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: time.Now}),
					Remote: NewRemote(source, NewGuard(dir, "", "", 0, log), time.Hour, log), Log: log,
				})
				p.Site = site.Config{BaseURL: "https://rules.example.org", Schemas: schemas.Embedded()}
				first, err := p.Begin(t.Context(), false)
				if err == nil {
					err = p.Serve(first, time.Now())
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			for i, s := range steps {
				source.away = nil
				switch s.do {
				case "restart":
					start()
				case "away":
					source.away = away
				case "break":
					source.arrived, source.served = broken{}, broken{}
					p.loadedState, p.servedState = "", ""
				case "confirm":
					if err := p.confirm(t.Context(), p.remote.Guard.Decisions().Held.State); err != nil {
						t.Fatal(err)
					}
				default:
					source.remote = states[s.do]
				}
				if p == nil {
					start()
				}
				if s.do != "break" || s.state == "unreadable" {
					if s.do != "break" {
						_ = p.remote.Fetch(t.Context())
					}
					p.Look(t.Context())
				}
				status := p.Status()
				if got := names[p.Current().Snapshot.Commit]; got != s.served || status.Remote.State != s.state {
					t.Errorf("step %d, %s: %s is served, not %s; the state is %s, not %s: %s", i, s.do, got, s.served,
						status.Remote.State, s.state, strings.Join([]string{status.LastError, status.Remote.Error}, " "))
				}
			}
		})
	}
}
