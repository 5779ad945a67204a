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

// The functions that the package's manual walks through are there.
func TestWalkNamesFunctions(t *testing.T) {
	var paths []string
	for _, dir := range []string{".", "../cmd/rulestore/internal/follow", "../server"} {
		found, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	methods, manual := map[string]bool{}, ""
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if path == "doc.go" {
			manual = file.Doc.Text()
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*")+"."+f.Name.Name] = true
			}
		}
	}
	_, walk, found := strings.Cut(manual, "# One tag, from its ref to an answer")
	walk, _, _ = strings.Cut(walk, "\n# ")
	named := regexp.MustCompile(`\b(?:build|outcome|candidates|Loader|Follower|handler)\.\w+`).FindAllString(walk, -1)
	slices.Sort(named)
	if named = slices.Compact(named); !found || len(named) < 30 || len(named) > 60 {
		t.Fatalf("the walk names %d functions: %v", len(named), named)
	}
	for _, name := range named {
		if !methods[name] {
			t.Errorf("the walk names %s, and there is no such method", name)
		}
	}
}
