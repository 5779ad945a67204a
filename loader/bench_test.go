package loader_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// generated is a repository made by scripts/generate.
type generated struct {
	dir   string
	specs []string // <commit>:<path> of every tag, newest first
}

func generate(tb testing.TB, publications, files int, options ...string) generated {
	tb.Helper()
	g := generated{dir: tb.TempDir()}
	run := func(name string, args ...string) string {
		tb.Helper()
		cmd := exec.Command(name, args...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			tb.Fatalf("%s: %v\n%s", cmd, err, out)
		}
		return string(out)
	}
	args := []string{"run", "rulestore/scripts/generate", "-publications", strconv.Itoa(publications),
		"-files", strconv.Itoa(files)}
	run("go", append(append(args, options...), g.dir)...)
	for line := range strings.Lines(run("git", "-C", g.dir, "for-each-ref", "--sort=-creatordate",
		"--format=%(*objectname) %(refname:short)", "refs/tags")) {
		commit, tag, _ := strings.Cut(strings.TrimSpace(line), " ")
		t, err := content.ParseTag(tag)
		must(tb, err)
		g.specs = append(g.specs, commit+":"+t.Kind.File(t.Name))
	}
	return g
}

// A cold load, until there is a snapshot to serve, against the least that any reader
// of git must do: git cat-file --batch, fed the file of every tag, newest first. The
// ratio is what counts. all-ms is the time until every text was read, too.
func BenchmarkColdLoad(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // as serve does
	for _, size := range []struct{ publications, files int }{{200, 20}, {2000, 200}, {20000, 2000}} {
		b.Run(fmt.Sprintf("%d-of-%d", size.publications, size.files), func(b *testing.B) {
			g := generate(b, size.publications, size.files)
			source := git.OnDisk(g.dir)
			var ours, theirs, cpu, all time.Duration
			for b.Loop() {
				start, before := time.Now(), processorTime(b)
				l := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: time.Now})
				r, err := l.Begin(b.Context())
				ours, cpu = ours+time.Since(start), cpu+processorTime(b)-before
				if err != nil || r.Snapshot.Count() != size.publications {
					b.Fatal(err, r.Report.Findings)
				}
				if r, err = l.Load(b.Context()); err != nil || len(r.Report.Findings) > 0 {
					b.Fatal(err, r.Report.Findings)
				}
				all += time.Since(start)
				theirs += catFile(b, g)
			}
			b.ReportMetric(float64(ours)/float64(theirs), "x-cat-file")
			b.ReportMetric(float64(theirs.Milliseconds())/float64(b.N), "cat-file-ms/op")
			b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "load-ms/op")
			b.ReportMetric(float64(all.Milliseconds())/float64(b.N), "all-ms/op")
			b.ReportMetric(float64(cpu.Milliseconds())/float64(b.N), "load-cpu-ms/op")
		})
	}
}

// A cold load of publications that were sealed one by one, as authors do it, in areas of
// fifty files. The exponent says how the processor's time grows from the size before: 1
// is in proportion to the publications.
func BenchmarkSealedOneByOne(b *testing.B) {
	growth(b, []size{{2000, 200}, {20000, 2000}, {100000, 10000}})
}

type size struct{ publications, files int }

func growth(b *testing.B, sizes []size) {
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // as serve does
	var before time.Duration
	for i, s := range sizes {
		b.Run(fmt.Sprintf("%d-of-%d", s.publications, s.files), func(b *testing.B) {
			g := generate(b, s.publications, s.files, "-each", "-areas", strconv.Itoa(s.files/50))
			took := sealedLoad(b, g, s.publications) / time.Duration(b.N)
			b.ReportMetric(float64(took.Microseconds())/float64(s.publications), "cpu-µs/publication")
			if i > 0 && before > 0 {
				grown := float64(s.publications) / float64(sizes[i-1].publications)
				b.ReportMetric(math.Log(float64(took)/float64(before))/math.Log(grown), "exponent")
				b.ReportMetric(float64(took)/float64(before), "x-smaller")
			}
			before = took
		})
	}
}

