package site

import (
	"context"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
	"rulestore/server/api"
	"rulestore/server/calc"
)

const baseURL = "https://rules.example.org"

var config = Config{BaseURL: baseURL, Version: "0.0.0-test", Schemas: schemas.Embedded()}

func given[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// history loads a repository as it was after some of its commits, each so many
// after the other, with one loader, as a running process does.
func history(script git.Script, step int) []*content.Snapshot {
	today := time.Date(2026, 11, 28, 16, 0, 0, 0, time.UTC)
	l := loader.New(loader.Config{Schemas: schemas.Embedded(), Now: func() time.Time { return today }})
	var all []*content.Snapshot
	for n := (len(script) - 1) % step; n < len(script); n += step {
		l.Source = given(git.InMemory(script[:n+1]))
		all = append(all, given(l.Load(context.Background())).Snapshot)
	}
	return all
}

func readStore(name string) git.Script {
	return given(gittest.ParseTxtar(given(txtar.ParseFile("../testdata/" + name))))
}

var (
	storeHistory = sync.OnceValue(func() []*content.Snapshot { return history(readStore("store.txtar"), 1) })
	kindsHistory = sync.OnceValue(func() []*content.Snapshot { return history(readStore("kinds.txtar"), 1) })
)

func lastStore() *content.Snapshot { return storeHistory()[len(storeHistory())-1] }
func lastKinds() *content.Snapshot { return kindsHistory()[len(kindsHistory())-1] }

// fresh are the sites of a history, each built from nothing.
func fresh(snapshots []*content.Snapshot) (all []*Site) {
	for _, snapshot := range snapshots {
		all = append(all, Build(nil, snapshot, config))
	}
	return all
}

// ofContent says whether a path is of what the repository holds: what the build alone makes is
// large, and the same in all sites.
func ofContent(path string) bool {
	return !slices.ContainsFunc([]string{api.ConnectPath, api.MathPath, api.FormatsPath, api.OpenAPIPath, "/assets/"},
		func(of string) bool { return strings.HasPrefix(path, of) })
}

// same says whether two resources are the same in every byte.
func same(a, b *Resource) bool {
	if a == nil || b == nil || a.Static != b.Static || a.Action != b.Action || !reflect.DeepEqual(a.Gone, b.Gone) ||
		len(a.Representations) != len(b.Representations) {
		return a == b
	}
	for i := range a.Representations {
		if x, y := a.Representations[i], b.Representations[i]; x.Type != y.Type || x != y &&
			!reflect.DeepEqual(x.Ready().Prepared, y.Ready().Prepared) {
			return false
		}
	}
	return true
}

// ofItem says whether a path belongs to an item, or to the build: all others
// speak of several items.
func ofItem(s *Site, path string) bool {
	if strings.HasPrefix(path, api.FormatsPath) || strings.HasPrefix(path, api.OpenAPIPath) {
		return true
	}
	return slices.ContainsFunc(s.Snapshot.Items, func(i *content.Item) bool {
		base, static := i.Kind.ItemPath(i.Name), i.Kind.StaticPath(i.Name)
		return path == base || strings.HasPrefix(path, base+"/") || static != "" && strings.HasPrefix(path, static+".")
	})
}

// answers says whether there is anything at a path without a question.
func (r *Resource) answers() bool { return r.Gone != nil || len(r.Representations) > 0 }

// Other addresses or another build change every page, so nothing is taken over.
func TestReuseNeedsTheSameConfig(t *testing.T) {
	snapshot := storeHistory()[3]
	before := Build(nil, snapshot, config)
	for name, c := range map[string]Config{
		"base URL": {BaseURL: "https://other.example.org/rules", Version: config.Version, Schemas: config.Schemas},
		"version":  {BaseURL: config.BaseURL, Version: "0.0.1", Schemas: config.Schemas},
		"schemas":  {BaseURL: config.BaseURL, Version: config.Version, Schemas: new(*config.Schemas)},
		"registry": {BaseURL: config.BaseURL, Version: config.Version, Schemas: config.Schemas, Math: calc.New()},
	} {
		after := Build(before, snapshot, c)
		for path, r := range after.resources {
			if r == before.resources[path] {
				t.Errorf("%s: %s is taken over", name, path)
			}
			// whose examples are examples
			if r.Gone != nil || !r.answers() || strings.HasPrefix(path, api.OpenAPIPath) {
				continue
			}
			if name == "base URL" && strings.Contains(string(r.Representations[0].Ready().Body.Bytes), baseURL) {
				t.Errorf("%s still has the old address", path)
			}
		}
	}
	again := Build(before, snapshot, config)
	for path, r := range again.resources {
		if ofItem(again, path) && r.answers() && r != before.resources[path] {
			t.Errorf("%s is made anew although nothing changed", path)
		}
	}
}

func TestID(t *testing.T) {
	id := func(change func(*content.Source, *Config)) string {
		src := content.Source{Commit: "c0ffee", Branch: "main", Refs: "abc", Date: "2026-11-20"}
		c := config
		change(&src, &c)
		return Build(nil, content.NewSnapshot(content.Input{Source: src,
			Publications: []*content.Publication{madeUp(1, 1)}}), c).ID
	}
	seen := map[string]string{}
	for name, change := range map[string]func(*content.Source, *Config){
		"nothing":  func(*content.Source, *Config) {},
		"commit":   func(s *content.Source, _ *Config) { s.Commit = "decade" },
		"refs":     func(s *content.Source, _ *Config) { s.Refs = "abd" },
		"date":     func(s *content.Source, _ *Config) { s.Date = "2026-11-21" },
		"drafts":   func(s *content.Source, _ *Config) { s.Drafts = true },
		"base URL": func(_ *content.Source, c *Config) { c.BaseURL += "/rules" },
		"build":    func(_ *content.Source, c *Config) { c.Version += "1" },
	} {
		got := id(change)
		if len(got) != 16 || strings.Trim(got, "0123456789abcdef") != "" {
			t.Errorf("%s: %q", name, got)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("the ID does not tell %s from %s", name, other)
		}
		if seen[got] = name; got != id(change) {
			t.Errorf("%s: the ID changes from time to time", name)
		}
	}
}

// Pages outlive the sites that made them, and must not keep them in memory.
func TestOldSitesAreForgotten(t *testing.T) {
	snapshots := kindsHistory()
	s := Build(nil, snapshots[0], config)
	var old []weak.Pointer[Site]
	for _, snapshot := range snapshots[1:] {
		old = append(old, weak.Make(s))
		s = Build(s, snapshot, config)
	}
	runtime.GC()
	runtime.GC()
	for n, w := range old {
		if w.Value() != nil {
			t.Errorf("site %d of %d is still in memory", n, len(snapshots))
		}
	}
	runtime.KeepAlive(s)
}

// A mark that changes its date or its reason changes what it marks, and nothing
// else.
func TestReuseUnderMarks(t *testing.T) {
	in := input(madeUp(1, 0), madeUp(1, 1), madeUp(2, 0))
	marked := func(reason, since string) *content.Snapshot {
		in.Marks = []content.Mark{{Item: "guidelines/" + in.Publications[0].Name, Version: "1.0.0",
			Status: content.Archived, Reason: reason, Since: since}}
		return content.NewSnapshot(in)
	}
	s := Build(nil, marked("Ошибка", "2026-06-01"), config)
	for _, snapshot := range []*content.Snapshot{marked("Ошибка", "2026-07-01"),
		marked("Другая ошибка", "2026-07-01")} {
		before := s
		s = Build(s, snapshot, config)
		for path, r := range Build(nil, snapshot, config).resources {
			if ofContent(path) && !same(s.resources[path], r) {
				t.Errorf("%s differs from what is built from nothing", path)
			}
		}
		other := in.Publications[2].Path()
		if s.resources[other] != before.resources[other] {
			t.Error("what is not marked is made anew")
		}
	}
}
