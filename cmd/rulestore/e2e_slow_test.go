//go:build slow

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rulestore/content"
)

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
			if out, err := rulestoreIn(a.dir, nil, "publish"); err != nil {
				t.Fatal(err, out)
			}
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
		{"redact", func() {
			a.sub(content.LifecycleFile, `(?s)marks:.*`, "marks:\n  - {item: guidelines/"+common+
				", version: 1.0.0, status: redacted, reason: Ошибка, since: 2026-07-01}\n")
			a.git("commit", "-q", "-a", "-m", "Изъято")
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

// The address that the service is known by is content like any other.
func TestCanonicalBaseURLChanges(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	s := start(t, "--repo", bare)
	settings := a.read(content.SettingsFile)
	for line, base := range map[string]string{"canonical_base_url: " + baseURL + "\n": baseURL, "": s.url} {
		a.write(content.SettingsFile, settings+line)
		a.git("commit", "-q", "--allow-empty", "-a", "-m", "Адрес")
		a.push()
		s.await(base, func() bool {
			return strings.Contains(string(s.mustGet("/", "*/*").body), `"`+base+"/api/v1/guidelines")
		})
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

// The README's author steps, run as they are written but for the port.
func TestReadme(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, steps, found := strings.Cut(string(readme), "## Publish a rule\n\n```")
	if !found {
		t.Fatal("the README does not say how to publish a rule")
	}
	steps, _, _ = strings.Cut(steps, "```")
	dir := filepath.Join(t.TempDir(), "rulestore")
	var s *running
	for line := range strings.Lines(steps) {
		line, _, _ = strings.Cut(line, " #")
		switch line = strings.TrimSpace(line); {
		case line == "" || line == "sh":
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
			if out, err := asAuthor(dir, line); err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out)
			}
		}
	}
	t.Error("the README does not end with curl")
}

// The README's calculation works as it is written.
func TestReadmeCalculation(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`http://127\.0\.0\.1:8080(/api/v1/math/tools/\S+) \\\n *-d '([^']+)'`).FindSubmatch(readme)
	if m == nil {
		t.Fatal("the README calculates nothing")
	}
	res, err := client.Post(start(t, "--repo", young(t)).url+string(m[1]), "application/json", bytes.NewReader(m[2]))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if answer, err := io.ReadAll(res.Body); err != nil || !bytes.Contains(answer, []byte(`"payment":{"value":"77397.23"`)) ||
		!bytes.Contains(answer, []byte(`"status":"within_tolerance"`)) {
		t.Errorf("%v %s", err, answer)
	}
}

// Every address in the table of server/README.md is answered.
func TestAddressesAreAnswered(t *testing.T) {
	s := start(t)
	examples := strings.NewReplacer(
		"external-parameters/{id}", "external-parameters/consumer-rights.ombudsman-amount-limit",
		"{id}", common, "{version}", "1.0.0", "{folder}/{name}.atom", "guidelines/"+common+".atom",
		"{folder}", "guidelines", "{code}", "APK_INSTALLATION_REQUESTED", "{tool_id}", "loan_payment",
		"output/{name}", "output/math/loan-calculation",
		"signal=A&signal=B&state=C", "signal=APK_INSTALLATION_REQUESTED", "/api/v1/search", "/api/v1/search?q=x",
	)
	rows := regexp.MustCompile("(?m)^\\| (`.*?`[^|]*) \\|").FindAllStringSubmatch(manual(t, "server/README.md"), -1)
	if len(rows) < 20 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		for _, m := range regexp.MustCompile("`(/[^`]*)`").FindAllStringSubmatch(row[1], -1) {
			path := examples.Replace(m[1])
			if strings.HasSuffix(path, "…") || path == "/mcp" || strings.Contains(path, "/fraud/…") {
				continue
			}
			if got := s.mustGet(path, "*/*"); got.status != 200 {
				t.Errorf("%s: %d", path, got.status)
			}
		}
	}
}
