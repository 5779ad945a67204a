//go:build slow

package loader_test

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// opened remembers what was opened last, without holding on to it.
type opened struct {
	gitrepo.Opener
	last weak.Pointer[gitrepo.Repo]
}

func (o *opened) Open() (*gitrepo.Repo, error) {
	r, err := o.Opener.Open()
	o.last = weak.Make(r)
	return r, err
}

// An opening caches up to 256 MB of objects. Nothing of a load may hold on to it.
func TestLoadLetsGoOfTheRepository(t *testing.T) {
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := gitrepo.InMemory(script)
	if err != nil {
		t.Fatal(err)
	}
	source := &opened{Opener: memory}
	l := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: time.Now})
	result, err := l.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	if source.last.Value() != nil {
		t.Error("the repository is still held after the load")
	}
	runtime.KeepAlive(l)
	runtime.KeepAlive(result)
}
