package loader

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// stages are the types whose methods the package's manual walks through.
const stages = `listed|past|facts|outcome|published|drafts|review|Loader|Follower|handler`

// walk returns the functions that the package's manual walks through, sorted.
func walk(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	must(t, err)
	_, text, found := strings.Cut(file.Doc.Text(), "# One tag, from its ref to an answer")
	if !found {
		t.Fatal("the manual has no walk")
	}
	text, _, _ = strings.Cut(text, "\n# ")
	named := regexp.MustCompile(`\b(?:`+stages+`)\.\w+`).FindAllString(text, -1)
	slices.Sort(named)
	return slices.Compact(named)
}

// funcName names a function as the manual does.
func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*") + "." + f.Name.Name
}

// The functions that the package's manual walks through are there.
func TestWalkNamesFunctions(t *testing.T) {
	there := map[string]bool{}
	for _, dir := range []string{".", "../cmd/rulestore/internal/follow", "../server"} {
		paths, err := filepath.Glob(dir + "/*.go")
		must(t, err)
		for _, path := range paths {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			must(t, err)
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok {
					there[funcName(f)] = true
				}
			}
		}
	}
	named := walk(t)
	if len(named) < 30 || len(named) > 60 {
		t.Errorf("the walk names %d functions: %v", len(named), named)
	}
	for _, name := range named {
		if !there[name] {
			t.Errorf("the walk names %s, and there is no such method", name)
		}
	}
}

// must ends a test for an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
