package mcpserver

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/content/log/logtest"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
	"rulestore/server/site"
)

// LimitStreams sets how many streams may be open, before any is.
func (s *Server) LimitStreams(n int) { s.limit.Store(int64(n)) }

// BaseURL is what sites are known by. No server of a test is there.
const BaseURL = "https://rules.example.org"

// Today is when the tests take place.
var Today = time.Date(2026, 11, 30, 16, 0, 0, 0, time.UTC)

// Script is the history of a small store in which every kind occurs.
func Script() git.Script {
	return must(gittest.ParseTxtar(must(txtar.ParseFile("../testdata/kinds.txtar"))))
}

// Load loads a history, as if it were sealed.
func Load(history git.Script) *content.Snapshot {
	l := loader.New(loader.Config{
		Source: must(git.InMemory(history)), Schemas: schemas.Embedded(), Now: func() time.Time { return Today },
	})
	s := must(l.Load(context.Background())).Snapshot
	for _, it := range s.Items {
		for _, e := range it.Entries {
			e.Publication.Sealed = true
		}
	}
	return s
}

// LogKey signs the logs.
var LogKey = sync.OnceValue(func() log.Key {
	return must(log.ParseKey(must(log.NewKey(bytes.NewReader(make([]byte, 64)), "rules.example.org/log"))))
})

// Build builds the site of a snapshot.
func Build(prev *site.Site, s *content.Snapshot) *site.Site {
	return site.Build(prev, s, site.Config{
		BaseURL: BaseURL, Version: "0.0.0-test", Schemas: schemas.Embedded(), Log: logtest.Of(s, LogKey()),
	})
}

// Kinds is the site of [Script].
var Kinds = sync.OnceValue(func() *site.Site { return Build(nil, Load(Script())) })

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// fixed is a site that stays.
type fixed struct{ *site.Site }

func (f fixed) Current() *site.Site { return f.Site }

// serverOf is a server of a site.
func serverOf(t testing.TB, current *site.Site) *Server {
	t.Helper()
	s := must(New(Config{
		Sites: fixed{current}, Version: "0.0.0-test", Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Health: func(s *site.Site) []byte { return []byte(`{"status":"ok","snapshot":"` + s.ID + `"}`) },
	}, current.Math))
	t.Cleanup(s.Close)
	return s
}
