package starter_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/cases"
	"rulestore/content/check"
	"rulestore/content/search"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
	"rulestore/server/calc"
	"rulestore/server/site"
)

var update = flag.Bool("update", false, "add the seals of new publications to rulestore.sum")

// now is after every date of the starter content.
var now = time.Date(2026, 11, 30, 17, 0, 0, 0, time.UTC)

// config has a cache, so that no file is checked twice.
var config = loader.Config{Schemas: schemas.Embedded(), Now: func() time.Time { return now }}

func load(sealed bool) (loader.Loaded, error) {
	series, err := git.ReadReleases(starter.Files)
	if err != nil {
		return loader.Loaded{}, err
	}
	for _, step := range series {
		if !sealed {
			maps.DeleteFunc(step.Files, func(path string, _ []byte) bool { return content.HoldsSeals(path) })
		}
	}
	source, err := git.InMemory(series)
	if err != nil {
		return loader.Loaded{}, err
	}
	c := config
	c.Source = source
	return loader.New(c).Load(context.Background())
}

// loaded is what the tests of the content read. It is loaded once: nobody changes it.
var loaded = sync.OnceValues(func() (loader.Loaded, error) { return load(true) })

func published(t *testing.T) loader.Loaded {
	t.Helper()
	return must(loaded())(t)
}

// must returns a result, or ends the test that has none with its error.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// currents returns the current version of every item of the kinds, of all kinds if none is given.
func currents(t *testing.T, kinds ...*content.Kind) (entries []*content.Entry) {
	t.Helper()
	for _, i := range published(t).Snapshot.Items {
		if i.Current != nil && (len(kinds) == 0 || slices.Contains(kinds, i.Kind)) {
			entries = append(entries, i.Current)
		}
	}
	return entries
}

// decode reads what a test wants to know of a version.
func decode[T any](t *testing.T, e *content.Entry) (v T) {
	t.Helper()
	if err := json.Unmarshal(e.Body().AppendJSON(nil), &v); err != nil {
		t.Fatalf("%s: %v", e.Tag(), err)
	}
	return v
}

// The checksum of every publication that the starter content ever had is pinned in rulestore.sum.
// They are loaded as if they had no seals, so that the checksums come from the content. -update adds
// lines, and never changes one: a checksum that was ever served may have been cited.
func TestPinnedChecksums(t *testing.T) {
	var lines []string
	for _, item := range must(load(false))(t).Snapshot.Items {
		for _, e := range item.Entries {
			lines = append(lines, content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}.String())
		}
	}
	slices.Sort(lines)
	pinned := must(starter.Files.ReadFile("rulestore.sum"))(t)
	for line := range strings.Lines(string(pinned)) {
		if !slices.Contains(lines, strings.TrimSuffix(line, "\n")) {
			t.Errorf("pinned, but the content says otherwise: %s", line)
		}
	}
	want := strings.Join(lines, "\n") + "\n"
	switch {
	case t.Failed() || want == string(pinned):
	case *update:
		if err := os.WriteFile("rulestore.sum", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("rulestore.sum lacks publications: run go test ./content/starter -update")
	}
}

// From the releases to the answers: every publication is loaded and sealed, `validate` finds
// nothing in what a new repository begins with, and every case comes out as its author expects.
func TestFromEndToEnd(t *testing.T) {
	r := published(t)
	for _, f := range r.Report.Findings {
		t.Error(f)
	}
	for _, item := range r.Snapshot.Items {
		for _, e := range item.Entries {
			if !e.Sealed {
				t.Errorf("%s is not sealed", e.Tag())
			}
		}
	}
	const presentRate = "parameters/rate.key-current.yaml" // for search alone: texts name the series
	tree := newRepository(t)
	tree.Against(r.Snapshot)
	tree.Review(nil)
	for _, f := range tree.Findings {
		if f.Severity != content.Note || strings.HasPrefix(f.Path, content.Parameters.Folder+"/") && f.Path != presentRate {
			t.Error(f)
		}
	}
	results, err := cases.Run(tree.Cases, service(site.Build(nil, r.Snapshot, site.Config{
		BaseURL: "http://127.0.0.1:8080", Schemas: schemas.Embedded(), Math: calc.New(),
	})))
	if err != nil || len(results) < 1000 {
		t.Fatalf("%d cases: %v", len(results), err)
	}
	for _, r := range results {
		if !r.Passed() {
			t.Errorf("%s:%d: %s", r.Case.Path, r.Case.Line, check.Find(r.Says).Message)
		}
	}
	leavesNothingOut(t, tree)
}

