package starter_test

import (
	"net/url"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/schemas"
)

// maxStep is how many bytes a step has somebody read whatever the case is.
const maxStep = 24_000

// tree reads a version as a tree of sections.
func tree(e *content.Entry) *document.Node {
	folder := content.FormatsOf(schemas.Embedded(), e.Kind, e.Name)
	return document.Read(e.Body(), schemas.Embedded().Schema(folder, e.Body().Text(e.Kind.Format)).Root())
}

// Every instruction says what is read on its steps: sections that are there, and no more at
// once than a model has room for.
func TestStepsNameWhatIsRead(t *testing.T) {
	for _, e := range currents(t, content.Instructions) {
		pointers := 0
		for s := range tree(e).Sections() {
			if size, n := reading(t, e, s); n > 0 {
				pointers += n
				if size > maxStep {
					t.Errorf("%s %s: %d bytes are to be read", e.Tag(), s.Address, size)
				}
			}
		}
		atLeast(t, "pointers of "+e.Name, pointers, 5)
	}
}

// reading adds up what is read for a step in every case, and counts what it names.
func reading(t *testing.T, e *content.Entry, step document.Section) (size, pointers int) {
	t.Helper()
	for i := range step.Kids {
		list := &step.Kids[i]
		for j := range list.Kids {
			p, ok := list.Kids[j].Pointer()
			if !ok {
				continue
			}
			pointers++
			of := e
			if folder, name, ok := strings.Cut(p.Item, "/"); ok {
				of = snapshot(t).Item(content.KindOf(folder), name).Current
			}
			root := tree(of)
			for _, address := range p.Sections {
				n := root.At(address)
				if n == nil {
					t.Errorf("%s %s: %s has no section %s", e.Tag(), step.Address, of.Item(), address)
				} else if p.When == "" {
					size += len(n.Raw)
				}
			}
		}
	}
	return size, pointers
}

// A source is a page that says what is claimed, not the site that it is somewhere on.
func TestSourcesLeadToPages(t *testing.T) {
	found := 0
	for _, e := range currents(t) {
		sources := tree(e).Member("sources")
		if sources == nil {
			continue
		}
		for i := range sources.Kids {
			at := sources.Kids[i].Member("url")
			if at == nil {
				continue
			}
			found++
			if u, err := url.Parse(at.Text); err != nil || strings.Trim(u.Path, "/") == "" && u.RawQuery == "" {
				t.Errorf("%s: %s is the front of a site", e.Tag(), at.Text)
			}
		}
	}
	atLeast(t, "sources", found, 200)
}
