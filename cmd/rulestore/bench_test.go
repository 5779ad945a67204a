package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
	"rulestore/server/site"
)

// binary builds the command once for all benchmarks.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "rulestore-benchmark-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "rulestore")
	out, err := exec.Command("go", "build", "-o", path, "rulestore/cmd/rulestore").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return path, err
})

// serving is a server in a process of its own.
type serving struct {
	*testing.B
	url       string
	operators string // where it answers them, if anybody is to ask
	pid       int
	stop      func() // ends it; at the end of the benchmark it is called anyway
}

func serveProcess(b *testing.B, args ...string) *serving {
	b.Helper()
	path, err := binary()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(path, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	stop := func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	b.Cleanup(stop)
	line, _ := bufio.NewReader(out).ReadString('\n')
	m := listening.FindStringSubmatch(line)
	if m == nil {
		b.Fatalf("no address in %q", line)
	}
	return &serving{B: b, url: "http://127.0.0.1:" + m[1], pid: cmd.Process.Pid, stop: stop}
}

func (s *serving) status(path string) int {
	s.Helper()
	resp, err := client.Get(s.url + path)
	if err != nil {
		s.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// until asks for a path every millisecond until it is there: without a pause it
// would take a processor from the server that it waits for.
func (s *serving) until(path string) {
	s.Helper()
	for deadline := time.Now().Add(time.Minute); s.status(path) != http.StatusOK; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			s.Fatalf("%s: not within a minute", path)
		}
	}
}

// memory returns what Linux says of the process, in MiB: now, and at most.
func (s *serving) memory() (now, peak float64) {
	return s.linux("VmRSS"), s.linux("VmHWM")
}

// anonymous is what of the memory is the process's own, in MiB.
func (s *serving) anonymous() float64 { return s.linux("RssAnon") }

// linux returns a size in MiB from what Linux says of the process, 0 elsewhere.
func (s *serving) linux(name string) float64 {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid))
	m := regexp.MustCompile(name + `:\s+(\d+) kB`).FindSubmatch(raw)
	if m == nil {
		return 0
	}
	kb, _ := strconv.ParseFloat(string(m[1]), 64)
	return kb / 1024
}

// generated is a bare repository with so many publications, and a clone that
// publishes one more, a commit with a tag, and pushes both.
func generated(b *testing.B, publications, files int) (bare string, push func(version int)) {
	b.Helper()
	bare = filepath.Join(b.TempDir(), "rules.git")
	work := filepath.Join(b.TempDir(), "work")
	do := func(name string, args ...string) {
		b.Helper()
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a",
			"GIT_COMMITTER_EMAIL=a@example.org")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%s: %v\n%s", cmd, err, out)
		}
	}
	do("go", "run", "rulestore/scripts/generate", "-publications", strconv.Itoa(publications), "-files",
		strconv.Itoa(files), bare)
	do("git", "clone", "-q", "--no-tags", bare, work)
	file := filepath.Join(work, generatedItem+".yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	return bare, func(version int) {
		b.Helper()
		if err := os.WriteFile(file, fmt.Appendf(text, "# %d\n", version), 0o644); err != nil {
			b.Fatal(err)
		}
		tag := fmt.Sprintf("%s/v9.%d.0", generatedItem, version)
		do("git", "-C", work, "commit", "-qam", tag)
		do("git", "-C", work, "tag", tag)
		do("git", "-C", work, "push", "-q", "origin", "HEAD", "refs/tags/"+tag)
	}
}

const generatedItem = "guidelines/test.rule-00000.001"

func pathOf(version int) string {
	return fmt.Sprintf("/api/v1/%s/versions/9.%d.0", generatedItem, version)
}

