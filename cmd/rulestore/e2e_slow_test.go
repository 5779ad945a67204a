//go:build slow

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"rulestore/content"
)

// A push into the repository that is served: readers see every publication in
// the end, and nothing but whole answers meanwhile, though git repacks too.
func TestReadersDuringPublications(t *testing.T) {
	t.Parallel()
	const publications, reads = 50, 2000
	bare, a := newYoung(t)
	s := start(t, "--repo", bare)
	stop := make(chan struct{})
	var done atomic.Int64
	var readers sync.WaitGroup
	for i := range 4 {
		readers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for {
				select {
				case <-stop:
					if done.Load() >= reads {
						return
					}
				default:
				}
				path := "/api/v1/guidelines/" + common
				if random.IntN(3) == 0 {
					path = "/api/v1/guidelines/" + common + "/versions/1.0.0"
				}
				answer, err := s.get(path, "*/*")
				if err == nil {
					err = agree(answer)
				}
				if err != nil {
					t.Errorf("%s: %v", path, err)
					return
				}
				done.Add(1)
			}
		})
	}
	for i := range publications {
		version := fmt.Sprintf("1.%d.0", i+2)
		a.retitle(common, "Название "+version)
		a.git("tag", "-a", "guidelines/"+common+"/v"+version, "-m", "Версия "+version)
		a.git("push", "-q", "--follow-tags", "origin", "main")
		switch i {
		case publications * 3 / 10:
			gitIn(t, bare, "gc", "-q", "--prune=now")
		case publications * 6 / 10:
			gitIn(t, bare, "repack", "-a", "-d", "-q")
		case publications * 8 / 10:
			gitIn(t, bare, "pack-refs", "--all")
		}
	}
	for i := range publications {
		path := fmt.Sprintf("/api/v1/guidelines/%s/versions/1.%d.0", common, i+2)
		s.await(path, func() bool { return s.mustGet(path, "*/*").status == 200 })
	}
	close(stop)
	readers.Wait()
	if n := done.Load(); n < reads && !t.Failed() {
		t.Errorf("%d reads, expected at least %d", n, reads)
	}
}

