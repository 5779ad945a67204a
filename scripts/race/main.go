// Command race runs the tests that have something for the race detector, in a short run:
// all of the packages that start something beside what they do, and of other packages the
// tests that start something themselves. What a test asks in turn shows no race, also of a
// server, since the sockets put questions and answers in order; it is only slow under the
// detector.
//
//	go run ./scripts/race [PACKAGES]
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	packages := os.Args[1:]
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	if err := run(packages); err != nil {
		fmt.Fprintln(os.Stderr, "race:", err)
		os.Exit(1)
	}
}

func run(patterns []string) error {
	listed, err := list(patterns)
	if err != nil {
		return err
	}
	var paths, names []string
	for _, p := range listed {
		tests, err := p.tests()
		if err != nil {
			return err
		}
		if len(tests) > 0 {
			paths, names = append(paths, p.ImportPath), append(names, tests...)
		}
	}
	if len(names) == 0 {
		return errors.New("no test of these packages starts anything")
	}
	slices.Sort(names)
	run := "^(" + strings.Join(slices.Compact(names), "|") + ")$"
	test := exec.Command("go", append([]string{"test", "-race", "-short", "-timeout", "30m", "-run", run}, paths...)...)
	// A process under the race detector would wait a second before it ends.
	test.Env = append(os.Environ(), "CGO_ENABLED=1", "GORACE=atexit_sleep_ms=0")
	test.Stdout, test.Stderr = os.Stdout, os.Stderr
	return test.Run()
}

// listedPackage is what go list says of a package.
type listedPackage struct {
	Dir, ImportPath                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

func list(patterns []string) (all []listedPackage, err error) {
	const fields = "-json=Dir,ImportPath,GoFiles,TestGoFiles,XTestGoFiles"
	cmd := exec.Command("go", append([]string{"list", fields}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := d.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, p)
	}
}

// tests are the names of the tests of a package in which something runs at once.
func (p listedPackage) tests() (names []string, err error) {
	own, err := p.parse(p.GoFiles)
	if err != nil {
		return nil, err
	}
	files, err := p.parse(slices.Concat(p.TestGoFiles, p.XTestGoFiles))
	if err != nil {
		return nil, err
	}
	whole := slices.ContainsFunc(own, func(f *ast.File) bool { return starts(f) || imports(f, background) })
	declared := declarations(files)
	starting := starters(declared)
	for name := range declared {
		if isTest(name) && (whole || starting[name]) {
			names = append(names, name)
		}
	}
	return names, nil
}

// background is the package that starts what others let run beside them.
const background = `"rulestore/cmd/rulestore/internal/background"`

func imports(f *ast.File, path string) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == path })
}

func (p listedPackage) parse(names []string) (files []*ast.File, err error) {
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") && name != "TestMain" ||
		strings.HasPrefix(name, "Example") || strings.HasPrefix(name, "Fuzz")
}

// method is before the name of a method.
const method = "."

// declarations are what files declare at their top, by name. Methods of the same name, and
// what two packages of tests in one folder call the same, are taken together.
func declarations(files []*ast.File) map[string][]ast.Node {
	all := map[string][]ast.Node{}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					name = method + name
				}
				all[name] = append(all[name], d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok {
						for _, name := range v.Names {
							all[name.Name] = append(all[name.Name], v)
						}
					}
				}
			}
		}
	}
	return all
}

// starters are the names of what starts something, by itself or by what it names.
func starters(declared map[string][]ast.Node) map[string]bool {
	starting := map[string]bool{}
	isStarting := func(n ast.Node) bool { return starts(n) || mentions(n, starting) }
	for grown := true; grown; {
		grown = false
		for name, nodes := range declared {
			if !starting[name] && slices.ContainsFunc(nodes, isStarting) {
				starting[name], grown = true, true
			}
		}
	}
	return starting
}

// libraries are methods of libraries that run something beside their caller. That of a server
// is none, as a test asks it in turn.
var libraries = map[string]bool{"AfterFunc": true, "Go": true, "Parallel": true, "RunParallel": true}

// starts reports whether something runs beside the code that is written there.
func starts(n ast.Node) bool {
	return found(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return true
		case *ast.CallExpr:
			called, ok := n.Fun.(*ast.SelectorExpr)
			return ok && libraries[called.Sel.Name]
		}
		return false
	})
}

// mentions reports whether one of the names is in the code, but for those of its own variables.
func mentions(n ast.Node, names map[string]bool) bool {
	own := variables(n)
	return found(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return names[method+n.Sel.Name]
		case *ast.Ident:
			return names[n.Name] && !own[n.Name]
		}
		return false
	})
}

// variables are the names of a function, of its parameters and of what it declares.
func variables(n ast.Node) map[string]bool {
	own := map[string]bool{}
	add := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			own[id.Name] = true
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name)
		case *ast.Field:
			for _, name := range n.Names {
				add(name)
			}
		case *ast.AssignStmt:
			for _, name := range n.Lhs {
				add(name)
			}
		case *ast.RangeStmt:
			add(n.Key)
			add(n.Value)
		}
		return true
	})
	return own
}

func found(n ast.Node, what func(ast.Node) bool) (yes bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		yes = yes || n != nil && what(n)
		return !yes
	})
	return yes
}