// quantile returns the value that a share of all does not exceed.
func quantile(all []time.Duration, share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// BenchmarkStart is the time from the start of the process until the starter
// content is served (design, section 12: 200 ms).
func BenchmarkStart(b *testing.B) {
	if _, err := binary(); err != nil {
		b.Fatal(err)
	}
	var all []time.Duration
	for b.Loop() {
		start := time.Now()
		s := serveProcess(b)
		s.until("/api/v1/guidelines/" + common)
		all = append(all, time.Since(start))
		s.stop() // it would go on compressing while the next one starts
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(quantile(all, 0.5)), "ms-median")
}

// BenchmarkResident is the memory of the process with 200 publications while they
// are read over eight connections, as JSON and as Markdown: what Linux counts as
// its own, and with the pages of the program's file. With a limit it trades time
// for memory.
func BenchmarkResident(b *testing.B) {
	bare, _ := generated(b, 200, 20)
	for _, limit := range []string{"off", "40MiB"} {
		b.Run("limit-"+limit, func(b *testing.B) {
			b.Setenv("GOMEMLIMIT", limit)
			s := serveProcess(b, "--repo", bare)
			s.until("/api/v1/" + generatedItem)
			for b.Loop() {
				s.crowd(8, 500)
			}
			resident, peak := s.memory()
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(s.anonymous(), "MiB-own")
			b.ReportMetric(resident, "MiB-resident")
			b.ReportMetric(peak, "MiB-peak")
		})
	}
}

// crowd has so many clients read the documents so often.
func (s *serving) crowd(clients, times int) {
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for i := range times {
				req, _ := http.NewRequest(http.MethodGet, fmt.Sprintf("%s/api/v1/guidelines/test.rule-%05d.001", s.url,
					i%20), nil)
				req.Header.Set("Accept", []string{"application/json", "text/markdown"}[c%2])
				resp, err := client.Do(req)
				if err != nil {
					s.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	wg.Wait()
}

// BenchmarkPublication is the time from the end of a push until the publication
// is served (design, section 12: 15 ms in the median with 200 publications,
// 100 ms in all but one of twenty with 20,000).
func BenchmarkPublication(b *testing.B) {
	for _, size := range []struct{ publications, files int }{{200, 20}, {20000, 2000}} {
		b.Run(strconv.Itoa(size.publications), func(b *testing.B) {
			bare, push := generated(b, size.publications, size.files)
			s := serveProcess(b, "--repo", bare)
			s.until("/api/v1/" + generatedItem)
			var all []time.Duration
			for version := 0; b.Loop(); version++ {
				push(version)
				start := time.Now()
				s.until(pathOf(version))
				all = append(all, time.Since(start))
			}
			now, peak := s.memory()
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(milliseconds(quantile(all, 0.5)), "ms-median")
			b.ReportMetric(milliseconds(quantile(all, 0.95)), "ms-p95")
			b.ReportMetric(now, "MiB-resident")
			b.ReportMetric(peak, "MiB-peak")
		})
	}
}

// BenchmarkReadsDuringReloads compares how long reads take while something is
// published five times a second with how long they take while the same is pushed to a
// repository that nobody serves (at most twice, in all but one of a hundred): the
// clients take their part of the machine either way. One connection reads without a
// pause, another asks every millisecond for the publication. Inside are the reads
// between the end of the push and the publication, that is, of the reload alone.
func BenchmarkReadsDuringReloads(b *testing.B) {
	bare, push := generated(b, 2000, 200)
	_, pushElsewhere := generated(b, 2000, 200)
	s := serveProcess(b, "--repo", bare)
	path := "/api/v1/" + generatedItem
	s.until(path)
	push(0)
	s.until(pathOf(0)) // what the first load left for later is read by now
	var quiet, busy, inside, insideQuiet []time.Duration
	for version := 1; b.Loop(); version++ {
		push(version)
		var served time.Duration
		during, all := s.read(path, func(start time.Time) { s.until(pathOf(version)); served = time.Since(start) })
		inside, busy = append(inside, during...), append(busy, all...)
		pushElsewhere(version)
		during, all = s.read(path, func(time.Time) { s.ask(served) })
		insideQuiet, quiet = append(insideQuiet, during...), append(quiet, all...)
	}
	p99 := func(all []time.Duration) float64 { return milliseconds(quantile(all, 0.99)) }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(p99(quiet), "ms-p99-quiet")
	b.ReportMetric(p99(busy), "ms-p99-reloading")
	b.ReportMetric(p99(busy)/p99(quiet), "x-quiet")
	b.ReportMetric(p99(inside), "ms-p99-inside")
	b.ReportMetric(p99(inside)/p99(insideQuiet), "x-quiet-inside")
}

// read reads a path for a fifth of a second, and returns how long each read took:
// those that began before something was over, and all of them.
func (s *serving) read(path string, something func(start time.Time)) (during, all []time.Duration) {
	var over atomic.Bool
	begun := time.Now()
	go func() { something(begun); over.Store(true) }()
	for time.Since(begun) < time.Second/5 || !over.Load() {
		start, isOver := time.Now(), over.Load()
		s.status(path)
		all = append(all, time.Since(start))
		if !isOver {
			during = append(during, time.Since(start))
		}
	}
	return during, all
}

// ask asks for what is not there, as until does, for some time.
func (s *serving) ask(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(time.Millisecond) {
		s.status(pathOf(-1))
	}
}

// BenchmarkMemory is the live heap of 20,000 publications, when all of them have
// been asked for as JSON and as Markdown: at most three times these bytes and
// 50 MB (design, section 12).
func BenchmarkMemory(b *testing.B) {
	bare, _ := generated(b, 20000, 2000)
	l := loader.New(loader.Config{Source: git.OnDisk(bare), Schemas: schemas.Embedded(), Now: time.Now})
	before := liveHeap()
	r, err := l.Load(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	s := site.Build(nil, r.Snapshot, site.Config{BaseURL: baseURL, Version: "1", Schemas: schemas.Embedded()})
	s.Warm()
	loaded := liveHeap() - before
	bytes := 0
	for b.Loop() {
		bytes = bodies(s)
	}
	all := liveHeap() - before
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(mib(bytes), "MiB-bodies")
	b.ReportMetric(mib(loaded), "MiB-loaded")
	b.ReportMetric(mib(all), "MiB-all-asked-for")
	b.ReportMetric(float64(all-50_000_000)/float64(bytes), "x-bodies-beyond-50MB")
	runtime.KeepAlive(l)
	runtime.KeepAlive(s)
}

func mib(bytes int) float64 { return float64(bytes) / (1 << 20) }

func liveHeap() int {
	runtime.GC()
	runtime.GC() // what finalizers and pools let go of
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// bodies makes the JSON and the Markdown of every version, and adds up their
// sizes.
func bodies(s *site.Site) (bytes int) {
	for _, item := range s.Snapshot.Items {
		for _, e := range item.Entries {
			for _, rep := range s.Lookup(e.Path()).Representations {
				// pages for people are no part of the budget
				if rep.Type == "application/json" || rep.Type == "text/markdown" {
					bytes += len(rep.Ready().Body.Bytes)
				}
			}
		}
	}
	return bytes
}

// BenchmarkReloads publishes again and again, and reports what the process holds
// on to: nothing may grow but by what is published, so its live heap is compared
// with that of a new process that serves the same.
func BenchmarkReloads(b *testing.B) {
	bare, push := generated(b, 200, 20)
	begin := func() *serving {
		operators := freeAddr(b)
		s := serveProcess(b, "--repo", bare, "--admin-addr", operators, "--log-level", "debug")
		s.operators = "http://" + operators
		return s
	}
	s := begin()
	s.until("/api/v1/" + generatedItem)
	version := 0
	publish := func() {
		push(version)
		s.until(pathOf(version))
		version++
	}
	for range 10 { // until all have connected and the compressors have been used
		publish()
	}
	before := s.held()
	for b.Loop() {
		publish()
	}
	after := s.held()
	fresh := begin()
	fresh.until(pathOf(version - 1))
	b.ReportMetric(after.live/fresh.held().live, "x-new")
	for when, h := range map[string]held{"before": before, "after": after} {
		b.ReportMetric(h.live, "MiB-live-"+when)
		b.ReportMetric(h.resident, "MiB-"+when)
		b.ReportMetric(h.files, "files-"+when)
		b.ReportMetric(h.goroutines, "goroutines-"+when)
	}
	b.ReportMetric(float64(b.N), "reloads")
}

// held is what a process has: memory in MiB, of which live is what the collector
// leaves, open files and goroutines.
type held struct{ resident, live, files, goroutines float64 }

// held looks until it is at rest: the compressors go on for a while.
func (s *serving) held() held {
	s.Helper()
	was := s.holds()
	for range 100 {
		time.Sleep(200 * time.Millisecond)
		is := s.holds()
		if math.Abs(is.live-was.live) < 0.01*is.live {
			return is
		}
		was = is
	}
	s.Fatal("the server does not come to rest")
	return was
}

func (s *serving) holds() (h held) {
	h.resident, _ = s.memory()
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.pid))
	h.files = float64(len(entries))
	for range 2 { // the first collection leaves what pools hold
		s.operator("/debug/pprof/heap?gc=1")
	}
	for line := range strings.Lines(s.operator("/metrics")) {
		_, _ = fmt.Sscanf(line, "go_goroutines %g", &h.goroutines)
		_, _ = fmt.Sscanf(line, "go_memstats_heap_alloc_bytes %g", &h.live)
	}
	h.live /= 1 << 20
	return h
}

// operator returns what the process answers operators.
func (s *serving) operator(path string) string {
	s.Helper()
	resp, err := client.Get(s.operators + path)
	if err != nil {
		s.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		s.Fatal(err)
	}
	return string(body)
}
