package loader_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// explosive are the schemas of this build, with a defect: they panic on files whose
// title, settings included, is the one that they cannot bear.
type explosive struct {
	content.Schemas
	title string
}

func (e explosive) Schema(folder, format string) content.Schema {
	if s := e.Schemas.Schema(folder, format); s != nil {
		return explosiveSchema{s, e.title}
	}
	return nil
}

type explosiveSchema struct {
	content.Schema
	title string
}

func (e explosiveSchema) Validate(value any) []content.Violation {
	if fields, ok := value.(map[string]any); ok && fields["title"] == e.title {
		panic(fmt.Sprintf("cannot bear %q", e.title))
	}
	return e.Schema.Validate(value)
}

// crashes are those that a loader told of.
type crashes struct {
	mu  sync.Mutex
	all []error
}

func (c *crashes) add(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, err)
}

// defective returns a loader whose checks panic on a title.
func (r *repo) defective(title string, drafts bool) (*loader.Loader, *crashes) {
	var told crashes
	config := r.loader().Config
	config.Schemas, config.Drafts, config.Crashed = explosive{schemas.Embedded(), title}, drafts, told.add
	return loader.New(config), &told
}

// expectCrashes checks that so many crashes were told of, each with its stack for who
// reads the log.
func (r *repo) expectCrashes(told *crashes, want int) {
	r.Helper()
	told.mu.Lock()
	defer told.mu.Unlock()
	distinct := map[*crash.Error]bool{}
	for _, err := range told.all {
		if e, ok := errors.AsType[*crash.Error](err); ok {
			distinct[e] = true
		} else {
			r.Errorf("%v is no crash", err)
		}
	}
	if len(distinct) != want {
		r.Errorf("%d crashes were told of, want %d: %v", len(distinct), want, told.all)
	}
}

// A file on which a check panics refuses its one publication, by a finding that names
// it and asks for a report; once, however often it is looked at. What is beside it is
// served, and so is the version before.
func TestCrashingCheck(t *testing.T) {
	for _, sealed := range []bool{false, true} {
		t.Run(fmt.Sprintf("sealed %v", sealed), func(t *testing.T) {
			r := newRepo(t).play(`
				edit two Два; publish two 1.0.0; edit one Один; publish one 1.0.0; edit one Взрыв; publish one 1.1.0
			`)
			if sealed {
				r.seal()
			}
			l, told := r.defective("Взрыв", false)
			got := describe(l.Load(t.Context()))
			r.expect(got, `1.0.0 current "Один"`, `1.0.0 current "Два"`, "refused guidelines/test.one.001/v1.1.0",
				`finding guidelines/test.one.001/v1.1.0: guidelines/test.one.001.yaml: error: checking the file `+
					`crashed: cannot bear "Взрыв" [crash] (this is a defect of rulestore`)
			r.refuse(got, "crash_test.go", "goroutine")
			r.play("edit two Два, иначе; publish two 1.1.0")
			got = describe(l.Load(t.Context()))
			r.expect(got, `1.1.0 current "Два, иначе"`, `1.0.0 current "Один"`, "[crash]")
			r.expectCrashes(told, 1)
		})
	}
}

// Drafts and their files are refused one by one, too, in the work tree and without
// one, and what a reviewer sees goes on.
func TestCrashingDraft(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0; edit one Взрыв; edit two Два")
	bare := r.dir + ".git"
	r.git("clone", "-q", "--mirror", r.dir, bare)
	r.write(content.Guidelines.File("test.three.001"), guideline("test.three.001", "= Взрыв"))
	for name, dir := range map[string]string{"a work tree": r.dir, "bare": bare} {
		t.Run(name, func(t *testing.T) {
			l, told := (&repo{T: t, dir: dir, now: r.now}).defective("Взрыв", true)
			result, err := l.Load(t.Context())
			got := describe(result, err)
			r.expect(got, `current "Один"`, `current "Два"`, "checking the file crashed", "[crash]")
			if len(told.all) == 0 || result.Snapshot == nil {
				t.Errorf("crashes %v, snapshot %v", told.all, result.Snapshot)
			}
		})
	}
	repo, err := git.OnDisk(r.dir).Open()
	must(r, err)
	defer repo.Close()
	tree, err := loader.ReadCheckout(loader.Config{Schemas: explosive{schemas.Embedded(), "Взрыв"}}, repo, r.dir)
	if err != nil || len(tree.Crashes) != 2 {
		t.Errorf("%d, %v", len(tree.Crashes), err)
	}
}

// A version of rulestore.yaml on which the check panics counts as one that is not
// valid: the one before stays.
func TestCrashingSettings(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	r.write(content.SettingsFile, strings.Replace(settings, "Тестовый сервис", "Взрыв", 1))
	r.commit("Change the settings")
	l, told := r.defective("Взрыв", false)
	result, err := l.Load(t.Context())
	r.expect(describe(result, err), `1.0.0 current "Один"`,
		`finding rulestore.yaml: error: checking the file crashed: cannot bear "Взрыв" [crash]`)
	if err != nil || result.Snapshot.Settings.Title != "Тестовый сервис" {
		t.Errorf("%v", err)
	}
	r.expectCrashes(told, 1)
}

// A crash of a load as a whole is none of the repository's faults: nobody may take the
// repository for unreadable.
func TestCrashIsNoReadError(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	config := r.loader().Config
	config.Source = explosiveSource{config.Source}
	_, err := loader.New(config).Load(t.Context())
	if _, ok := errors.AsType[*crash.Error](err); !ok {
		t.Errorf("%v is no crash", err)
	}
	if _, ok := errors.AsType[*git.ReadError](err); ok {
		t.Errorf("%v is an error of reading", err)
	}
}

type explosiveSource struct{ git.Opener }

func (explosiveSource) Open() (*git.Repo, error) { panic("cannot open") }