// sealedLoad loads a repository as often as the benchmark asks, and returns the
// processor's time that it took.
func sealedLoad(b *testing.B, g generated, publications int) (took time.Duration) {
	for b.Loop() {
		before := processorTime(b)
		l := loader.New(loader.Config{Source: git.OnDisk(g.dir), Schemas: schemas.Embedded(), Now: time.Now})
		r, err := l.Load(b.Context())
		if err != nil || r.Snapshot.Count() != publications || len(r.Report.Findings) > 0 {
			b.Fatal(err, r.Report.Findings)
		}
		took += processorTime(b) - before
		b.ReportMetric(heapMiB(), "heap-MiB")
		runtime.KeepAlive(l)
	}
	return took
}

// heapMiB is what is in use.
func heapMiB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// What it costs a cold load that every object is checked against its id, as it is where
// signers are trusted and the object store is not.
func BenchmarkCheckedLoad(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // as serve does
	g := generate(b, 20000, 2000)
	load := func(source git.Opener) (took, cpu time.Duration) {
		start, before := time.Now(), processorTime(b)
		l := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: time.Now})
		if r, err := l.Begin(b.Context()); err != nil || r.Snapshot.Count() != 20000 {
			b.Fatal(err, r.Report.Findings)
		}
		return time.Since(start), processorTime(b) - before
	}
	var plain, checked [2]time.Duration
	for b.Loop() {
		for _, one := range []struct {
			source git.Opener
			sum    *[2]time.Duration
		}{{git.OnDisk(g.dir), &plain}, {git.Checked(git.OnDisk(g.dir)), &checked}} {
			took, cpu := load(one.source)
			one.sum[0], one.sum[1] = one.sum[0]+took, one.sum[1]+cpu
		}
	}
	b.ReportMetric(float64(checked[1])/float64(plain[1]), "x-cpu-unchecked")
	b.ReportMetric(float64(plain[0].Milliseconds())/float64(b.N), "unchecked-ms/op")
	b.ReportMetric(float64(checked[0].Milliseconds())/float64(b.N), "checked-ms/op")
	b.ReportMetric(float64((checked[1]-plain[1]).Milliseconds())/float64(b.N), "hashing-cpu-ms/op")
}

// processorTime is what this process, and the gits that it ran, have used of all processors: on a
// machine shared with others it is steadier than the clock.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var own, gits syscall.Rusage
	if err := errors.Join(
		syscall.Getrusage(syscall.RUSAGE_SELF, &own), syscall.Getrusage(syscall.RUSAGE_CHILDREN, &gits),
	); err != nil {
		b.Fatal(err)
	}
	return time.Duration(own.Utime.Nano() + own.Stime.Nano() + gits.Utime.Nano() + gits.Stime.Nano())
}

func catFile(b *testing.B, g generated) time.Duration {
	start := time.Now()
	cmd := exec.Command("git", "cat-file", "--batch")
	cmd.Dir, cmd.Stdin, cmd.Stdout = g.dir, strings.NewReader(strings.Join(g.specs, "\n")+"\n"), io.Discard
	must(b, cmd.Run())
	return time.Since(start)
}

// A load that finds one more publication: what a push costs beyond listing refs.
func BenchmarkReload(b *testing.B) {
	g := generate(b, 2000, 200)
	l := loader.New(loader.Config{Source: git.OnDisk(g.dir), Schemas: schemas.Embedded(), Now: time.Now})
	if _, err := l.Load(b.Context()); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		cmd := exec.Command("git", "tag", fmt.Sprintf("guidelines/test.rule-00000.001/v9.%d.0", i), "main")
		cmd.Dir = g.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatal(err, string(out))
		}
		b.StartTimer()
		if _, err := l.Load(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// A save of an author who previews the starter content, until it can be served.
func BenchmarkSave(b *testing.B) {
	dir := b.TempDir()
	script, err := git.ReadReleases(starter.Files)
	must(b, err)
	must(b, git.Create(dir, script))
	file := filepath.Join(dir, "guidelines/product.common.001.yaml")
	raw, err := os.ReadFile(file)
	must(b, err)
	l := loader.New(loader.Config{Source: git.OnDisk(dir), Drafts: true,
		Schemas: schemas.Embedded(), Now: time.Now})
	if _, err := l.Load(b.Context()); err != nil {
		b.Fatal(err)
	}
	start, n := processorTime(b), 0
	for b.Loop() {
		n++
		must(b, os.WriteFile(file, append(raw, strings.Repeat("#\n", n%9+1)...), 0o644))
		if _, err := l.Load(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((processorTime(b)-start).Milliseconds())/float64(n), "cpu-ms/op")
}
