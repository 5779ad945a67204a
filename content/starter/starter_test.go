package starter_test

import (
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

var update = flag.Bool("update", false, "add the seals of new publications to rulestore.sum")

// now is after every date of the starter content.
var now = time.Date(2026, 11, 28, 16, 0, 0, 0, time.UTC)

func read(ctx context.Context, script gitrepo.Script) (loader.Result, error) {
	source, err := gitrepo.InMemory(script)
	if err != nil {
		return loader.Result{}, err
	}
	l := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: func() time.Time { return now }})
	return l.Load(ctx)
}

func load(t *testing.T, script gitrepo.Script) loader.Result {
	t.Helper()
	r, err := read(t.Context(), script)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func script(t *testing.T) gitrepo.Script {
	t.Helper()
	s, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The checksum of every publication that the starter content ever had is pinned
// in rulestore.sum. The publications are loaded here as if they had no seals,
// so that the checksums come from the content. -update adds lines, and never
// changes one: a checksum that was ever served may have been cited.
func TestPinnedChecksums(t *testing.T) {
	unsealed := script(t)
	for _, step := range unsealed {
		delete(step.Files, content.SealsFile)
	}
	var lines []string
	for _, item := range load(t, unsealed).Snapshot.Items {
		for _, e := range item.Entries {
			lines = append(lines, content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}.String())
		}
	}
	slices.Sort(lines)
	pinned, err := starter.Files.ReadFile(content.SealsFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(pinned)) {
		if !slices.Contains(lines, strings.TrimSuffix(line, "\n")) {
			t.Errorf("pinned, but the content says otherwise: %s", line)
		}
	}
	want := strings.Join(lines, "\n") + "\n"
	switch {
	case t.Failed() || want == string(pinned):
	case *update:
		if err := os.WriteFile(content.SealsFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("rulestore.sum lacks publications: run go test ./content/starter -update")
	}
}

func TestLoadsWithoutFindings(t *testing.T) {
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
}

// The same bytes on every machine: the ids of the repository that the series of
// releases becomes.
func TestSameObjectsEverywhere(t *testing.T) {
	first, second := head(t), head(t)
	if first != second {
		t.Errorf("two makings differ: %s and %s", first, second)
	}
}

func head(t *testing.T) string {
	t.Helper()
	source, err := gitrepo.InMemory(script(t))
	if err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	refs, err := repo.Refs("")
	if err != nil {
		t.Fatal(err)
	}
	return refs.Hash()
}
