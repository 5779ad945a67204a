package calc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sources are the package's files, without its tests.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if out[name], err = parser.ParseFile(token.NewFileSet(), name, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestNoFloats: a float loses kopecks where nobody looks. Nothing in the package
// names one, makes one or reads one, and nothing it imports is needed for one.
func TestNoFloats(t *testing.T) {
	forbidden := []string{"float32", "float64", "complex64", "complex128", "ParseFloat", "FormatFloat",
		"AppendFloat", "SetFloat64", "NewFloat", "Float32", "Float64", "Float"}
	for name, file := range sources(t) {
		for _, imported := range file.Imports {
			if path, _ := strconv.Unquote(imported.Path.Value); path == "math" || path == "math/cmplx" {
				t.Errorf("%s imports %s", name, path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if slices.Contains(forbidden, n.Name) {
					t.Errorf("%s uses %s", name, n.Name)
				}
			case *ast.BasicLit:
				if n.Kind == token.FLOAT || n.Kind == token.IMAG {
					t.Errorf("%s has the literal %s", name, n.Value)
				}
			}
			return true
		})
	}
}

// TestKnowsNothing: the engine is handed everything it needs.
func TestKnowsNothing(t *testing.T) {
	for name, file := range sources(t) {
		for _, imported := range file.Imports {
			path, _ := strconv.Unquote(imported.Path.Value)
			if strings.HasPrefix(path, "rulestore/") || path == "os" ||
				strings.HasPrefix(path, "net") || path == "math/rand" {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// TestWarningsHaveWords: each warning has a text with a place for each of its values, and each text its warning.
func TestWarningsHaveWords(t *testing.T) {
	used := map[string]bool{}
	for name, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			selected, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || name == "out.go" || selected.Sel.Name != "Warn" && selected.Sel.Name != "WarnIf" {
				return true
			}
			args := call.Args // the name, the pointer, the values
			if selected.Sel.Name == "WarnIf" {
				args = args[1:]
			}
			literal, ok := args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: the name of a warning is no literal", name)
				return true
			}
			code, _ := strconv.Unquote(literal.Value)
			text, ok := words().Warnings[code]
			places := strings.Count(text, "%s") + strings.Count(text, "%d")
			if used[code] = true; !ok || places != len(args)-2 {
				t.Errorf("%s: %s has %d values for %q", name, code, len(args)-2, text)
			}
			return true
		})
	}
	for code := range words().Warnings {
		if !used[code] {
			t.Errorf("nothing warns of %s", code)
		}
	}
}
