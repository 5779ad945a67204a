package calc

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	toolsHead = "// # Tools\n//\n"
	toolsLead = `// Microseconds on one core from JSON to JSON, and objects allocated: of the first
// example, and of the most expensive request that a search finds (worst_test.go). go test
// -run TestToolTable -measure measures again.
//
`
)

var measure = flag.Bool("measure", false, "measure the tools and write the table in doc.go")

// The table of tools in the package documentation lists the registry, and what it
// says of allocations is so. -measure writes it.
func TestToolTable(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	manual, _, ok := bytes.Cut(doc, []byte(toolsHead))
	if !ok {
		t.Fatal("doc.go has no table of tools")
	}
	if *measure {
		doc = []byte(string(manual) + toolsHead + toolsLead + toolTable() + "package calc\n")
		if err := os.WriteFile("doc.go", doc, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, table, _ := bytes.Cut(doc, []byte(toolsHead+toolsLead))
	rows := tableRow.FindAllStringSubmatch(string(table), -1)
	if len(rows) != len(all()) {
		t.Fatalf("%d rows for %d tools", len(rows), len(all()))
	}
	for i, tool := range all() {
		row := rows[i]
		if row[1] != tool.ID || row[2] != tool.Version || row[3] != tool.Release {
			t.Errorf("%v, expected %s %s %s", row[1:4], tool.ID, tool.Version, tool.Release)
		}
		said, _ := strconv.ParseFloat(row[4], 64)
		is := testing.AllocsPerRun(10, func() { ran(tool, tool.Examples[0].Request) })
		if math.Abs(is-said) > 0.25*said {
			t.Errorf("%s: %v objects, the table says %v", tool.ID, is, said)
		}
	}
}

var tableRow = regexp.MustCompile(`//\t([a-z0-9_]+) +([0-9.]+) +([0-9.]+) +[0-9.]+ +(\d+) +[0-9.]+ +\d+\n`)

func toolTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "//\t%-32s %-8s %-8s %8s %8s %8s %8s\n", "tool", "version", "release", "example",
		"objects", "dearest", "objects")
	for i, tool := range all() {
		example, worst := tool.Examples[0].Request, worst()[i]
		fmt.Fprintf(&b, "//\t%-32s %-8s %-8s %8s %8.0f %8s %8d\n", tool.ID, tool.Version, tool.Release,
			measured(tool, example), testing.AllocsPerRun(10, func() { ran(tool, example) }),
			measured(tool, worst.request), worst.dearest.objects)
	}
	return b.String()
}

func ran(tool *Tool, request string) {
	a, err := tool.Calculate([]byte(request), testFacts)
	if err != nil {
		panic(err)
	}
	a.JSON()
}

// measured is the least time of many runs, which the load of the machine touches
// least.
func measured(tool *Tool, request string) string {
	runtime.GC()
	least := time.Hour
	for start := time.Now(); time.Since(start) < 200*time.Millisecond; {
		before := time.Now()
		ran(tool, request)
		least = min(least, time.Since(before))
	}
	return fmt.Sprintf("%.1f", float64(least.Nanoseconds())/1000)
}
