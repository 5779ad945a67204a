package loader_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/loader"
)

// remove takes an object away, and returns what puts it back.
func (r *repo) remove(rev string) (undo func()) {
	r.Helper()
	file := r.file(rev)
	must(r, os.Rename(file, file+".gone"))
	return func() {
		r.Helper()
		must(r, os.Rename(file+".gone", file))
	}
}

// harm are ways to lose an object.
var harm = map[string]func(r *repo, rev string) (undo func()){
	"missing": (*repo).remove,
	"garbage": func(r *repo, rev string) func() { return r.spoil(rev, []byte("garbage")) },
	"malformed": func(r *repo, rev string) func() { // the object is what its id says, and no tree
		return r.spoil(rev, object("tree 5\x00", strings.NewReader("ruin\n")))
	},
}

// A tag whose objects are missing or damaged is refused alone, merged or not.
func TestTagOfLostObjects(t *testing.T) {
	for _, rev := range []string{"side", "side:guidelines", "side:guidelines/" + one + ".yaml",
		"guidelines/" + one + "/v1.1.0"} {
		for name, lose := range harm {
			for _, sealed := range []bool{false, true} {
				t.Run(fmt.Sprint(rev, "/", name, "/", sealed), func(t *testing.T) {
					t.Parallel()
					r := newRepo(t).play(`
						edit one Один; publish one 1.0.0; checkout -b side; edit one Один, второй
						publish one 1.1.0; checkout main
					`)
					if sealed {
						r.addSeal(sealOf(t, "guidelines/"+one+"/v1.1.0", guideline(one, "= Один, второй")))
					}
					lose(r, rev)
					got := r.load()
					r.expect(got, `1.0.0 current "Один"`)
					r.refuse(got, "refused guidelines/"+one+"/v1.0.0", `"Один, второй"`)
					if sealed || !strings.Contains(rev, ":") { // of what is not merged only the commit is read
						r.expect(got, one+"/v1.1.0", "[damaged]")
					}
				})
			}
		}
	}
}

// What is served goes on being served until it is certain that git is not at work.
func TestMissingWhileServing(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	l := r.loader()
	if _, err := l.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.play("edit one Один, второй; publish one 1.1.0")
	r.remove("guidelines/" + one + "/v1.1.0")
	if _, err := l.Load(t.Context()); err == nil {
		t.Error("the object may come yet")
	}
	r.expect(describe(l.Load(t.Context())), `1.0.0 current "Один"`, "refused guidelines/"+one+"/v1.1.0", "[damaged]")
}

// Where nothing can be served, the error names the object and says what to do.
func TestNothingCanBeRead(t *testing.T) {
	for what, rev := range map[string]string{"the head": "HEAD", "a commit in the middle": "HEAD~1",
		"the root": "HEAD^{tree}", "a folder": "HEAD:guidelines", "the marks": "HEAD:" + content.LifecycleFile} {
		for name, lose := range harm {
			t.Run(what+"/"+name, func(t *testing.T) {
				t.Parallel()
				r := newRepo(t).play("edit one Один; publish one 1.0.0")
				r.write(content.LifecycleFile, lifecycle())
				r.play("commit Mark nothing; edit two Два")
				id := r.git("rev-parse", rev)
				lose(r, rev)
				_, err := r.loader().Load(t.Context())
				if err == nil {
					t.Fatal("it is served")
				}
				r.expect(err.Error(), id, "git fsck", "fetch the repository again")
			})
		}
	}
	t.Run("the branch of HEAD", func(t *testing.T) {
		r := newRepo(t).play("edit one Один; symbolic-ref HEAD refs/heads/gone")
		_, err := r.loader().Load(t.Context())
		if err == nil || errors.Is(err, loader.ErrNothingPublished) {
			t.Fatal(err)
		}
		r.expect(err.Error(), `no branch, tag or commit "gone"`, "--ref", "main")
	})
}
