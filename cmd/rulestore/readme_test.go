package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rulestore/server/calc"
)

// manuals are those for people, beside what they describe.
var manuals = strings.Fields(`
	README.md .github/CONTRIBUTING.md .github/SECURITY.md content/log/README.md server/README.md
	scripts/deploy/README.md scripts/deploy/SCALING.md scripts/deploy/RELEASES.md
`)

func manual(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile("../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

var (
	links  = regexp.MustCompile(`\]\(([^):]*?)(?:#([^)]*))?\)`)
	titles = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// Where a manual leads to, there is something.
func TestManualsLeadSomewhere(t *testing.T) {
	for _, name := range manuals {
		for _, link := range links.FindAllStringSubmatch(manual(t, name), -1) {
			target := filepath.Join(filepath.Dir(name), link[1])
			if link[1] == "" {
				target = name
			}
			if _, err := os.Stat("../../" + target); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if link[2] != "" && !hasAnchor(manual(t, target), link[2]) {
				t.Errorf("%s: %s has no part #%s", name, target, link[2])
			}
		}
	}
}

// hasAnchor reports whether a text has the heading of an anchor, as hosts form them.
func hasAnchor(text, anchor string) bool {
	for _, h := range titles.FindAllStringSubmatch(text, -1) {
		words := regexp.MustCompile(`[^\pL\pN -]`).ReplaceAllString(strings.ToLower(h[1]), "")
		if strings.ReplaceAll(words, " ", "-") == anchor {
			return true
		}
	}
	return false
}

// Every flag and variable that a manual names is one of the program, or of git and others that the line is about.
func TestManualsNameFlags(t *testing.T) {
	known := map[string]bool{}
	for _, f := range flagsOf(newRoot(&env{}), true) {
		known["--"+f.Name], known[variable(f.Name)] = true, true
	}
	for _, name := range []string{gitUsername, gitPassword, webhookSecret, logKey} {
		known[name] = true
	}
	named := regexp.MustCompile("`(--[a-z-]+)|\\brulestore [a-z]+ [^`\n|]*|RULESTORE_[A-Z_]+")
	for _, name := range manuals {
		for _, m := range named.FindAllString(manual(t, name), -1) {
			for _, one := range regexp.MustCompile(`--[a-z-]+|RULESTORE_[A-Z_]+`).FindAllString(m, -1) {
				if !known[one] && one != "RULESTORE_" && one != "--help" {
					t.Errorf("%s names %s in %q", name, one, m)
				}
			}
		}
	}
}

// The README is as long as people read, and its numbers are true.
func TestReadmeIsTrue(t *testing.T) {
	text := manual(t, "README.md")
	if n := strings.Count(text, "\n"); n < 150 || n > 200 {
		t.Errorf("it has %d lines", n)
	}
	tools := 0
	for range calc.New().Tools() {
		tools++
	}
	for _, name := range []string{"README.md", "server/README.md"} {
		if m := regexp.MustCompile(`(\d+) calculations`).FindStringSubmatch(manual(t, name)); m == nil || m[1] != strconv.Itoa(tools) {
			t.Errorf("%s: %q, there are %d", name, m, tools)
		}
	}
	if n := strings.Count(text, "| `RULESTORE_"); n != 6 {
		t.Errorf("it has %d settings of the first day", n)
	}
	if m := regexp.MustCompile(`Go (1\.\d+)`).FindStringSubmatch(text); m == nil || !strings.Contains(manual(t, "go.mod"), "\ngo "+m[1]) {
		t.Errorf("it needs %q", m)
	}
}

// What the README asks is answered, and what it calculates comes to what it says.
func TestReadmeAsks(t *testing.T) {
	s := start(t, "--repo", young(t))
	ask := regexp.MustCompile(`(?m)^curl .*?'?http://127\.0\.0\.1:8080(/[^'\s]*)`)
	asked := ask.FindAllStringSubmatch(manual(t, "README.md"), -1)
	if len(asked) < 7 {
		t.Fatalf("%d questions", len(asked))
	}
	for _, m := range asked {
		if m[1] == "/api/v1/math/tools/loan_payment" {
			continue
		}
		if got := s.mustGet(m[1], "*/*"); got.status != 200 {
			t.Errorf("%s: %d", m[1], got.status)
		}
	}
}

// The recipe of the checksum prints the checksum.
func TestReadmeChecksum(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed")
	}
	recipe := regexp.MustCompile(`jq -jcS '[^']+'`).FindString(manual(t, "README.md"))
	got := start(t, "--repo", young(t)).mustGet("/api/v1/guidelines/"+common, "*/*")
	c := exec.Command("sh", "-c", recipe+" | sha256sum")
	c.Stdin = bytes.NewReader(got.body)
	out, err := c.Output()
	sum, _, _ := strings.Cut(string(out), " ")
	if err != nil || "sha256:"+sum != got.header.Get("X-Content-Checksum") {
		t.Errorf("%v: %s, the answer says %s", err, out, got.header.Get("X-Content-Checksum"))
	}
}
