package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// A small program with the layout of the real one.
var sources = map[string]string{
	"go.mod":                   "module rulestore\n\ngo 1.26.0\n",
	".gitignore":               "/dist/\n",
	"cmd/rulestore/version.go": "package main\n\n// release is the version.\nconst release = \"1.2.3\"\n",
	"cmd/rulestore/main.go":    "package main\n\nfunc main() { println(release) }\n",
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_COMMITTER_DATE=2026-05-01T10:00:00+03:00")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func committed(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "one")
	for name, text := range sources {
		put(t, dir, name, text)
	}
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", "-A")
	git(t, dir, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "Begin")
	return dir
}

// files reads all files of a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range list {
		raw, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name()] = string(raw)
	}
	return all
}

// A release of one commit is the same bytes, whatever the folder and the settings of the
// machine, and each file is what the others say of it.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	one := committed(t)
	other := filepath.Join(t.TempDir(), "a longer name", "other")
	git(t, ".", "clone", "-q", one, other)
	own := target{runtime.GOOS, runtime.GOARCH}
	releaseOf := func(dir string) (map[string]string, string) {
		t.Helper()
		var out bytes.Buffer
		if err := release(t.Context(), dir, filepath.Join(dir, "dist"), []target{own}, &out); err != nil {
			t.Fatal(err)
		}
		return files(t, filepath.Join(dir, "dist")), out.String()
	}
	first, printed := releaseOf(one)
	t.Setenv("GOFLAGS", "-tags=other")
	t.Setenv("GOAMD64", "v3")
	t.Setenv("CGO_ENABLED", "1")
	second, _ := releaseOf(other)
	if len(first) != 4 || printed != first[sums] || strings.Count(printed, "\n") != 3 {
		t.Errorf("%d files:\n%s", len(first), printed)
	}
	for name, raw := range first {
		if second[name] != raw {
			t.Errorf("%s differs", name)
		}
	}
	var name string
	for line := range strings.Lines(printed) {
		sum, file, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if got, err := sumOf(filepath.Join(one, "dist", file)); err != nil || got != sum {
			t.Errorf("%s: %s %v", line, got, err)
		}
		if !strings.HasSuffix(file, ".json") {
			name = file
			checkFiles(t, first, file, sum)
		}
	}
	if !regexp.MustCompile(`^rulestore-1\.2\.3-[0-9a-f]{12}-` + runtime.GOOS + "-" + runtime.GOARCH +
		`(\.exe)?$`).MatchString(name) {
		t.Error(name)
	}
	if out, err := exec.Command(filepath.Join(one, "dist", name)).CombinedOutput(); err != nil ||
		string(out) != "1.2.3\n" {
		t.Errorf("%s %v", out, err)
	}
}

// checkFiles checks what a release says of a program against the program.
func checkFiles(t *testing.T, all map[string]string, name, sum string) {
	t.Helper()
	info, err := buildinfo.Read(strings.NewReader(all[name]))
	if err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal([]byte(all[name+".cdx.json"]), &b); err != nil {
		t.Fatal(err)
	}
	if b.Metadata.Component.Hashes[0].Content != sum || len(b.Components) != 1+len(info.Deps) ||
		b.Metadata.Timestamp != "2026-05-01T07:00:00Z" {
		t.Errorf("%+v", b)
	}
	for file, raw := range all {
		if !strings.HasSuffix(file, ".intoto.json") {
			continue
		}
		var s statement
		if err := json.Unmarshal([]byte(raw), &s); err != nil {
			t.Fatal(err)
		}
		if len(s.Subject) != 2 || s.Subject[0].Digest["sha256"] != sum ||
			len(s.Predicate.BuildDefinition.ResolvedDependencies) != 2+len(info.Deps) {
			t.Errorf("%s", raw)
		}
	}
}

// Nothing is made of what is no commit, nor into what is there already.
func TestRefused(t *testing.T) {
	dir := committed(t)
	to := filepath.Join(dir, "dist")
	put(t, dir, "dist/old", "")
	if err := release(t.Context(), dir, to, targets, &bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "is not empty") {
		t.Error(err)
	}
	put(t, dir, "more.go", "package more\n")
	if err := release(t.Context(), dir, t.TempDir(), targets, &bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "?? more.go") {
		t.Error(err)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, dir, "worktree", "add", "-q", linked)
	if err := release(t.Context(), linked, t.TempDir(), targets, &bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "in a clone") {
		t.Error(err)
	}
	if err := release(t.Context(), t.TempDir(), t.TempDir(), targets, &bytes.Buffer{}); err == nil {
		t.Error("a release of no repository")
	}
}
