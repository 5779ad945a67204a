package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rulestore/content/i18n"
)

// speaking are the packages whose texts people read.
var speaking = []string{
	"content/change", "content/log", "loader", "loader/author", "loader/gitcmd", "loader/gitrepo", "loader/signers",
	"server/export", "server/verify", "server/mcpserver", "cmd/rulestore",
	"cmd/rulestore/internal/guard", "cmd/rulestore/internal/history", "cmd/rulestore/internal/life",
	"cmd/rulestore/internal/lsp",
	"cmd/rulestore/internal/offer", "cmd/rulestore/internal/publisher", "cmd/rulestore/internal/remote",
	"cmd/rulestore/internal/systemd",
	"cmd/rulestore/internal/tlscert", "cmd/rulestore/internal/webhook", "cmd/rulestore/internal/canary",
}

// halves are those of them that say more to programs than to people: their other errors
// become findings or answers of protocols.
var halves = []string{"loader/signers", "server/mcpserver", "cmd/rulestore/internal/lsp"}

// Whatever people are told there is in Russian, with the same arguments.
func TestEveryTextIsInRussian(t *testing.T) {
	in := map[string]string{}
	for _, c := range catalogues {
		for _, text := range c.Texts {
			if in[text[0]] != "" && in[text[0]] != text[1] {
				t.Errorf("%q has two translations", text[0])
			}
			in[text[0]] = text[1]
		}
		for _, noun := range c.Counts {
			in[noun[0]] = noun[1]
		}
	}
	said := map[string]bool{}
	for _, f := range flagsOf(newRoot(&env{})) {
		said[f.Usage] = true
		if in[f.Usage] == "" {
			t.Errorf("the flag --%s: there is no Russian of %q", f.Name, f.Usage)
		}
	}
	for _, dir := range speaking {
		for _, f := range formatsIn(t, filepath.Join("..", "..", dir)) {
			said[f.text] = true
			switch russian, ok := in[f.text]; {
			case !ok && isWords(f.text):
				t.Errorf("%s: there is no Russian of %q", f.at, f.text)
			case ok && !slices.Equal(verbsOf(f.text), verbsOf(russian)):
				t.Errorf("%s: %q has the verbs %s, its Russian %s", f.at, f.text, verbsOf(f.text), verbsOf(russian))
			case f.args >= 0 && f.args != len(verbsOf(f.text)):
				t.Errorf("%s: %q has %d arguments", f.at, f.text, f.args)
			}
		}
	}
	for english := range in {
		if !said[english] {
			t.Errorf("nobody says %q any more", english)
		}
	}
}

// Every Russian text prints all arguments that its English one takes.
func TestEveryRussianTextPrints(t *testing.T) {
	values := map[string]any{"s": errors.New("a"), "q": "a", "d": 1, "f": 1.5}
	russian := i18n.Russian(catalogues...)
	for _, c := range catalogues {
		for _, text := range c.Texts {
			var args []any
			for _, verb := range verbsOf(text[0]) {
				args = append(args, values[verb])
			}
			if got := russian.Sprintf(text[0], args...); strings.Contains(got, "%!") {
				t.Errorf("%q prints %q in Russian", text[0], got)
			}
		}
	}
}

// flagsOf lists the flags of all commands.
func flagsOf(root *cobra.Command) (all []*pflag.Flag) {
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, f) })
	}
	return all
}

// format is a text in the source.
type format struct {
	at   token.Position
	text string
	args int // -1 if they are not known
}

// formatsIn lists what a package says to people: the formats of the functions of i18n,
// and the values of its own types that have texts. What cannot be known before the
// program runs is a failure.
func formatsIn(t *testing.T, dir string) (all []format) {
	t.Helper()
	set := token.NewFileSet()
	var files []*ast.File
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %d files, %v", dir, len(paths), err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	lenient := types.Config{Importer: nobody{}, Error: func(error) {}, FakeImportC: true}
	_, _ = lenient.Check(dir, set, files, info) // what others declare is not known
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				all = append(all, called(t, set, info, n)...)
			case *ast.CompositeLit:
				all = append(all, nouns(set, n)...)
			}
			return true
		})
	}
	for e, of := range info.Types {
		if name, ok := of.Type.(*types.Named); ok && of.Value != nil && of.Value.Kind() == constant.String &&
			hasTexts[name.Obj().Name()] {
			all = append(all, format{set.Position(e.Pos()), constant.StringVal(of.Value), 0})
		}
	}
	return all
}

// nobody imports nothing, so that a package is understood by itself.
type nobody struct{}

func (nobody) Import(string) (*types.Package, error) { return nil, errors.New("left out") }

// hasTexts are the types of content/change whose values are texts.
var hasTexts = map[string]bool{"Reason": true, "Doubt": true, "Verb": true}

// sayers are the functions with a format, and where that stands among their arguments.
var sayers = map[string]int{
	"i18n.Errorf": 0, "i18n.New": 0, "usageErrorf": 0, "foundErrorf": 0, "v.unseen": 0, "t.unseen": 0,
	"e.printer.Sprintf": 0, "p.Sprintf": 0, "e.printer.Fprintf": 1, "p.Fprintf": 1, "v.printer.Fprintf": 1,
	"q.tongue.say": 0, "t.tongue.say": 0, "r.tongue.say": 0, "s.language().say": 0,
	"t.tongue.refuse": 0, "r.tongue.refuse": 0,
}

