package change_test

import (
	"testing"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

func load(t *testing.T, script git.Script) *content.Snapshot {
	t.Helper()
	source, err := git.InMemory(script)
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2026, 11, 28, 16, 0, 0, 0, time.UTC) }
	r, err := loader.New(loader.Config{Source: source, Drafts: true, Schemas: schemas.Embedded(),
		Now: now}).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r.Snapshot
}
