package loader_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/loader"
)

const areaOne = "guidelines/product/" + one + ".yaml"

// move moves a file, as authors do.
func (r *repo) move(from, to string) {
	r.Helper()
	must(r, os.MkdirAll(filepath.Dir(filepath.Join(r.dir, to)), 0o755))
	r.git("mv", from, to)
}

// A file that only moves between areas is what it was: the same versions, dates and notes,
// whoever looks, from the start or from where it was.
func TestMoveBetweenAreas(t *testing.T) {
	for name, do := range map[string]string{
		"into one":   "move $one $area; commit Move",
		"and on":     "move $one $area; commit Move; move $area guidelines/product/a/test.one.001.yaml; commit Again",
		"and back":   "move $one $area; commit Move; move $area $one; commit Move back",
		"by a merge": "switch -c side; move $one $area; commit Move; switch main; merge --no-ff -m Merge side",
		"the seals as well": `
			move $one $area; move $sums sealed/guidelines/product/test.one.001.sum; commit Move
		`,
		"to an area that is named like the item": "move $one guidelines/test.one.001/test.one.001.yaml; commit Move",
	} {
		t.Run(name, func(t *testing.T) {
			r := sealed(t)
			before := r.load()
			r.refuse(before, "finding")
			if after := r.after(do); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
}

// What is published from an area has the dates and the notes that git gives its changes,
// and finds its seals wherever it stood.
func TestPublishFromAnArea(t *testing.T) {
	r := sealed(t)
	r.move(content.Guidelines.File(one), areaOne)
	r.commit("Move")
	r.write(areaOne, guideline(one, "= Третья"))
	r.commit("Third")
	r.git("tag", "guidelines/"+one+"/v1.2.0")
	r.expect(r.load(), `1.2.0 current "Третья"`, `note "Third"`)
	for _, v := range []string{"1.0.0", "1.1.0"} {
		r.git("tag", "-d", "guidelines/"+one+"/v"+v)
	}
	r.expect(r.load(), `1.0.0 superseded "`+one+`" sealed`, `1.2.0 current "Третья"`)
	r.write(areaOne, "guideline_id: "+one+"\nunknown: 1\n")
	r.commit("Broken")
	r.git("tag", "guidelines/"+one+"/v1.3.0")
	r.expect(r.load(), "refused guidelines/"+one+"/v1.3.0", "guidelines/"+one+"/v1.3.0: "+areaOne+":")
}

// Two files of one name are two texts for one item.
func TestTwoAreasForOneItem(t *testing.T) {
	other := "guidelines/fraud/" + one + ".yaml"
	begin := func(t *testing.T) *repo {
		r := sealed(t)
		r.move(content.Guidelines.File(one), areaOne)
		r.commit("Move")
		return r
	}
	t.Run("at the head", func(t *testing.T) {
		r := begin(t)
		before := r.load()
		r.write(other, guideline(one, "= Иначе"))
		r.commit("Twice")
		r.git("tag", "guidelines/"+one+"/v1.2.0")
		got := r.load()
		r.expect(got, `1.1.0 current`, "refused guidelines/"+one+"/v1.2.0", "[two-places]",
			areaOne+": error: the item stands in "+other+" already")
		r.git("rm", "-q", other)
		r.commit("Once")
		r.git("tag", "-d", "guidelines/"+one+"/v1.2.0")
		if after := r.load(); after != before {
			t.Errorf("before:\n%s\nafter:\n%s", before, after)
		}
	})
	t.Run("flat and in an area, sealed", func(t *testing.T) {
		r := begin(t)
		r.edit(one, "= Снова")
		r.git("tag", "guidelines/"+one+"/v1.2.0")
		r.refuse(r.load(), "1.2.0 current")
		path := content.SealsPath("guidelines/" + one)
		raw, err := os.ReadFile(filepath.Join(r.dir, path))
		must(t, err)
		r.write(path, string(raw)+sealOf(t, "guidelines/"+one+"/v1.2.0", guideline(one, "= Снова")))
		r.commit("Seal")
		r.expect(r.load(), `1.2.0 current "Снова" sealed`) // the seal says which
	})
	t.Run("seals", func(t *testing.T) {
		r := begin(t)
		before := r.load()
		r.write("sealed/guidelines/fraud/"+one+".sum", "guidelines/"+one+"/v9.0.0 sha256:"+strings.Repeat("0", 64)+
			" 2026-02-02T10:00:00+03:00\n")
		r.commit("Twice")
		got := r.load()
		r.expect(got, "the seals of the item stand in more than one file", `1.1.0 current`)
		r.refuse(got, "9.0.0")
		r.git("rm", "-q", "sealed/guidelines/fraud/"+one+".sum")
		r.commit("Once")
		if after := r.load(); after != before {
			t.Errorf("before:\n%s\nafter:\n%s", before, after)
		}
	})
	t.Run("drafts", func(t *testing.T) {
		r := begin(t)
		r.write(other, guideline(one, "= Иначе")) // not committed
		c := r.loader().Config
		c.Drafts = true
		got := describe(loader.New(c).Load(t.Context()))
		r.expect(got, `1.1.0 current`)
		r.refuse(got, "Иначе", "dirty")
		tree, err := loader.NewTreeReader(c, r.dir).Read(nil)
		must(t, err)
		var found []string
		for _, f := range tree.Findings {
			found = append(found, f.String())
		}
		r.expect(strings.Join(found, "\n"), areaOne+": error: the item stands in "+other+" already")
	})
}

// A move is no draft, whether it is committed or not; a change in an area is one.
func TestDraftsInAreas(t *testing.T) {
	r := sealed(t)
	drafts := func() string {
		c := r.loader().Config
		c.Drafts = true
		return describe(loader.New(c).Load(t.Context()))
	}
	before := drafts()
	r.move(content.Guidelines.File(one), areaOne)
	if got := drafts(); got != before {
		t.Errorf("before:\n%s\nmoved in the work tree:\n%s", before, got)
	}
	r.commit("Move")
	if got := drafts(); got != before {
		t.Errorf("before:\n%s\nmoved:\n%s", before, got)
	}
	r.write(areaOne, guideline(one, "= Черновик"))
	r.expect(drafts(), `.dirty current "Черновик"`)
}

// The folder of an output schema is a part of its name, as it always was.
func TestSchemasHaveNoAreas(t *testing.T) {
	k, name, ok := content.ItemAt("schemas/math/loan.yaml")
	if !ok || name != "math/loan" || k.File(name) != "schemas/math/loan.yaml" {
		t.Errorf("got %v %q %v", k, name, ok)
	}
}
