package api

import (
	"regexp"
	"slices"
	"testing"
)

var brace = regexp.MustCompile(`\{([a-z_]+)\}`)

// What tells operations apart is said once, and the parameters of a path are those in its
// braces, in their order.
func TestOperations(t *testing.T) {
	ids, names, paths := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, o := range Operations() {
		t.Run(o.ID, func(t *testing.T) {
			if ids[o.ID] || o.Name != "" && names[o.Name] || paths[o.method()+o.Path] {
				t.Errorf("%s, %s or %s %s is there twice", o.ID, o.Name, o.method(), o.Path)
			}
			ids[o.ID], names[o.Name], paths[o.method()+o.Path] = true, true, true
			if o.Title == "" || o.About == "" || o.Tag == "" {
				t.Errorf("nothing is said of it: %q, %q, %q", o.Title, o.About, o.Tag)
			}
			var inPath, declared []string
			for _, m := range brace.FindAllStringSubmatch(o.Path, -1) {
				inPath = append(inPath, m[1])
			}
			for _, p := range o.Params {
				if p.In == "path" {
					declared = append(declared, p.Name)
				}
				if p.About == "" {
					t.Errorf("nothing is said of %s", p.Name)
				}
				if p.In == "query" && !p.Page {
					queried(t, p)
				}
			}
			if !slices.Equal(inPath, declared) {
				t.Errorf("the path %s has the parameters %q", o.Path, declared)
			}
		})
	}
}

// queried checks that a parameter of a query says what the server needs to validate it, and the
// tests to try it.
func queried(t *testing.T, p *Param) {
	t.Helper()
	if p.Example == "" && (p.Type == Text || p.Type == Date || p.Type == DayOrInstant || p.Type == List) {
		t.Errorf("%s needs an Example: it is tried with it, and readers copy it", p.Name)
	}
	if p.Type == Number && (p.Default < p.Least || p.Default > p.Most) {
		t.Errorf("the Default of %s is %d: say one from Least, %d, to Most, %d", p.Name, p.Default, p.Least, p.Most)
	}
	if (p.Length > 0 || p.Many > 0) && p.Type != Text && p.Type != List {
		t.Errorf("%s has a Length or Many, which only a Text and a List have", p.Name)
	}
}
