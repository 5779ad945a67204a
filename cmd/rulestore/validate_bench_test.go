package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkValidateLarge is how long an author of 2,000 published files waits, from the
// start of the process on: of what is published, after a file was edited, and before a commit of
// a file that is edited or new.
func BenchmarkValidateLarge(b *testing.B) {
	program, err := binary()
	if err != nil {
		b.Fatal(err)
	}
	bare, _ := generated(b, 2000, 2000)
	a := workTree{b, filepath.Join(b.TempDir(), "rules"), program}
	a.run("git", "clone", "-q", bare, a.dir)
	a.run(program, "validate", "--repo", a.dir)
	for _, c := range []struct {
		name   string
		before func(round int)
		args   []string
	}{
		{"again", func(int) {}, nil},
		{"edited", func(round int) { a.edit("test.rule-00011.001", round) }, nil},
		{"staged-edited", func(round int) { a.edit("test.rule-00011.001", round); a.stage() }, []string{"--staged"}},
		{"staged-new", func(round int) { a.add(round); a.stage() }, []string{"--staged"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			a.measure(b, c.before, append([]string{"validate", "--repo", a.dir}, c.args...)...)
		})
	}
}

// BenchmarkCommands is from the start to the end of what is run in a large repository, with
// the cache of the run before: by an author, and by who holds a server on the same machine,
// of which nobody else asks anything, against it.
func BenchmarkCommands(b *testing.B) {
	program, err := binary()
	if err != nil {
		b.Fatal(err)
	}
	bare, _ := generated(b, 20000, 2000)
	a := workTree{b, filepath.Join(b.TempDir(), "rules"), program}
	a.run("git", "clone", "-q", bare, a.dir)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"validate", []string{"validate"}},
		{"status", []string{"status"}},
		{"publish", []string{"publish", "--dry-run"}},
	} {
		a.measureAgain(c.name, append(c.args, "--repo", a.dir)...)
	}
	server := serveProcess(b, "--repo", bare, "--admin-addr", "off") // beside which nothing else is measured
	server.until("/api/v1/" + generatedItem)
	a.measureAgain("verify", "verify", server.url, "--repo", a.dir)
}

// measureAgain is measure after a run that is not measured.
func (a workTree) measureAgain(name string, args ...string) {
	a.run(a.program, args...)
	a.B.Run(name, func(b *testing.B) { a.measure(b, func(int) {}, args...) })
}

// measure reports what a run of the program takes, after what is done before each.
func (a workTree) measure(b *testing.B, before func(round int), args ...string) {
	b.Helper()
	var all []time.Duration
	var cpu time.Duration
	for round := 0; b.Loop(); round++ {
		before(round)
		start := time.Now()
		cpu += a.run(a.program, args...)
		all = append(all, time.Since(start))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(quantile(all, 0.5)), "ms-median")
	b.ReportMetric(milliseconds(cpu)/float64(len(all)), "cpu-ms/op")
}

// workTree is that of an author.
type workTree struct {
	*testing.B
	dir, program string
}

// run runs a program, and returns the processor time that it took.
func (a workTree) run(name string, args ...string) time.Duration {
	a.Helper()
	cmd := exec.Command(name, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		a.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func (a workTree) file(id string) string { return filepath.Join(a.dir, "guidelines", id+".yaml") }

// edit adds a comment to a file.
func (a workTree) edit(id string, round int) {
	a.Helper()
	raw, err := os.ReadFile(a.file(id))
	if err == nil {
		err = os.WriteFile(a.file(id), fmt.Appendf(raw, "# %d\n", round), 0o644)
	}
	if err != nil {
		a.Fatal(err)
	}
}

// add begins a file as a copy of another one.
func (a workTree) add(round int) {
	a.Helper()
	id := fmt.Sprintf("test.new-%05d.001", round)
	raw, err := os.ReadFile(filepath.Join(a.dir, "guidelines/test.rule-00011.001.yaml"))
	if err == nil {
		raw = bytes.ReplaceAll(raw, []byte("test.rule-00011.001"), []byte(id))
		err = os.WriteFile(filepath.Join(a.dir, "guidelines", id+".yaml"), raw, 0o644)
	}
	if err != nil {
		a.Fatal(err)
	}
}

func (a workTree) stage() { a.run("git", "-C", a.dir, "add", "-A") }
