package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/document"
)

// Tree is the content of a repository in one state: the work tree, or a commit.
type Tree struct {
	Items    []File
	Settings *content.Settings // nil without a valid rulestore.yaml
	Marks    []content.Mark
	Root     map[string][]byte // the root files, for positions in them

	// Published reports whether a publication of an item is served, whether or not the tree
	// still has its file. nil if no publications are known.
	Published func(item string) bool
	Today     string // the UTC date, 2026-05-01
}

// File is the checked file of an item.
type File struct {
	Kind *content.Kind
	Name string
	Raw  []byte
	Checked

	Style []content.Finding // what editors leave behind, see [Style]

	doc    *Document      // nil if it cannot be parsed
	root   *content.Field // the format that it names; nil if that is unknown
	format string         // its folder and number: guidelines/1.0
	path   string         // "" if the file is directly in its folder
}

// Open checks the file of an item, and keeps what the review and look-ups of positions need.
func Open(schemas content.Schemas, k *content.Kind, name string, raw []byte) File {
	doc, findings := parse(k.File(name), raw, reserved(k))
	f := File{
		Kind: k, Name: name, Raw: raw, doc: doc, Checked: doc.item(schemas, k, name, findings),
		Style: style(k.File(name), raw),
	}
	folder, version := content.FormatsOf(schemas, k, name), f.Body.Text(k.Format)
	if s := schemas.Schema(folder, version); s != nil {
		f.root, f.format = s.Root(), folder+"/"+version
	}
	return f
}

// Path returns the path of the file.
func (f File) Path() string { return cmp.Or(f.path, f.Kind.File(f.Name)) }

// At returns the file with another path, for instance in a sub-folder by area. Its findings do
// not depend on the path.
func (f File) At(path string) File {
	if path == f.Path() {
		return f
	}
	f.Findings, f.Style = movedTo(path, f.Findings), movedTo(path, f.Style)
	if f.path = path; f.doc != nil {
		doc := *f.doc
		doc.Path = path
		f.doc = &doc
	}
	return f
}

// movedTo returns findings with another path.
func movedTo(path string, found []content.Finding) []content.Finding {
	moved := slices.Clone(found)
	for i := range moved {
		moved[i].Path = path
	}
	return moved
}

// Item returns folder and name.
func (f File) Item() string { return f.Kind.Folder + "/" + f.Name }

// Review reports what only a reviewer would see in valid files: inconsistencies between them,
// outdated content, and text that readers will see and nobody intended. Files that fail the
// rules of [Item] are left out; findings are in no order. Only files whose paths are wanted have findings, and the
// texts of others are not read; nil wants all.
func Review(t Tree, wanted func(path string) bool) []content.Finding {
	if wanted == nil {
		wanted = func(string) bool { return true }
	}
	r, files := newReviewer(t)
	r.review(files, wanted)
	if wanted(content.LifecycleFile) {
		r.marks()
		r.successors()
	}
	if wanted(content.SettingsFile) {
		r.scenarios()
	}
	return r.findings
}

// newReviewer collects the names in the files, and returns the files without errors.
func newReviewer(t Tree) (*reviewer, []*File) {
	r := &reviewer{
		Tree: t, items: map[string]bool{}, lists: map[string]*codeList{},
		trees: map[string]*document.Node{},
		count: map[string]int{}, unresolved: map[string]int{}, overflow: map[string]int{},
		roots: map[string]*Document{},
	}
	for _, f := range t.Items {
		r.items[f.Item()] = true
	}
	files := r.open()
	for _, f := range files {
		r.collect(f)
	}
	return r, files
}

// review reviews the wanted files.
func (r *reviewer) review(files []*File, wanted func(path string) bool) {
	values, ids := parameterValues(files, r.Today), identify(r.Items)
	for _, f := range files {
		if !wanted(f.doc.Path) {
			continue
		}
		r.references(f)
		r.selfReferences(f)
		r.codes(f)
		r.sections(f)
		r.dates(f)
		r.texts(f, values, ids)
		r.calendar(f)
		r.gaps(f)
		r.series(f, files)
	}
}

// reviewer collects the findings of a review.
type reviewer struct {
	Tree
	items      map[string]bool
	lists      map[string]*codeList      // by registry and list: taxonomy/stop_codes
	count      map[string]int            // findings by path
	trees      map[string]*document.Node // of items with references to their sections, by folder and name
	unresolved map[string]int            // by path, number of names in texts that are not those of items
	overflow   map[string]int            // by path, index of the finding that replaces those beyond the limit
	roots      map[string]*Document      // root files, for positions in them
	findings   []content.Finding
}

