// Faults reads the output of `go test -json` on standard input and prints a table: a row for each
// test, with the result, the time, and what the test reports, or its number of cases. The output
// of failed tests follows the table, and then the exit code is 1.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

func main() {
	failed, err := tabulate(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
	}
	if failed || err != nil {
		os.Exit(1)
	}
}

// event is a line of `go test -json`.
type event struct {
	Action, Package, Test, Output string
	ImportPath                    string  // in place of the package, of a build
	Elapsed                       float64 // seconds
}

// tried is a test and what came of it.
type tried struct {
	name          string
	result        string
	seconds       float64
	cases, passed int
	seen          string   // the last thing that it said
	output        []string // all of it, and of its cases
}

// said is what a test logs: the place and the text.
var said = regexp.MustCompile(`^\s+\w+_test\.go:\d+: (.*)`)

// tabulate reads events and prints the rows as the tests end.
func tabulate(in io.Reader, out io.Writer) (failed bool, err error) {
	fmt.Fprintln(out, "| fault | result | seconds | seen |\n|---|---|---|---|")
	tests, broken := map[string]*tried{}, []*tried{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return true, fmt.Errorf("%w in %q", err, lines.Text())
		}
		e.Package = cmp.Or(e.Package, strings.TrimSuffix(e.ImportPath, ".test"))
		name, one, _ := strings.Cut(e.Test, "/")
		key := e.Package + " " + name
		if tests[key] == nil {
			tests[key] = &tried{name: cmp.Or(name, e.Package)}
		}
		t := tests[key]
		t.hear(e, one != "")
		if t.result == "" || one != "" {
			continue
		}
		if t.result == "fail" {
			broken = append(broken, t)
		}
		if name != "" {
			fmt.Fprintln(out, t.row())
		}
	}
	for _, t := range broken {
		fmt.Fprintf(out, "\n%s\n%s", t.name, strings.Join(t.output, ""))
	}
	return len(broken) > 0, lines.Err()
}

// hear records the event of a test, or of one of its cases.
func (t *tried) hear(e event, isCase bool) {
	switch e.Action {
	case "output", "build-output":
		t.output = append(t.output, e.Output)
		if m := said.FindStringSubmatch(e.Output); m != nil && !isCase {
			t.seen = m[1]
		}
	case "pass", "fail", "skip":
		if isCase {
			t.cases++
			if e.Action == "pass" {
				t.passed++
			}
			return
		}
		t.result, t.seconds = e.Action, e.Elapsed
	}
}

// row is the line of a test.
func (t *tried) row() string {
	seen := t.seen
	if t.cases > 0 {
		seen = strings.TrimSpace(fmt.Sprintf("%d of %d cases %s", t.passed, t.cases, seen))
	}
	name := strings.TrimPrefix(strings.TrimPrefix(t.name, "Test"), "Fault")
	return fmt.Sprintf("| %s | %s | %.1f | %s |", name, t.result, t.seconds, strings.ReplaceAll(seen, "|", "\\|"))
}
