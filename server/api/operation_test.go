package api

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/schemas"
)

var brace = regexp.MustCompile(`\{([a-z_]+)\}`)

// What tells operations apart is said once, and the parameters of a path are those in its
// braces, in their order.
func TestOperations(t *testing.T) {
	ids, names, paths := map[string]bool{}, map[string]bool{}, map[string]bool{}
	doc, err := describe(content.Kinds, schemas.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range Operations() {
		t.Run(o.ID, func(t *testing.T) {
			if ids[o.ID] || o.Name != "" && names[o.Name] || paths[o.method()+o.Path] {
				t.Errorf("%s, %s or %s %s is there twice", o.ID, o.Name, o.method(), o.Path)
			}
			ids[o.ID], names[o.Name], paths[o.method()+o.Path] = true, true, true
			said := inside(doc, "paths", o.Path, strings.ToLower(o.method()))
			if !o.Undescribed && (said.Text("summary") == "" || said.Text("description") == "" || said.Get("tags") == nil) {
				t.Errorf("nothing is said of it: %s", said.AppendJSON(nil))
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
				if p.In == "query" {
					queried(t, p)
				}
			}
			if !slices.Equal(inPath, declared) {
				t.Errorf("the path %s has the parameters %q", o.Path, declared)
			}
		})
	}
}

// Every path in paths.go is that of an operation, or the beginning or another part of some: it is written twice, for
// what the compiler reads and for what operations.yaml says.
func TestPaths(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "paths.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("api", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	inside := map[string]bool{
		"SkillIndex": true, "ProofSuffix": true, "PeriodsSuffix": true, "ItemPattern": true, "VersionPattern": true,
	}
	for _, name := range pkg.Scope().Names() {
		path := constant.StringVal(pkg.Scope().Lookup(name).(*types.Const).Val())
		if !slices.ContainsFunc(Operations(), func(o *Operation) bool {
			return inside[name] && strings.Contains(o.Path, path) || strings.HasPrefix(o.Path, path)
		}) {
			t.Errorf("%s is %s, and no operation has that", name, path)
		}
	}
}

// queried checks that a parameter of a query says what the server needs to validate it, and the
// tests to try it.
func queried(t *testing.T, p *Param) {
	t.Helper()
	if p.Example == "" && (p.Type == Text || p.Type == Date || p.Type == DayOrInstant || p.Type == List) {
		t.Errorf("%s needs an Example: it is tried with it, and readers copy it", p.Name)
	}
	if p.Type == Number && (p.Default < p.Least && p != Shared("ListLimit") && p.Answers == nil || p.Default > p.Most) {
		t.Errorf("the Default of %s is %d: say one from Least, %d, to Most, %d", p.Name, p.Default, p.Least, p.Most)
	}
	if (p.Length > 0 || p.Many > 0) && p.Type != Text && p.Type != List {
		t.Errorf("%s has a Length or Many, which only a Text and a List have", p.Name)
	}
}

// What is wrong with values of each type, at the ends of what is allowed.
func TestCheck(t *testing.T) {
	text, list := Param{Type: Text, Length: 3}, Param{Type: List, Length: 3, Many: 2}
	number, word := Param{Type: Number, Least: 2, Most: 5}, Param{Type: Word, Values: []string{"a", "b"}}
	for _, c := range []struct {
		p      Param
		values string // separated by commas
		want   string // codes
	}{
		{text, "три", ""}, {text, "пять!", "too_long"}, {text, " ", "empty_value"}, {Param{Type: Text}, "any length", ""},
		{list, "a,b", ""}, {list, "a,b,c", "too_many"}, {list, "four,", "too_long empty_value"},
		{number, "2,5", ""}, {number, "1,6,x,", "out_of_range out_of_range out_of_range out_of_range"},
		{word, "a,b", ""}, {word, "c", "unknown_value"}, {Param{Type: Word}, "c", ""},
		{Param{Type: Switch}, "true,false", ""}, {Param{Type: Switch}, "1", "unknown_value"},
		{Param{Type: Date}, "2026-05-01", ""}, {Param{Type: Date}, "2026-02-30,2026-05-01T00:00:00Z", "no_date no_date"},
		{Param{Type: DayOrInstant}, "2026-05-01,2026-05-01T12:20:00+03:00", ""},
		{Param{Type: DayOrInstant}, "2026-05-01T12:20", "no_date"},
	} {
		var codes []string
		for _, f := range c.p.Check(strings.Split(c.values, ",")...) {
			codes = append(codes, f.Code)
		}
		if got := strings.Join(codes, " "); got != c.want {
			t.Errorf("%s %q: %q, expected %q", c.p.Type, c.values, got, c.want)
		}
	}
}
