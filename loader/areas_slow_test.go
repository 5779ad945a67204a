//go:build slow

package loader_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader"
)

// What stands where people think of an area, and is none, is said.
func TestHostileAreas(t *testing.T) {
	deep := "guidelines/" + strings.Repeat("d/", 1000)
	for name, c := range map[string]struct {
		do   func(r *repo)
		want string
	}{
		"a link": {func(r *repo) {
			r.write("elsewhere/"+one+".yaml", guideline(one, "= Чужой"))
			must(r, os.Symlink("../elsewhere", filepath.Join(r.dir, "guidelines/linked")))
		}, "guidelines/linked: error: the file is a symbolic link"},
		"a link for the seals": {func(r *repo) {
			must(r, os.Symlink("guidelines", filepath.Join(r.dir, "sealed/linked")))
		}, ""},
		"a hidden one": {func(r *repo) {
			r.write("guidelines/.hidden/a.yaml", guideline("a", "= А"))
		}, "guidelines/.hidden/a.yaml:1:1: warning: the file cannot be published under this name"},
		"named like a file": {func(r *repo) {
			r.write("guidelines/b.yaml/a.yaml", guideline("a", "= А"))
		}, "guidelines/b.yaml/a.yaml:1:1: warning: the file cannot be published under this name"},
		"in capital letters": {func(r *repo) {
			r.write("guidelines/Area/a.yaml", guideline("a", "= А"))
		}, "guidelines/Area/a.yaml:1:1: warning: the file cannot be published under this name"},
		"in Cyrillic": {func(r *repo) {
			r.write("guidelines/вклады/a.yaml", guideline("a", "= А"))
		}, "guidelines/вклады/a.yaml:1:1: warning: the file cannot be published under this name"},
		"of a thousand levels": {func(r *repo) {
			r.write(deep+"a.yaml", guideline("a", "= А"))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := sealed(t)
			c.do(r)
			r.commitByGit("Hostile")
			got := r.load()
			r.expect(got, c.want, `1.1.0 current`)
			r.refuse(got, "Чужой")
			tree, err := loader.NewTreeReader(r.loader().Config, r.dir).Read(nil)
			must(t, err)
			var found strings.Builder
			for _, f := range tree.Findings {
				found.WriteString(f.String() + "\n")
			}
			want := c.want // what is committed already stops no load
			if strings.Contains(want, "under this name") {
				want = strings.Replace(want, "warning", "error", 1)
			}
			r.expect(found.String(), want)
		})
	}
}
