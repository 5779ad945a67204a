package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const printed = `goos: linux
cpu: Some Processor
BenchmarkOverhead/200-2         	      12	     36732 bare-cpu-ns/request	     36201 cpu-ns/request	         0.9855 x-bare
BenchmarkStart-2                	      20	         0 ns/op	       412.5 ms-median
Benchmark360Rows/loan_payment-2 	    2000	    612345 ns/op	  123 B/op	  4 allocs/op
PASS
ok  	rulestore/server	1.2s
`

const before, after = "# Report\n\n" + begin, end + "\nThe end.\n"

func TestRefresh(t *testing.T) {
	path := filepath.Join(t.TempDir(), "BENCHMARKS.md")
	if err := os.WriteFile(path, []byte(before+"| old |\n"+after), 0o600); err != nil {
		t.Fatal(err)
	}
	want := before + `| Benchmark | Figures | Budget | |
|---|---|---|---|
| Overhead/200 | 36732 bare-cpu-ns/request, 36201 cpu-ns/request, 0.99 x-bare | 1.00 x-bare | kept |
| Start | 412 ms-median | 200 ms-median | **missed** |
| 360Rows/loan_payment | 612345 ns/op | 1000000 ns/op | kept |

Processor: Some Processor.
` + after
	for range 2 { // what it wrote it can write again
		if err := refresh(path, strings.NewReader(printed), io.Discard); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	}
	for name, in := range map[string]string{
		"nothing measured": "PASS\n",
		"a failure":        printed + "--- FAIL: BenchmarkMemory\nFAIL\n",
	} {
		if err := refresh(path, strings.NewReader(in), io.Discard); err == nil {
			t.Errorf("%s: no error", name)
		}
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Errorf("%s: the file changed", name)
		}
	}
}

// On one processor go test writes no number of processors behind the names: one that
// ends a name is its own.
func TestNames(t *testing.T) {
	for name, c := range map[string]struct{ printed, want string }{
		"two processors": {"Flat/item-of-20-2 9 1 ns/op\nFlat/item-of-50000-2 9 1 ns/op\nStart-2 9 1 ns/op\n",
			"Flat/item-of-20 Flat/item-of-50000 Start"},
		"one processor": {"Flat/item-of-20 9 1 ns/op\nFlat/item-of-50000 9 1 ns/op\nStart 9 1 ns/op\n",
			"Flat/item-of-20 Flat/item-of-50000 Start"},
		"one, and few": {"Flat/item-of-20 9 1 ns/op\nFlat/item-of-50000 9 1 ns/op\n",
			"Flat/item-of-20 Flat/item-of-50000"},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := read(strings.NewReader("Benchmark" + strings.ReplaceAll(strings.TrimSpace(c.printed), "\n",
				"\nBenchmark")))
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for line := range strings.Lines(table) {
				if cells := strings.Split(line, " | "); len(cells) > 3 && cells[1] == "1.00 ns/op" {
					names = append(names, strings.TrimPrefix(cells[0], "| "))
				}
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("%s: %s", name, got)
			}
		})
	}
}

func TestRefreshWithoutMarkers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "BENCHMARKS.md")
	for _, text := range []string{"", begin, end, end + begin} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := refresh(path, strings.NewReader(printed), io.Discard); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// The tests that guard shortcuts are those that there are.
func TestGuards(t *testing.T) {
	const root = "../.."
	report, err := os.ReadFile(root + "/server/BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		tests.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(report), "\n## Shortcuts")
	names := regexp.MustCompile(`(Test|Fuzz)[A-Z]\w+`).FindAllString(table, -1)
	if len(names) < 20 {
		t.Errorf("only %d tests are named", len(names))
	}
	for _, name := range names {
		if !strings.Contains(tests.String(), "\nfunc "+name+"(") {
			t.Errorf("there is no %s", name)
		}
	}
}
