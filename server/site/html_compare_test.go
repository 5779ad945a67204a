package site

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"rulestore/content/change"
)

// Whatever content/change says a person should look at, a page says in Russian.
func TestDoubtsAreTranslated(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../../content/change/look.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(f, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || !isDoubt(spec) {
			return true
		}
		for _, v := range spec.Values {
			text, err := strconv.Unquote(v.(*ast.BasicLit).Value)
			if n++; err != nil || !strings.ContainsFunc(doubts[change.Doubt(text)], func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) }) {
				t.Errorf("%q is not translated", text)
			}
		}
		return true
	})
	if n < 7 {
		t.Errorf("only %d doubts were found", n)
	}
}

func isDoubt(v *ast.ValueSpec) bool {
	name, ok := v.Type.(*ast.Ident)
	return ok && name.Name == "Doubt"
}

func TestLookAt(t *testing.T) {
	got := lookAt(change.Looks{{Doubt: change.Numbers, Came: []string{"15"}}, {Doubt: change.Rewritten}})
	if want := "Числа отличаются: — → 15. Другие почти все слова: требуется ли по-прежнему то же самое?"; got != want {
		t.Errorf("got %s", got)
	}
}