// After every step of a history the server that was there all the time and a
// fresh one serve the same bytes.
func TestRestartEquivalence(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	s := start(t, "--repo", bare, "--base-url", baseURL)
	tag := func(id, version string) string { return "guidelines/" + id + "/v" + version }
	steps := []struct {
		name string
		do   func()
	}{
		{"publish", func() {
			a.retitle(common, "Опубликовано")
			a.git("tag", "-a", tag(common, "8.2.1"), "-m", "Опубликовано")
		}},
		{"publish with a lightweight tag", func() {
			a.retitle(common, "Опубликовано просто")
			a.git("tag", tag(common, "8.2.9"))
		}},
		{"seal", func() {
			var health struct{ Findings []content.Finding }
			if err := json.Unmarshal(s.mustGet("/api/v1/health", "*/*").body, &health); err != nil {
				t.Fatal(err)
			}
			for _, f := range health.Findings {
				if _, line, ok := strings.Cut(f.Hint, ".sum: "); ok {
					path := content.SealsPath(content.Seal{Tag: f.Tag}.Item())
					a.write(path, a.read(path)+line+"\n")
				}
			}
			a.git("add", ".")
			a.git("commit", "-q", "-m", "Печати")
		}},
		{"publish unsealed", func() {
			a.retitle(common, "Без печати")
			a.git("tag", "-a", tag(common, "8.3.0"), "-m", "Без печати")
		}},
		{"move a sealed tag", func() { a.git("tag", "-f", "-a", tag(common, "8.2.1"), "-m", "Сдвинут") }},
		{"move an unsealed tag", func() { a.git("tag", "-f", "-a", tag(common, "8.3.0"), "HEAD~3", "-m", "Сдвинут") }},
		{"delete a sealed tag", func() { a.git("tag", "-d", tag(common, "8.2.9")) }},
		{"delete an unsealed tag", func() { a.git("tag", "-d", tag(common, "8.3.0")) }},
		{"tag what is not merged", func() {
			a.git("checkout", "-q", "-b", "feature")
			a.retitle(common, "С ветки")
			a.git("tag", "-a", tag(common, "8.4.0"), "-m", "С ветки")
			a.git("checkout", "-q", "main")
		}},
		{"squash-merge", func() {
			a.git("merge", "-q", "--squash", "feature")
			a.git("commit", "-q", "-m", "Слито одним коммитом")
		}},
		{"rebase-merge", func() {
			a.git("checkout", "-q", "-b", "rebased", "HEAD~1")
			a.sub("scenarios/two.yaml", `(?m)^title: .*$`, "title: Перенесено")
			a.git("commit", "-q", "-a", "-m", "Перенесено")
			a.git("rebase", "-q", "main")
			a.git("checkout", "-q", "main")
			a.git("merge", "-q", "--ff-only", "rebased")
			a.git("tag", "-a", "scenarios/two/v1.2.0", "-m", "Перенесено")
		}},
		{"merge commit", func() {
			a.git("checkout", "-q", "-b", "merged", "HEAD~1")
			a.retitle(common, "Слито")
			a.git("checkout", "-q", "main")
			a.git("merge", "-q", "--no-ff", "-m", "Слияние", "merged")
			a.git("tag", "-a", tag(common, "8.5.0"), "-m", "Слито")
		}},
		{"force-push", func() {
			a.git("reset", "-q", "--hard", "HEAD~1")
			a.retitle(common, "После перезаписи")
			a.git("tag", "-a", tag(common, "9.3.0"), "-m", "После перезаписи")
		}},
		{"backport", func() {
			a.retitle(common, "Исправлено в старой линии")
			a.git("tag", "-a", tag(common, "8.0.1"), "-m", "Исправлено в старой линии")
		}},
		{"mark", func() {
			a.sub(content.LifecycleFile, `(?s)marks:.*`, `marks:
  - {item: scenarios/two, status: archived, reason: Пересмотр, since: 2026-07-01}
  - {item: guidelines/`+common+`, status: review_required, reason: Проверка, since: 2026-07-01}
`)
			a.git("commit", "-q", "-a", "-m", "Пометки")
		}},
		{"redact", func() {
			a.sub(content.LifecycleFile, `marks:\n`, `marks:
  - {item: guidelines/`+common+`, version: 1.0.0, status: redacted, reason: Ошибка, since: 2026-07-01}
`)
			a.git("commit", "-q", "-a", "-m", "Изъято")
		}},
		{"product release", func() {
			a.git("tag", "-a", "v99.0.0", "-m", "Выпуск\n\n- Одно\n- Другое\n\nType: feature")
		}},
		{"break a rule", func() {
			a.write(content.Guidelines.File(common), "title: [\n")
			a.git("commit", "-q", "-a", "-m", "Сломано")
			a.git("tag", "-a", tag(common, "8.6.0"), "-m", "Сломано")
		}},
		{"lose a folder", func() {
			a.git("rm", "-q", "-r", "guidelines")
			a.git("commit", "-q", "-m", "Папки нет")
		}},
		{"repack", func() { gitIn(t, bare, "gc", "-q", "--prune=now") }},
	}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			step.do()
			a.push()
			fresh := start(t, "--repo", bare, "--base-url", baseURL)
			want := fresh.mustGet("/", "*/*").header.Get("X-Snapshot")
			s.await(step.name, func() bool { return s.mustGet("/", "*/*").header.Get("X-Snapshot") == want })
			compare(t, step.name, s.everything(), fresh.everything())
			if err := fresh.stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// The address that the service is known by is content like any other: when it
// changes, a running server says what a fresh one says.
func TestCanonicalBaseURLChanges(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	s := start(t, "--repo", bare)
	assistant := subscribed(t, command(t, "--repo", bare), "rulestore://guidelines/"+common)
	settings := a.read(content.SettingsFile)
	for _, base := range []string{baseURL, "https://moved.example.org/rules", ""} {
		text := settings
		if base != "" {
			text += "canonical_base_url: " + base + "\n"
		}
		a.write(content.SettingsFile, text)
		a.git("commit", "-q", "-a", "-m", "Адрес "+base)
		a.push()
		says := func(base string) func() bool {
			return func() bool {
				return strings.Contains(string(s.mustGet("/", "*/*").body), `"`+base+"/api/v1/guidelines")
			}
		}
		if base == "" { // where each listens
			s.await("the listening address", says(s.url))
			continue
		}
		s.await(base, says(base))
		fresh := start(t, "--repo", bare)
		compare(t, base, s.everything(), fresh.everything())
		if err := fresh.stop(); err != nil {
			t.Error(err)
		}
		s.await("the assistant's "+base, func() bool {
			return strings.Contains(assistant.text(t, "rulestore://guidelines/"+common), base+"/")
		})
	}
	if err := assistant.Close(); err != nil {
		t.Error(err)
	}
}

func compare(t *testing.T, step string, running, fresh map[string]string) {
	t.Helper()
	for path, want := range fresh {
		if got := running[path]; got != want {
			t.Errorf("after %q, %s: the running server answers\n%s\na fresh one\n%s", step, path, got, want)
		}
	}
	if len(running) != len(fresh) {
		t.Errorf("after %q: the running server has %d addresses, a fresh one %d", step, len(running), len(fresh))
	}
}

// A linked work tree and a symbolic link that is swapped, as deployments do.
func TestLinkedWorkTreeBehindALink(t *testing.T) {
	t.Parallel()
	_, a := newYoung(t)
	dir := t.TempDir()
	a.git("branch", "old", "HEAD~2")
	a.git("worktree", "add", "-q", filepath.Join(dir, "old"), "old")
	a.git("worktree", "add", "-q", "-b", "new", filepath.Join(dir, "new"), "main")
	link := filepath.Join(dir, "current")
	if err := os.Symlink("old", link); err != nil {
		t.Fatal(err)
	}
	s := start(t, "--repo", link)
	path := "/api/v1/guidelines/" + common + "/versions/1.1.0"
	if got := s.mustGet(path, "*/*").status; got != 404 {
		t.Errorf("status %d before the swap", got)
	}
	if err := os.Symlink("new", link+".next"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(link+".next", link); err != nil {
		t.Fatal(err)
	}
	s.await("the swap", func() bool { return s.mustGet(path, "*/*").status == 200 })
}

// The README's author steps, run as they are written but for the port.
func TestReadme(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(readme), "```")
	if !strings.HasPrefix(blocks[1], "sh\ngo run ./cmd/rulestore serve ") ||
		!strings.Contains(blocks[1], "\ngo test ./... ") {
		t.Errorf("the README does not open with the two commands:\n%s", blocks[1])
	}
	dir := filepath.Join(t.TempDir(), "rulestore")
	var s *running
	for line := range strings.Lines(blocks[3]) {
		line, _, _ = strings.Cut(line, " #")
		switch line = strings.TrimSpace(line); {
		case line == "" || line == "sh" || strings.HasPrefix(line, "go install"):
		case strings.HasPrefix(line, "rulestore init "):
			if err := run(t.Context(), []string{"init", filepath.Join(dir,
				strings.TrimPrefix(line, "rulestore init "))}, os.Getenv, nil, io.Discard, io.Discard); err != nil {
				t.Fatal(err)
			}
		case strings.HasPrefix(line, "rulestore serve --repo "):
			s = start(t, "--repo", filepath.Join(dir, strings.Fields(line)[3]))
		case strings.HasPrefix(line, "cd "):
			dir = filepath.Join(dir, strings.TrimPrefix(line, "cd "))
		case strings.HasPrefix(line, "curl http://127.0.0.1:8080/"):
			path := strings.TrimPrefix(line, "curl http://127.0.0.1:8080")
			s.await(path, func() bool {
				return strings.Contains(string(s.mustGet(path, "*/*").body), `"title":"Любой финансовый продукт"`)
			})
			return
		default:
			shell(t, dir, line)
		}
	}
	t.Error("the README does not end with curl")
}

func shell(t *testing.T, dir, line string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

func TestServesTheStarterContent(t *testing.T) {
	s := start(t)
	a := s.mustGet("/api/v1/guidelines/"+common, "*/*")
	if err := agree(a); err != nil {
		t.Error(err)
	}
	if err := s.stop(); err != nil {
		t.Errorf("stopped with %v", err)
	}
}
