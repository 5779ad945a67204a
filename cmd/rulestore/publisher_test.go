package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// Whatever crashes a reload, what was served goes on being served, health says
// what happened without the stack, and a later look tries again.
func TestCrashDuringReload(t *testing.T) {
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := gitrepo.InMemory(script[:1]) // the first release
	if err != nil {
		t.Fatal(err)
	}
	var log lockedBuffer
	p := newPublisher(loader.New(loader.Config{Source: memory, Schemas: schemas.Embedded(), Now: time.Now}),
		slog.New(slog.NewTextHandler(&log, nil)))
	p.config.Schemas = schemas.Embedded()
	p.look(t.Context())
	served := p.Current()
	if served == nil {
		t.Fatalf("nothing is served: %s", log.String())
	}

	base := p.base
	p.base = func(content.Settings) string { panic("out of bounds") }
	p.looked = ""
	p.look(t.Context())
	if p.Current() != served || p.status().LastError != "crashed: out of bounds" {
		t.Errorf("served changed: %v, last error %q", p.Current() != served, p.status().LastError)
	}
	if !strings.Contains(log.String(), "publisher_test.go") {
		t.Errorf("the log has no stack: %s", log.String())
	}

	p.base = base
	p.look(t.Context())
	if p.Current().ID != served.ID || p.status().LastError != "" {
		t.Errorf("after the repair: last error %q", p.status().LastError)
	}
}

// The load after the first reads what the first left for later. What it finds is
// logged and in health, though nothing of the repository has changed.
func TestFoundLate(t *testing.T) {
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	source, err := gitrepo.InMemory(script)
	if err != nil {
		t.Fatal(err)
	}
	var log lockedBuffer
	p := newPublisher(loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: time.Now}),
		slog.New(slog.NewTextHandler(&log, nil)))
	p.config.Schemas = schemas.Embedded()
	first, err := p.load(t.Context(), p.loader.Begin)
	if err != nil {
		t.Fatal(err)
	}
	p.publish(first, time.Now())
	next := first
	next.Report.Add(content.Finding{Tag: "guidelines/a/v1.0.0", Rule: "seal-lost", Severity: content.Error, Message: "no version has the sealed checksum"})
	for range 2 {
		p.publish(next, time.Now())
	}
	if n := strings.Count(log.String(), "seal-lost"); n != 1 {
		t.Errorf("it is logged %d times: %s", n, log.String())
	}
	if found := p.status().Report.Findings; len(found) != len(next.Report.Findings) {
		t.Errorf("health has %v", found)
	}
}