// What the server makes of it without checking it is what a load that checks everything comes to.
func TestProven(t *testing.T) {
	c := config
	c.Source, c.Proven = git.Releases(starter.Files), true
	trusting := must(loader.New(c).Begin(t.Context()))(t)
	items := func(s *content.Snapshot) (all []string) {
		for _, item := range s.Items {
			for _, e := range item.Entries {
				all = append(all, fmt.Sprint(
					e.Tag(), e.Checksum, e.Status, e.PublishedAt, e.ModifiedAt, e.ChangeNote, e.Blob, e.References(),
					item.Current == e, string(e.Body().AppendJSON(nil)),
				))
			}
		}
		return all
	}
	if !slices.Equal(items(trusting.Snapshot), items(published(t).Snapshot)) {
		t.Error("other publications")
	}
	if want := published(t).State; trusting.State != want {
		t.Errorf("the state is %s, not %s", trusting.State, want)
	}
}

// Only serving leaves out checks: whoever asks what is wrong gets it of this content too.
func TestProvenIsCheckedByLoad(t *testing.T) {
	series := must(git.ReadReleases(starter.Files))(t)
	first := series[0].Files
	for path, text := range first {
		if strings.HasPrefix(path, content.Guidelines.Folder+"/") {
			first[path] = append(slices.Clone(text), "unknown_field: 1\n"...)
		}
	}
	c := config
	c.Source, c.Proven = must(git.InMemory(series[:1]))(t), true
	if r := must(loader.New(c).Load(t.Context()))(t); len(r.Report.Findings) == 0 {
		t.Error("nothing is found in guidelines with an unknown field")
	}
}

// newRepository is the work tree that a new repository begins with: the last release and the cases.
func newRepository(t *testing.T) *loader.Tree {
	t.Helper()
	series := must(git.ReadReleases(starter.Files))(t)
	for _, name := range must(fs.Glob(starter.Cases, "tests/*.yaml"))(t) {
		series[len(series)-1].Files[name] = must(starter.Cases.ReadFile(name))(t)
	}
	repo := must(must(git.InMemory(series))(t).Open())(t)
	defer repo.Close()
	tree := must(loader.ReadCommit(config, repo, must(repo.Head())(t)))(t)
	tree.Today = now.Format(content.Date)
	return tree
}

// service answers the cases from a site, as the service answers its clients.
func service(s *site.Site) cases.Service {
	return cases.Service{
		Snapshot: s.Snapshot,
		Search: func(c *content.SearchCase, limit int) (ids []string) {
			q := search.Query{Text: c.Q, Scenario: c.Scenario, ProductType: c.ProductType, Signal: c.Signal}
			if c.Kind != "" {
				q.Kinds = []string{c.Kind}
			}
			for _, d := range s.FindAll(q) {
				ids = append(ids, d.ID)
			}
			return ids[:min(limit, len(ids))]
		},
		Calculate: func(tool string, request []byte) (cases.Calculated, error) {
			a, err := s.Math.Calculate(tool, request, s.Facts())
			answer := cases.Calculated{Outputs: map[string]string{}}
			if err == nil {
				answer.Status = a.Status
				for _, o := range a.Outputs() {
					answer.Outputs[o.Name] = o.Value
				}
			}
			return answer, err
		},
		Section: func(i *content.Item, address string) (json.RawMessage, bool) { return s.Section(i.Current, address) },
		Size:    func(i *content.Item, view string) (int, bool) { return s.Size(i.Current, view == "brief"), true },
	}
}

// leavesNothingOut checks that cases ask for each guideline and route, try each calculation, meet
// each result of a compound rule, and ask each question once.
func leavesNothingOut(t *testing.T, tree *loader.Tree) {
	t.Helper()
	met := map[string]bool{}
	for _, c := range tree.Cases {
		switch {
		case c.Search != nil:
			if met["asked "+c.Search.Q] {
				t.Errorf("%s:%d: %q is asked twice", c.Path, c.Line, c.Search.Q)
			}
			met["asked "+c.Search.Q] = true
			for _, id := range c.Search.Expect {
				met[id] = true
			}
		case c.Calc != nil:
			met["calculation "+c.Calc.Tool] = true
		case c.Signals != nil:
			met["result "+c.Signals.Result] = true
		}
	}
	var wanted []string
	for tool := range calc.New().Tools() {
		wanted = append(wanted, "calculation "+tool.ID)
	}
	for _, e := range currents(t, content.Guidelines) {
		wanted = append(wanted, e.Name)
	}
	for _, e := range currents(t, content.Registries, content.Instructions) {
		for _, p := range passages(e) {
			switch p.fields {
			case "/routes/route_id/":
				wanted = append(wanted, p.text)
			case "/compound_rules/result/":
				wanted = append(wanted, "result "+p.text)
			}
		}
	}
	for _, id := range wanted {
		if !met[id] {
			t.Errorf("no case is about %s", id)
		}
	}
}
