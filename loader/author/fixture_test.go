package author

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"
	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
)

// made is the folder with the fixture: origin, a bare repository of six items that are published and
// sealed, and author, a clone of it. Tests work on copies.
var made string

func TestMain(m *testing.M) {
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull, "LC_ALL": "C",
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": "2026-03-01T12:00:00+03:00",
		"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
		"GIT_COMMITTER_DATE": "2026-03-01T12:00:00+03:00", "GIT_MERGE_AUTOEDIT": "no",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false",
	} {
		os.Setenv(name, value)
	}
	dir, err := os.MkdirTemp("", "author-test-")
	if err == nil {
		made = dir
		err = makeFixture()
	}
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// makeFixture makes the repository by hand-made tags, and seals them by a publication.
func makeFixture() error {
	archive, err := txtar.ParseFile("testdata/six.txtar")
	if err != nil {
		return err
	}
	script, err := gittest.ParseTxtar(archive)
	if err != nil {
		return err
	}
	author := filepath.Join(made, "author")
	if err := git.Create(author, script); err != nil {
		return err
	}
	run := func(args ...string) {
		if err == nil {
			_, err = gitIn(author, args...)
		}
	}
	run("init", "-q", "--bare", "--template=", "-b", "main", "../origin")
	run("remote", "add", "origin", "../origin")
	if err != nil {
		return err
	}
	r, err := Open(author, nil, false)
	if err != nil {
		return err
	}
	plan, err := r.Plan(context.Background(), Options{Schemas: schemas.Embedded(), Push: true})
	if err != nil {
		return err
	}
	if err := r.Apply(context.Background(), plan.Steps); err != nil {
		return err
	}
	run("push", "-q", "--tags", "-u", "origin", "main")
	run("remote", "set-head", "origin", "main")
	run("gc", "-q") // copies of few files are made sooner
	run("-C", "../origin", "gc", "-q")
	return err
}

func gitIn(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), err
}

// work is an author's clone, and origin beside it.
type work struct {
	*testing.T
	*Repository
	origin string
}

// copied returns a copy of the fixture.
func copied(t *testing.T) *work {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
		t.Fatal(err)
	}
	w := &work{T: t, origin: filepath.Join(dir, "origin")}
	w.open(filepath.Join(dir, "author"))
	return w
}

func (w *work) open(dir string) {
	w.Helper()
	r, err := Open(dir, nil, false)
	if err != nil {
		w.Fatal(err)
	}
	w.Repository = r
}

// sh runs git commands, one a line, in the clone; the arguments have no spaces.
func (w *work) sh(script string) (last string) {
	w.Helper()
	for line := range strings.SplitSeq(script, "\n") {
		if args := strings.Fields(line); len(args) > 0 {
			last = w.ask(args...)
		}
	}
	return last
}

// ask runs git in the clone.
func (w *work) ask(args ...string) string {
	w.Helper()
	out, err := gitIn(w.Dir, args...)
	if err != nil {
		w.Fatal(err)
	}
	return out
}

// put writes a file of the work tree.
func (w *work) put(path, text string) {
	w.Helper()
	file := filepath.Join(w.Dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		w.Fatal(err)
	}
	_ = os.Remove(file)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
}

// edit replaces what a pattern finds in a file of the work tree.
func (w *work) edit(path, pattern, with string) {
	w.Helper()
	raw, err := os.ReadFile(filepath.Join(w.Dir, path))
	changed := regexp.MustCompile("(?m)"+pattern).ReplaceAll(raw, []byte(with))
	if err != nil || bytes.Equal(raw, changed) {
		w.Fatalf("nothing in %s matches %s: %v", path, pattern, err)
	}
	w.put(path, string(changed))
}

// commit commits everything.
func (w *work) commit(message string) {
	w.Helper()
	w.ask("add", "-A")
	w.ask("commit", "-q", "-m", message)
}

// title gives an item another title, and commits that.
func (w *work) title(item, title string) {
	w.Helper()
	w.edit(item+".yaml", `^title: .*`, "title: "+title)
	w.commit(title)
}

const (
	rule = "guidelines/product.common.001"
	one  = "scenarios/one"
	two  = "scenarios/two"
	test = "instructions/test"
)

func (w *work) plan(o Options) (*Plan, error) {
	o.Schemas = schemas.Embedded()
	return w.Plan(w.Context(), o)
}

// publish plans and applies, and returns what was planned.
func (w *work) publish(o Options) string {
	w.Helper()
	p, err := w.plan(o)
	if err != nil {
		w.Fatal(err)
	}
	if err := w.Apply(w.Context(), p.Steps); err != nil {
		w.Fatal(err)
	}
	return said(p)
}

// published is the snapshot as a server has it on the day of all commits.
func (w *work) published() *content.Snapshot {
	w.Helper()
	result, err := loader.New(loader.Config{
		Source: w.Source(), Schemas: schemas.Embedded(),
		Now: func() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) },
	}).Load(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	return result.Snapshot
}

var hash = regexp.MustCompile(`\b[0-9a-f]{12,40}\b`)

// said is a plan in words, a line each, with HASH for the ids of commits.
func said(p *Plan) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	for _, s := range p.Tags {
		after := ""
		if s.Old != nil {
			after = " after " + s.Old.String()
		}
		line("%s%s: %s", s.Tag, after, s.Why)
		for _, n := range s.Notes {
			line("  (%s)", n)
		}
	}
	for _, o := range p.Others {
		line("%s %s", []string{"restored", "unsealed", "withdrawn", "push"}[o.What], o.Tag)
	}
	for _, d := range p.Deferred {
		line("left out %s: %v", d.Item, d.Why)
	}
	for _, err := range p.Obstacles {
		line("first: %v", err)
	}
	for _, text := range p.Warnings {
		line("warning: %s", text)
	}
	return hash.ReplaceAllString(b.String(), "HASH")
}

// asking is a request for a version of an item.
func asking(item, version string) map[string]change.Ask {
	return map[string]change.Ask{item: {Version: semver.MustParse(version)}}
}
