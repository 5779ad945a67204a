package site

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/content/check"
)

// manuscript is a file with a finding at a field of it.
func manuscript(p *content.Publication, message string, pointer ...string) *content.Manuscript {
	f := content.Finding{Path: p.Kind.File(p.Name), Line: 3, Column: 1, Rule: "none",
		Severity: content.Error, Message: message}
	return &content.Manuscript{
		Path: f.Path, Kind: p.Kind, Name: p.Name, Blob: p.Blob, Body: p.Body(),
		Remarks: []content.Remark{{Finding: f, Pointer: pointer}},
	}
}

// preview makes a site for an author.
func preview(prev *Site, p *content.Publication, m ...*content.Manuscript) *Site {
	in := input(p)
	in.Drafts, in.Manuscripts = true, m
	return Build(prev, content.NewSnapshot(in), config)
}

// A page is made anew when something else is said of its text, and only then.
func TestRemarksOfTheSameText(t *testing.T) {
	p := madeUp(1, 0)
	p.Blob = "b1"
	path := p.Kind.ItemPath(p.Name)
	first := preview(nil, p, manuscript(p, "Сначала это.", "summary"))
	body := pageAt(t, first, path)
	if !strings.Contains(body, `<div class="remark error" role="note" id="f-1">`) ||
		!strings.Contains(body, `<a href="#f-1">Сначала это.</a>`) {
		t.Errorf("no remark in\n%s", body)
	}
	same := preview(first, p, manuscript(p, "Сначала это.", "summary"))
	if same.Lookup(path).Representations[0] != first.Lookup(path).Representations[0] ||
		same.entries[p] != first.entries[p] {
		t.Error("the page is made anew")
	}
	other := preview(same, p, manuscript(p, "Теперь другое.", "summary"))
	if body := pageAt(t, other, path); strings.Contains(body, "Сначала это.") ||
		!strings.Contains(body, "Теперь другое.") {
		t.Error("the page says what was said before")
	}
	if other.Lookup(path).Representations[0] != first.Lookup(path).Representations[0] {
		t.Error("what programs read is made anew")
	}
	if body := pageAt(t, preview(other, p), path); strings.Contains(body, "found-title") {
		t.Error("what was mended is still there")
	}
}

// A file that no version is the text of has a page of its own, which programs do
// not see, and the version that is served says nothing of it.
func TestManuscriptThatIsNotServed(t *testing.T) {
	p := madeUp(1, 0)
	p.Blob = "b1"
	m := manuscript(p, "Не отдать.", "summary")
	m.Blob = "b2"
	path := p.Kind.ItemPath(p.Name)
	s := preview(nil, p, m)
	if body := pageAt(t, s, path); strings.Contains(body, "Не отдать.") {
		t.Error("what is served is said to be wrong")
	}
	if body := html(t, s, s.Preview(path)); !strings.Contains(body, "Не отдать.") ||
		!strings.Contains(body, `href="`+path+`/versions/1.0.0"`) {
		t.Errorf("the author sees\n%s", body)
	}
	m.Blob = "" // the file is gone: that is said of what goes on being served
	if s := preview(nil, p, m); s.Preview(path) != nil || !strings.Contains(pageAt(t, s, path), "Не отдать.") {
		t.Error("nobody says that the file is gone")
	}
	m.Kind, m.Name = content.Registries, "unheard-of" // of a kind that has no such format
	s = preview(nil, p, m)
	if body := html(t, s, s.Preview("/api/v1/registries/unheard-of")); !strings.Contains(body,
		"Не отдать.") {
		t.Errorf("the author sees\n%s", body)
	}
}

// Whatever is wrong with a file, it has a page.
func TestEveryBrokenFileHasAPage(t *testing.T) {
	files, err := filepath.Glob("../../content/check/testdata/items/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	before := preview(nil, madeUp(1, 0))
	for n, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(raw).Files {
			k := []*content.Kind{content.Guidelines, content.Scenarios, content.Registries}[n%3]
			r := check.Open(config.Schemas, k, "taxonomy", f.Data)
			m := &content.Manuscript{Path: k.File("taxonomy"), Kind: k, Name: "taxonomy", Blob: "b", Body: r.Body,
				Passage: content.PassageAt(f.Data, 1, 3)}
			for _, found := range append(r.Findings, r.Style...) {
				m.Remarks = append(m.Remarks, content.Remark{Finding: found,
					Pointer: r.Pointer(found.Line, found.Column)})
			}
			s := preview(before, madeUp(1, 0), m)
			body := html(t, s, s.Preview(k.ItemPath("taxonomy")))
			if shown := strings.Count(body, `id="f-`); shown != len(m.Remarks) {
				t.Errorf("%s, %s: %d of %d remarks are shown", file, f.Name, shown, len(m.Remarks))
			}
		}
	}
}

// The first page leads to files with errors first, and to no more than a person
// reads.
func TestManuscriptsOfTheFirstPage(t *testing.T) {
	var all []*content.Manuscript
	for i := range 60 {
		m := manuscript(madeUp(i, 0), "Так.")
		if i < 59 {
			m.Remarks[0].Severity = content.Note
		}
		all = append(all, m)
	}
	body := pageAt(t, preview(nil, madeUp(1, 0), all...), "/")
	if strings.Count(body, `.yaml</code>`) != maxManuscripts || !strings.Contains(body, "и ещё 10\u00A0файлов") ||
		!strings.Contains(body, "number-59.001.yaml") {
		t.Errorf("the first page is\n%s", body)
	}
}
