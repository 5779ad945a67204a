//go:build slow

package loader

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maxFunctions is the maximum number of functions that the look at one added tag runs: of this package, and of it
// with those below it. Whoever follows a tag through the program has to read so many; they may only become fewer.
var maxFunctions = struct{ own, all int }{97, 222}

// unlessAsked are functions of the walk that a tag alone does not need.
var unlessAsked = []string{
	"drafts.read", "facts.agreeing", "facts.release", "facts.resolveSealed", "listed.verifyTag",
}

// One added tag runs few functions, and those that the package's manual walks through: the difference between what
// [TestAddedTag] runs with and without the look at it.
func TestFunctionsOfOneTag(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "loader.test")
	build := exec.Command("go", "test", "-c", "-covermode=atomic", "-coverpkg=rulestore/loader/...", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	count := func(env string) map[string]int {
		profile := filepath.Join(dir, "profile")
		run := exec.Command(program, "-test.run=^TestAddedTag$", "-test.coverprofile="+profile)
		run.Env = append(os.Environ(), env)
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return profiled(t, profile)
	}
	without, with := count("RULESTORE_TEST_WITHOUT_LOOK=1"), count("RULESTORE_TEST_WITHOUT_LOOK=")
	own, all := map[string]bool{}, 0
	for name, n := range with {
		if n <= without[name] {
			continue
		}
		all++
		if file, name, _ := strings.Cut(name, " "); !strings.Contains(file, "/") {
			own[name] = true
		}
	}
	if len(own) > maxFunctions.own || all > maxFunctions.all {
		t.Errorf("%d functions, %d of this package: %v", all, len(own), slices.Sorted(maps.Keys(own)))
	}
	t.Logf("%d functions, %d of this package", all, len(own))
	for _, name := range walk(t) {
		outside := strings.HasPrefix(name, "Follower.") || strings.HasPrefix(name, "handler.")
		if !outside && own[name] == slices.Contains(unlessAsked, name) {
			t.Errorf("%s runs: %v", name, own[name])
		}
	}
}

// profiled returns how often the functions in a profile were run, by "<file> <name>".
func profiled(t *testing.T, path string) map[string]int {
	t.Helper()
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	runs, funcs := map[string]int{}, map[string][]function{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), "rulestore/loader/")
		if !ok {
			continue // the mode
		}
		path, rest, _ := strings.Cut(rest, ":")
		var line, column, n int
		if _, err := fmt.Sscanf(rest, "%d.%d,", &line, &column); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscan(rest[strings.LastIndexByte(rest, ' ')+1:], &n); err != nil {
			t.Fatal(err)
		}
		if funcs[path] == nil {
			funcs[path] = functionsOf(t, path)
		}
		i, _ := slices.BinarySearchFunc(funcs[path], line+1, func(f function, line int) int {
			return cmp.Compare(f.line, line)
		})
		if i > 0 { // else it is the value of a variable
			runs[path+" "+funcs[path][i-1].name] += n
		}
	}
	return runs
}

// function is where a function begins.
type function struct {
	line int
	name string
}

// functionsOf returns the functions of a file, in their order.
func functionsOf(t *testing.T, path string) (all []function) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, 0)
	must(t, err)
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			all = append(all, function{files.Position(f.Pos()).Line, funcName(f)})
		}
	}
	return all
}
