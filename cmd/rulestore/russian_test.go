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

// speaking are the packages whose texts authors read.
var speaking = []string{
	"content/change", "loader", "loader/author", "loader/git", "loader/signers", "loader/worktree",
	"cmd/rulestore", "cmd/rulestore/internal/lsp",
}

// halves are those of them that say more to programs than to people: their other errors
// become findings or answers of protocols.
var halves = []string{"loader/signers", "cmd/rulestore/internal/lsp"}

// spoken lists the files of a package whose texts authors read: of the commands, those of authors and what all share.
func spoken(t *testing.T, dir string) (files []string) {
	t.Helper()
	patterns := []string{"*"}
	if dir == "cmd/rulestore" {
		patterns = strings.Fields(`change explain flags help init* language lsp mark new output page publish render run
			status tests validate`)
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join("..", "..", dir, pattern+".go"))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s in %s: %d files, %v", pattern, dir, len(found), err)
		}
		for _, path := range found {
			if !strings.HasSuffix(path, "_test.go") {
				files = append(files, path)
			}
		}
	}
	return files
}

// Whatever people are told there is in Russian, with the same arguments.
func TestEveryTextIsInRussian(t *testing.T) {
	in := map[string]string{}
	for _, c := range catalogues() {
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
	said := map[string]bool{"Additional Commands:": true, "Flags:": true}
	for _, t := range tasks {
		said[t.title] = true
	}
	for _, dir := range speaking {
		for _, f := range formatsIn(t, dir) {
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
	russian := i18n.Russian(catalogues()...)
	for _, c := range catalogues() {
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

// flagsOf lists the flags of the commands of some groups.
func flagsOf(root *cobra.Command, english bool) (all []*pflag.Flag) {
	for _, c := range root.Commands() {
		if english || !isEnglish(c) {
			c.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, f) })
		}
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
	for _, path := range spoken(t, dir) {
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
	"s.say": 0, "p.say": 0, "p.line": 0,
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
	`repack|packed-refs|publish|init|verify|healthcheck)( %s)?:`)

// past are what says things without the catalogue, by the functions in which they stand,
// with the reason.
var past = map[string]string{
	"applyDiff": "of what the program carries",
}

// Nothing is said to people past the catalogue.
func TestNothingIsSaidPastTheCatalogue(t *testing.T) {
	unused := maps.Clone(past)
	for _, dir := range speaking {
		if slices.Contains(halves, dir) {
			continue
		}
		for _, path := range spoken(t, dir) {
			checkCalls(t, path, dir == "cmd/rulestore", unused)
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
