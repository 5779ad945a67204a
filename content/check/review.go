package check

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"rulestore/content"
)

// Tree is what a repository holds at one state: the work tree, or a commit.
type Tree struct {
	Items    []File
	Settings *content.Settings // nil without a valid rulestore.yaml
	Marks    []content.Mark
	Root     map[string][]byte // the files in the root, for the places in them

	// Published says whether a publication of an item is served, whether or not
	// the tree still has its file. nil where no publications are known.
	Published func(item string) bool
	Today     string // the UTC date, 2026-05-01
}

// File is the file of an item, checked.
type File struct {
	Kind *content.Kind
	Name string
	Raw  []byte
	Result
}

// Item returns folder and name.
func (f File) Item() string { return f.Kind.Folder + "/" + f.Name }

// Review finds what only a reviewer would see in files that are each well-formed:
// what does not fit together, what is out of date, and what readers will see and
// nobody meant. Files that fail the rules of [Item] are left out; findings come
// in no order.
func Review(schemas content.Schemas, t Tree) []content.Finding {
	r := &reviewer{Tree: t, schemas: schemas, items: map[string]bool{}, lists: map[string]*codeList{}, found: map[string]int{}}
	for _, f := range t.Items {
		r.items[f.Item()] = true
	}
	files := r.open()
	for _, f := range files {
		r.collect(f)
	}
	values := parameterValues(files)
	for _, f := range files {
		r.references(f)
		r.codes(f)
		r.dates(f)
		r.texts(f, values)
		r.calendar(f)
	}
	r.unused(files)
	r.marks()
	r.scenarios()
	return r.findings
}

// reviewer collects findings.
type reviewer struct {
	Tree
	schemas  content.Schemas
	items    map[string]bool
	lists    map[string]*codeList // by registry and list: taxonomy/stop_codes
	found    map[string]int       // findings by path
	findings []content.Finding
}

// opened is a file with what is needed to find places in it.
type opened struct {
	File
	doc  *Document
	root *content.Field
}

// open reads the files again, on all processors, with their positions.
func (r *reviewer) open() []*opened {
	all := make([]*opened, len(r.Items))
	var wg sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for i, f := range r.Items {
		free <- true
		wg.Go(func() {
			defer func() { <-free }()
			if !f.OK() {
				return
			}
			doc, _ := Parse(f.Kind.File(f.Name), f.Raw)
			schema := r.schemas.Schema(content.FormatsOf(r.schemas, f.Kind, f.Name), f.Body.Text(f.Kind.Format))
			if doc != nil && schema != nil {
				all[i] = &opened{f, doc, schema.Root()}
			}
		})
	}
	wg.Wait()
	all = slices.DeleteFunc(all, func(o *opened) bool { return o == nil })
	slices.SortFunc(all, func(a, b *opened) int { return cmp.Compare(a.Item(), b.Item()) })
	return all
}

// add reports something about a value, as long as people go on reading.
func (r *reviewer) add(o *opened, at []string, rule string, s content.Severity, message, hint string) {
	if r.full(o) {
		return
	}
	f := o.doc.finding(at, rule, message, hint)
	f.Severity = s
	r.keep(f)
}

// full says whether a file has more findings than a person mends before asking
// again.
func (r *reviewer) full(o *opened) bool { return r.found[o.doc.Path] > maxFindings }

// keep adds a finding; the last that a file can have says that there are more.
func (r *reviewer) keep(f content.Finding) {
	if r.found[f.Path]++; r.found[f.Path] > maxFindings {
		f.Rule, f.Severity, f.Message, f.Hint = "more", content.Error, "there is more to mend from here on", "mend what is above and check again"
	}
	r.findings = append(r.findings, f)
}

// each visits every value that the format describes, outermost first.
func (o *opened) each(visit func(at []string, value any, f *content.Field)) {
	var walk func(at []string, value any, f *content.Field)
	walk = func(at []string, value any, f *content.Field) {
		if f == nil {
			return
		}
		visit(at, value, f)
		switch v := value.(type) {
		case map[string]any:
			for _, g := range f.Fields {
				if inner, ok := v[g.Name]; ok {
					walk(below(at, g.Name), inner, g)
				}
			}
		case []any:
			for i, e := range v {
				walk(below(at, fmt.Sprint(i)), e, f.Items)
			}
		}
	}
	walk(nil, o.doc.value, o.root)
}

// references finds references to items that there are none of.
func (r *reviewer) references(o *opened) {
	for _, ref := range o.References {
		if r.exists(ref.Item) || r.full(o) {
			continue
		}
		folder, name, _ := strings.Cut(ref.Item, "/")
		f := o.doc.finding(nil, "reference", fmt.Sprintf("it refers to %s, which is neither in the repository nor published", ref.Item), didYouMean(name, r.names(folder), "add "+ref.Item+", or correct the reference"))
		f.Line, f.Column = ref.Line, ref.Column
		r.keep(f)
	}
}

func (r *reviewer) exists(item string) bool {
	return r.items[item] || r.Published != nil && r.Published(item)
}

// names lists the names of the items in a folder.
func (r *reviewer) names(folder string) []string {
	var all []string
	for _, f := range r.Items {
		if f.Kind.Folder == folder {
			all = append(all, f.Name)
		}
	}
	return all
}

// marks finds marks for what is not there.
func (r *reviewer) marks() {
	for i, m := range r.Marks {
		if r.exists(m.Item) {
			continue
		}
		folder, name, _ := strings.Cut(m.Item, "/")
		r.addRoot(content.LifecycleFile, []string{"marks", fmt.Sprint(i), "item"}, "mark",
			fmt.Sprintf("the mark %s is for %s, which is neither in the repository nor published", m.Status, m.Item),
			didYouMean(name, r.names(folder), "correct the item: folder and name, for example guidelines/product.common.001"))
	}
}

// scenarios finds scenarios of the settings that have no file.
func (r *reviewer) scenarios() {
	if r.Settings == nil {
		return
	}
	for i, s := range r.Settings.Scenarios {
		if !r.exists(content.Scenarios.Folder + "/" + s) {
			r.addRoot(content.SettingsFile, []string{"scenarios", fmt.Sprint(i)}, "reference", fmt.Sprintf("the scenario %s has no file", s),
				didYouMean(s, r.names(content.Scenarios.Folder), "add "+content.Scenarios.File(s)+", or correct the name"))
		}
	}
}

// addRoot warns of something in a file of the root.
func (r *reviewer) addRoot(path string, at []string, rule, message, hint string) {
	f := content.Finding{Path: path, Rule: rule, Severity: content.Warning, Message: message, Hint: hint}
	f.Line, f.Column = Position(path, r.Root[path], at...)
	r.keep(f)
}