// open returns the files without errors, sorted.
func (r *reviewer) open() (all []*File) {
	for i := range r.Items {
		if f := &r.Items[i]; f.OK() && f.root != nil {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b *File) int { return cmp.Compare(a.Item(), b.Item()) })
	return all
}

// add adds a finding about a value, up to the limit per file.
func (r *reviewer) add(o *File, at []string, severity content.Severity, s content.RuleText) {
	if r.isFull(o.doc.Path, severity) {
		return
	}
	f := o.doc.finding(at, s)
	f.Severity = severity
	r.addWithAbout(o, f)
}

// addWord adds a warning about a letter of a word in a text; before is the text before the word.
func (r *reviewer) addWord(o *File, at []string, before, word string, nth int, s content.RuleText) {
	f := o.doc.finding(at, s)
	f.Severity = content.Warning
	f.Line, f.Column = o.doc.place(o.doc.at(at), before, word, nth)
	r.addFinding(f)
}

// addWithAbout adds a finding with the description of the field.
func (r *reviewer) addWithAbout(o *File, f content.Finding) {
	r.addFinding(o.doc.withAbout([]content.Finding{f}, o.format, o.root)[0])
}

// isFull reports whether a file has reached the limit of findings. If so, the finding that
// replaces the others gets the highest of their severities.
func (r *reviewer) isFull(path string, s content.Severity) bool {
	i, full := r.overflow[path]
	if full {
		r.findings[i].Severity = worst(r.findings[i].Severity, s)
	}
	return full
}

// addFinding adds a finding; the last one within the limit of the file says that there are
// more.
func (r *reviewer) addFinding(f content.Finding) {
	if r.count[f.Path]++; r.count[f.Path] > maxFindings {
		r.overflow[f.Path] = len(r.findings)
		f = moreFindings(f)
	}
	r.findings = append(r.findings, f)
}

// each visits all values that the format describes, outermost first.
func (f *File) each(visit func(at []string, value any, f *content.Field)) {
	walk(f.doc.value, f.root, visit)
}

// references finds references to items that do not exist.
func (r *reviewer) references(o *File) {
	for _, ref := range o.References {
		if r.exists(ref.Item) || r.isFull(o.doc.Path, content.Error) {
			continue
		}
		s := say("reference", "nowhere", args{"item": ref.Item}).Guess(r.near(ref.Item))
		r.addWithAbout(o, foundAt(o.doc.Path, ref.Line, ref.Column, s))
	}
}

func (r *reviewer) exists(item string) bool {
	return r.items[item] || r.Published != nil && r.Published(item)
}

// near returns the name, in its folder, that is most similar to that of an item that does not exist.
func (r *reviewer) near(item string) string {
	folder, name, _ := strings.Cut(item, "/")
	var all []string
	for _, f := range r.Items {
		if f.Kind.Folder == folder {
			all = append(all, f.Name)
		}
	}
	return Nearest(name, all)
}

// marks finds marks of items that do not exist, and of items that others refer to.
func (r *reviewer) marks() {
	for i, m := range r.Marks {
		r.referrersOfRemoved(i, m)
		if r.exists(m.Item) || r.isFull(content.LifecycleFile, content.Warning) {
			continue
		}
		s := say("mark", "nowhere", args{"status": m.Status, "item": m.Item}).Guess(r.near(m.Item))
		r.addRoot(content.LifecycleFile, []string{"marks", fmt.Sprint(i), "item"}, content.Warning, s)
	}
}

// scenarios finds scenarios of the settings without a file.
func (r *reviewer) scenarios() {
	if r.Settings == nil {
		return
	}
	for i, name := range r.Settings.Scenarios {
		item := content.Scenarios.Folder + "/" + name
		if r.exists(item) || r.isFull(content.SettingsFile, content.Warning) {
			continue
		}
		s := say("reference", "scenario", args{"scenario": name, "file": content.Scenarios.File(name)})
		r.addRoot(content.SettingsFile, []string{"scenarios", fmt.Sprint(i)}, content.Warning, s.Guess(r.near(item)))
	}
}

// addRoot adds a finding in a root file, which is parsed when its first position is needed.
func (r *reviewer) addRoot(path string, at []string, severity content.Severity, s content.RuleText) {
	doc, read := r.roots[path]
	if !read {
		doc, _ = Parse(path, r.Root[path])
		r.roots[path] = doc
	}
	line, column := doc.Position(at...)
	f := foundAt(path, line, column, s)
	f.Severity = severity
	r.addFinding(f)
}
