// Command bench reads the output of go test -bench, and writes the figures into
// the table of server/BENCHMARKS.md, between its markers. Rows that were not measured
// this time are removed from the table: all of it is of one run on one machine.
//
//	go test -bench . ./... | go run ./scripts/bench server/BENCHMARKS.md
//
// It also copies its input to its output, so that the progress is visible.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

const (
	begin = "<!-- measured: begin -->\n"
	end   = "<!-- measured: end -->\n"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go test -bench . ./... | bench FILE")
		os.Exit(2)
	}
	if err := refresh(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// refresh writes a table of what was measured into the file.
func refresh(path string, in io.Reader, out io.Writer) error {
	table, err := read(io.TeeReader(in, out))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	replaced, err := replace(string(text), table)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	fmt.Fprint(out, "\n", table)
	return os.WriteFile(path, []byte(replaced), 0o644)
}

// replace puts a table between the markers of a text.
func replace(text, table string) (string, error) {
	before, rest, ok := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf(
			"there is no place for the table: write the lines %q and %q", strings.TrimSpace(begin),
			strings.TrimSpace(end),
		)
	}
	return before + begin + table + end + after, nil
}

// result is a line such as "BenchmarkStart-2   20   0 ns/op   123.4 ms-median".
var result = regexp.MustCompile(`^Benchmark(\S+)\s+\d+\s+(.*)$`)

// measured is what such a line says.
type measured struct {
	name  string
	pairs []string // of a number and its unit
}

// read turns the output of benchmarks into a table: a row for each figure, with
// its budget if it has one. A benchmark that fails fails the whole.
func read(in io.Reader) (string, error) {
	var all []measured
	place := ""
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := lines.Text()
		if cpu, ok := strings.CutPrefix(line, "cpu: "); ok {
			place = cpu
		}
		if strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL") {
			return "", errors.New("a benchmark failed, the table stays as it was")
		}
		if m := result.FindStringSubmatch(line); m != nil {
			all = append(all, measured{m[1], strings.Fields(m[2])})
		}
	}
	if err := lines.Err(); err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", errors.New("nothing was measured, the table stays as it was")
	}
	var b strings.Builder
	b.WriteString("| Benchmark | Figures | Budget | |\n|---|---|---|---|\n")
	cpus := processors(all)
	for _, m := range all {
		b.WriteString(row(strings.TrimSuffix(m.name, cpus), m.pairs))
	}
	return b.String() + "\nProcessor: " + cmp.Or(place, "unknown") + ".\n", nil
}

// ending is a number at the end of a name.
var ending = regexp.MustCompile(`-\d+$`)

// processors returns what go test adds to the names: the number of processors, if
// there are several. A number that not all names end with belongs to a name.
func processors(all []measured) string {
	cpus := ending.FindString(all[0].name)
	for _, m := range all {
		if !strings.HasSuffix(m.name, cpus) {
			return ""
		}
	}
	return cpus
}

// row is a line of the table: the figures of a benchmark, given as pairs of a
// number and its unit, and whether they keep its budget.
func row(name string, pairs []string) string {
	var figures, most, verdicts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		n, err := strconv.ParseFloat(pairs[i], 64)
		unit := pairs[i+1]
		// 0: it has figures of its own
		if err != nil || unit == "B/op" || unit == "allocs/op" || unit == "ns/op" && n == 0 {
			continue
		}
		figures = append(figures, number(n)+" "+unit)
		if m, ok := budgetOf(name, unit); ok {
			most = append(most, number(m)+" "+unit)
			verdicts = append(verdicts, verdict(n <= m))
		}
	}
	return fmt.Sprintf(
		"| %s | %s | %s | %s |\n", name, strings.Join(figures, ", "), strings.Join(most, ", "),
		strings.Join(verdicts, ", "),
	)
}

func verdict(kept bool) string {
	if kept {
		return "kept"
	}
	return "**missed**"
}

// number writes a figure as people read it.
func number(n float64) string {
	switch {
	case n >= 100:
		return strconv.FormatFloat(n, 'f', 0, 64)
	case n >= 10:
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	return strconv.FormatFloat(n, 'f', 2, 64)
}
