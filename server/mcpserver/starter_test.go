package mcpserver

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
	"rulestore/server/site"
)

// starterContent is the starter content as it is served, which the tests share.
var starterContent = sync.OnceValues(func() (*site.Site, error) {
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		return nil, err
	}
	source, err := gitrepo.InMemory(script)
	if err != nil {
		return nil, err
	}
	loaded, err := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(),
		Now: time.Now}).Load(context.Background())
	if err != nil {
		return nil, err
	}
	return site.Build(nil, loaded.Snapshot, site.Config{BaseURL: "https://rules.example.org", Version: "0.0.0-test",
		Schemas: schemas.Embedded()}), nil
})

// starterServer is a server of the starter content.
func starterServer(t testing.TB) *Server {
	t.Helper()
	current, err := starterContent()
	if err != nil {
		t.Fatal(err)
	}
	health := func(s *site.Site) []byte { return []byte(`{"status":"ok","snapshot":"` + s.ID + `"}`) }
	s, err := New(Config{Sites: fixed{current}, Health: health, Version: "0.0.0-test",
		Log: slog.New(slog.NewTextHandler(t.Output(), nil))}, current.Math())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}
