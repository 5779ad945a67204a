//go:build slow

package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

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

// needTools skips a test where the program that lists components cannot be had.
func needTools(t *testing.T) {
	t.Helper()
	tools := exec.CommandContext(t.Context(), "go", "build", "-modfile=../tools/go.mod", "-o", t.TempDir(),
		"github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod")
	if out, err := tools.CombinedOutput(); err != nil {
		t.Skipf("cyclonedx-gomod cannot be built, so no release can list its components: %v\n%s", err, out)
	}
}

// A release has the program for each of six systems, its checksum and its components.
func TestReleaseForEachSystem(t *testing.T) {
	needTools(t)
	dir := committed(t)
	var out bytes.Buffer
	if err := release(t.Context(), dir, filepath.Join(dir, "dist"), targets, &out); err != nil {
		t.Fatal(err)
	}
	all := files(t, filepath.Join(dir, "dist"))
	if want := 2*len(targets) + 1; len(targets) != 6 || len(all) != want || all[sums] != out.String() {
		t.Errorf("%d files for %d systems, expected %d:\n%s", len(all), len(targets), want, &out)
	}
	for line := range strings.Lines(out.String()) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		checkFiles(t, all, name, sum)
	}
	begins := map[string]string{"linux": "\x7fELF", "darwin": "\xcf\xfa\xed\xfe", "windows": "MZ"}
	for name, raw := range all {
		for system, magic := range begins {
			if strings.Contains(name, "-"+system+"-") && !strings.HasSuffix(name, ".json") && !strings.HasPrefix(raw, magic) {
				t.Errorf("%s is no program of %s", name, system)
			}
		}
	}
}

// A release of one commit is the same bytes, whatever the folder and the settings of the
// machine, and each file is what the others say of it.
func TestRelease(t *testing.T) {
	needTools(t)
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
	if len(first) != 3 || printed != first[sums] || strings.Count(printed, "\n") != 1 {
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
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(first[file]))); got != sum {
			t.Errorf("%s: %s", line, got)
		}
		name = file
		checkFiles(t, first, file, sum)
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
	var b struct {
		Metadata struct {
			Properties []struct{ Name, Value string }
		}
		Components []any
	}
	if err := json.Unmarshal([]byte(all[name+".cdx.json"]), &b); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, p := range b.Metadata.Properties {
		found = found || p.Name == "cdx:gomod:binary:hash:SHA-256" && p.Value == sum
	}
	if !found || len(b.Components) != 1+len(info.Deps) {
		t.Errorf("%+v", b)
	}
}
