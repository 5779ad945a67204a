package loader_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/check"
)

// Whatever the program can say is wrong it can say in Russian. What quotes the error
// of somebody else is left out.
func TestEverySentenceIsTranslated(t *testing.T) {
	n := 0
	for _, dir := range []string{".", "../content/check", "../schemas"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, f := range said(t, file) {
				n++
				if message, _ := check.Russian(f); strings.HasSuffix(message, ": "+f.Message) {
					t.Errorf("%s: [%s] %q: no translation", file, f.Rule, f.Message)
				}
			}
		}
	}
	if n < 80 {
		t.Errorf("only %d sentences were found", n)
	}
}

// said collects the findings that a file makes of literal texts, with x in place of
// each value.
func said(t *testing.T, file string) (all []content.Finding) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	take := func(list []ast.Expr) {
		for i, e := range list {
			lit, ok := e.(*ast.BasicLit)
			if !ok || !ruleID.MatchString(lit.Value) {
				continue
			}
			rest := slices.DeleteFunc(slices.Clone(list[i+1:]), func(e ast.Expr) bool { return slices.Contains([]string{"Error", "Warning", "Note"}, nameOf(e)) })
			if message := sentence(rest[0]); strings.Trim(message, "x ") != "" {
				all = append(all, content.Finding{Rule: strings.Trim(lit.Value, `"`), Message: message})
			}
			return
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if slices.Contains(makers, nameOf(n.Fun)) {
				take(n.Args)
			}
		case *ast.ReturnStmt:
			take(n.Results)
		}
		return true
	})
	return all
}

var verb = regexp.MustCompile(`%(\[\d\])?[a-z]|%04X`)

// sentence is what an expression says, as far as it is literal.
func sentence(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return s
		}
	case *ast.BinaryExpr:
		return sentence(e.X) + sentence(e.Y)
	case *ast.CallExpr:
		if nameOf(e.Fun) == "Sprintf" {
			format := strings.ReplaceAll(sentence(e.Args[0]), "%q", `"x"`)
			return verb.ReplaceAllString(format, "x")
		}
	}
	return "x"
}