func called(t *testing.T, set *token.FileSet, info *types.Info, call *ast.CallExpr) []format {
	i, ok := sayers[types.ExprString(call.Fun)]
	if !ok || len(call.Args) <= i {
		return nil
	}
	at, value := set.Position(call.Pos()), constantOf(info, call.Args[i])
	if name, ok := call.Args[i].(*ast.Ident); ok && name.Name == "format" && call.Ellipsis.IsValid() {
		return nil // in one of the functions themselves
	}
	if value == nil || value.Kind() != constant.String {
		if conversion, ok := call.Args[i].(*ast.CallExpr); !ok || len(conversion.Args) > 1 {
			t.Errorf("%s: the format is not known before the program runs", at)
		}
		return nil
	}
	f := format{at, constant.StringVal(value), len(call.Args) - i - 1}
	if call.Ellipsis.IsValid() {
		f.args = -1
	}
	return []format{f}
}

var verb = regexp.MustCompile(`%[-+# 0]*[0-9]*(?:\.[0-9]+)?(?:\[([0-9]+)\])?[-+# 0]*(?:\.[0-9]+)?([a-zA-Z])`)

// nouns are what a literal of [i18n.Count] counts.
func nouns(set *token.FileSet, lit *ast.CompositeLit) (all []format) {
	if lit.Type == nil || types.ExprString(lit.Type) != "i18n.Count" {
		return nil
	}
	for _, e := range lit.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if noun, isText := field.Value.(*ast.BasicLit); ok && isText && noun.Kind == token.STRING {
			text, _ := strconv.Unquote(noun.Value)
			all = append(all, format{set.Position(lit.Pos()), text, -1})
		}
	}
	return all
}

// constantOf is the value of an expression that is known before the program runs; what
// stands in a table of another package's types is not checked.
func constantOf(info *types.Info, e ast.Expr) constant.Value {
	if lit, ok := e.(*ast.BasicLit); ok {
		return constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
	}
	return info.Types[e].Value
}

// verbsOf lists the verbs of a format, each once, by the number of its argument. %w, %v
// and %s print errors and texts alike.
func verbsOf(text string) (all []string) {
	next := 1
	verbs := map[int]string{}
	for _, m := range verb.FindAllStringSubmatch(strings.ReplaceAll(text, "%%", ""), -1) {
		if m[1] != "" {
			fmt.Sscan(m[1], &next)
		}
		kind := m[2]
		if kind == "w" || kind == "v" {
			kind = "s"
		}
		if verbs[next] == "" {
			verbs[next] = kind
		}
		next++
	}
	for i := 1; i <= len(verbs); i++ {
		all = append(all, verbs[i])
	}
	return all
}

// isWords reports whether a format says anything by itself.
func isWords(text string) bool {
	return strings.ContainsFunc(verb.ReplaceAllString(names.ReplaceAllString(text, ""), ""), unicode.IsLetter)
}

// names are those of code, of flags, and of programs and commands that begin an error.
var names = regexp.MustCompile("`[^`]*`" +
	`|--[a-z-]+|^(rulestore|git|git var|git upload-pack|git pack-objects|git ` +
	`repack|packed-refs|publish|migrate|init|verify|healthcheck)( %s)?:`)

// past are what says things without the catalogue, by the functions in which they stand,
// with the reason.
var past = map[string]string{
	"announce":   "the line that scripts wait for",
	"newVersion": "names and numbers",
	"markdown":   "a comment on a pull request is in English",
	"tables":     "a comment on a pull request is in English",
	"details":    "a comment on a pull request is in English",

	"healthcheck":  "for scripts",
	"gitCommand":   "a command",
	"verifyServer": "it clears the line of the bar of progress",
}

// Nothing is said to people past the catalogue.
func TestNothingIsSaidPastTheCatalogue(t *testing.T) {
	unused := maps.Clone(past)
	for _, dir := range speaking {
		if slices.Contains(halves, dir) {
			continue
		}
		paths, err := filepath.Glob(filepath.Join("..", "..", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if !strings.HasSuffix(path, "_test.go") {
				checkCalls(t, path, dir == "cmd/rulestore", unused)
			}
		}
	}
	for name := range unused {
		t.Errorf("no function %s says anything past the catalogue", name)
	}
}

// checkCalls looks at the errors that a file makes and, of a command, at what it prints, and
// removes from unused the exceptions that it comes upon.
func checkCalls(t *testing.T, path string, prints bool, unused map[string]string) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		fn, _ := d.(*ast.FuncDecl)
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := types.ExprString(call.Fun)
			isError := name == "fmt.Errorf" || name == "errors.New"
			if !isError && !(prints && strings.HasPrefix(name, "fmt.")) {
				return true
			}
			for _, a := range call.Args {
				lit, ok := a.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING || !isWords(literal(lit)) {
					continue
				}
				if fn != nil && past[fn.Name.Name] != "" {
					delete(unused, fn.Name.Name)
				} else {
					t.Errorf("%s: %s says %s past the catalogue: use content/i18n",
						set.Position(call.Pos()), name, lit.Value)
				}
			}
			return true
		})
	}
}

func literal(lit *ast.BasicLit) string {
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return text
}
