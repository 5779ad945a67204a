//go:build slow

package loader_test

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// opened remembers what was opened last, without holding on to it.
type opened struct {
	git.Opener
	last weak.Pointer[git.Repo]
}

func (o *opened) Open() (*git.Repo, error) {
	r, err := o.Opener.Open()
	o.last = weak.Make(r)
	return r, err
}

// An opening caches up to 256 MB of objects. Nothing of a load may hold on to it.
func TestLoadLetsGoOfTheRepository(t *testing.T) {
	script, err := git.ReadReleases(starter.Files)
	must(t, err)
	memory, err := git.InMemory(script)
	must(t, err)
	source := &opened{Opener: memory}
	l := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: time.Now})
	result, err := l.Load(t.Context())
	must(t, err)
	runtime.GC()
	if source.last.Value() != nil {
		t.Error("the repository is still held after the load")
	}
	runtime.KeepAlive(l)
	runtime.KeepAlive(result)
}
