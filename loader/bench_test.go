package loader_test

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// A generated repository: so many sealed publications over so many files, one
// commit and one annotated tag for each, packed.
type generated struct {
	dir   string
	specs []string // <commit>:<path> of every tag, newest first
}

func generate(tb testing.TB, publications, files int) generated {
	tb.Helper()
	g := generated{dir: tb.TempDir()}
	git := func(stdin io.Reader, args ...string) string {
		tb.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = g.dir, stdin
		out, err := cmd.CombinedOutput()
		if err != nil {
			tb.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
		return string(out)
	}
	git(nil, "init", "-q", "--bare", "-b", "main")
	git(stream(tb, publications, files), "fast-import", "--quiet")
	git(nil, "repack", "-a", "-d", "-q")
	git(nil, "pack-refs", "--all")
	for line := range strings.Lines(git(nil, "for-each-ref", "--sort=-creatordate", "--format=%(*objectname) %(refname:short)", "refs/tags")) {
		commit, tag, _ := strings.Cut(strings.TrimSpace(line), " ")
		t, err := content.ParseTag(tag)
		if err != nil {
			tb.Fatal(err)
		}
		g.specs = append(g.specs, commit+":"+t.Kind.File(t.Name))
	}
	return g
}

// stream writes the repository for git fast-import.
func stream(tb testing.TB, publications, files int) io.Reader {
	tb.Helper()
	var b bytes.Buffer
	var seals []string
	at := time.Date(2025, 1, 1, 9, 0, 0, 0, time.UTC)
	who := func() string { return fmt.Sprintf("A <a@example.org> %d +0000", at.Unix()) }
	data := func(s string) { fmt.Fprintf(&b, "data %d\n%s\n", len(s), s) }
	commit := func(message, path, text string) {
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter %s\n", who())
		data(message)
		fmt.Fprintf(&b, "M 100644 inline %s\n", path)
		data(text)
		at = at.Add(time.Minute)
	}
	commit("Settings", content.SettingsFile, settings)
	for i := range publications {
		id, minor := fmt.Sprintf("test.rule-%04d.001", i%files), i/files
		text := strings.Replace(guideline(id, fmt.Sprintf("= Правило %d, версия %d", i%files, minor)), "Так надо", prose(i), 1)
		tag, err := content.ParseTag(fmt.Sprintf("guidelines/%s/v1.%d.0", id, minor))
		if err != nil {
			tb.Fatal(err)
		}
		commit(fmt.Sprintf("Change %d", i), content.Guidelines.File(id), text)
		fmt.Fprintf(&b, "tag %s\nfrom refs/heads/main\ntagger %s\n", tag, who())
		data(fmt.Sprintf("Version %d", minor))
		result := check.Item(schemas.Embedded(), tag.Kind, id, []byte(text))
		sum, err := content.Checksum(content.Identified(tag.Kind, tag.Version, result.Body))
		if err != nil || !result.OK() {
			tb.Fatal(err, result.Findings)
		}
		seals = append(seals, content.Seal{Tag: tag.String(), Checksum: sum, PublishedAt: at}.String()+"\n")
	}
	slices.Sort(seals)
	commit("Seals", content.SealsFile, strings.Join(seals, ""))
	return &b
}

// prose makes a guideline about 3 KB long, different for each publication.
func prose(i int) string {
	var b strings.Builder
	for j := range 24 {
		fmt.Fprintf(&b, "Пояснение %d к публикации %d говорит о том же иначе. ", j, i*j)
	}
	return strings.TrimSpace(b.String())
}

// A cold load against the least that any reader of git must do: git cat-file
// --batch, fed the file of every tag, newest first. The ratio is what counts.
func BenchmarkColdLoad(b *testing.B) {
	for _, size := range []struct{ publications, files int }{{2000, 200}, {20000, 2000}} {
		b.Run(fmt.Sprintf("%d-of-%d", size.publications, size.files), func(b *testing.B) {
			g := generate(b, size.publications, size.files)
			source := gitrepo.OnDisk(g.dir)
			var ours, theirs, cpu time.Duration
			for b.Loop() {
				start, before := time.Now(), processorTime(b)
				r, err := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: time.Now}).Load(b.Context())
				ours, cpu = ours+time.Since(start), cpu+processorTime(b)-before
				if err != nil || r.Snapshot.Count() != size.publications {
					b.Fatal(err, r.Report.Findings)
				}
				theirs += catFile(b, g)
			}
			b.ReportMetric(float64(ours)/float64(theirs), "x-cat-file")
			b.ReportMetric(float64(theirs.Milliseconds())/float64(b.N), "cat-file-ms/op")
			b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "load-ms/op")
			b.ReportMetric(float64(cpu.Milliseconds())/float64(b.N), "load-cpu-ms/op")
		})
	}
}

// processorTime is what this process has used of all processors: on a machine
// shared with others it is steadier than the clock.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func catFile(b *testing.B, g generated) time.Duration {
	start := time.Now()
	cmd := exec.Command("git", "cat-file", "--batch")
	cmd.Dir, cmd.Stdin, cmd.Stdout = g.dir, strings.NewReader(strings.Join(g.specs, "\n")+"\n"), io.Discard
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// A load that finds one more publication: what a push costs beyond listing refs.
func BenchmarkReload(b *testing.B) {
	g := generate(b, 2000, 200)
	l := loader.New(loader.Config{Source: gitrepo.OnDisk(g.dir), Schemas: schemas.Embedded(), Now: time.Now})
	if _, err := l.Load(b.Context()); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		cmd := exec.Command("git", "tag", fmt.Sprintf("guidelines/test.rule-0000.001/v9.%d.0", i), "main")
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
