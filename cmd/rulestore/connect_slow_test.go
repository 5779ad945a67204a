//go:build slow

package main

import (
	"bytes"
	"encoding/json"
	gofmt "go/format"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What pages say how to ask for each operation is run, in each language, against the server
// that says it.
func TestConnectSnippets(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	s := start(t, "--repo", bare)
	_ = a
	var all []snippet
	operations := operationIn.FindAllStringSubmatch(string(s.mustGet("/connect/api", "text/html").body), -1)
	for _, m := range operations {
		all = append(all, s.snippets(m[1])...)
	}
	if len(operations) < 100 || len(all) < 4*50 {
		t.Fatalf("%d operations, %d snippets", len(operations), len(all))
	}
	all = append(all, s.snippets("/connect")...)
	t.Run("shell", func(t *testing.T) { runShell(t, all) })
	t.Run("python", func(t *testing.T) { runAll(t, all, "python", ".py", runsPython, "python3") })
	t.Run("javascript", func(t *testing.T) { runAll(t, all, "javascript", ".mjs", runsJavaScript, "node") })
	t.Run("go", func(t *testing.T) { runGo(t, all) })
	t.Run("settings", func(t *testing.T) { checkSettings(t, s, all) })
}

// installed skips a test of what is not there.
func installed(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed: what pages say for it is not run", p)
		}
	}
}

func runShell(t *testing.T, all []snippet) {
	installed(t, "sh", "curl")
	for _, one := range all {
		if one.language != "sh" || strings.HasPrefix(one.code, "claude ") {
			continue
		}
		if _, err := exec.LookPath("jq"); err != nil && strings.Contains(one.code, "jq ") {
			t.Log("jq is not installed: the command that checks a checksum is not run")
			continue
		}
		var wrong bytes.Buffer
		c := exec.CommandContext(t.Context(), "sh", "-c", one.code)
		c.Stderr = &wrong
		if out, err := c.Output(); err != nil || len(out) == 0 {
			t.Errorf("%s: %v %s: %d bytes of\n%s", one.page, err, wrong.Bytes(), len(out), one.code)
		}
	}
}

// Each file is run by itself, in one process.
const (
	runsPython = `import io, sys, traceback
for name in sys.argv[1:]:
    sys.stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    try:
        exec(compile(open(name, encoding="utf-8").read(), name, "exec"), {"__name__": "__main__"})
        sys.stdout.flush()
        wrong = "" if sys.stdout.buffer.getvalue() else "it prints nothing"
    except Exception:
        wrong = traceback.format_exc()
    sys.stdout = sys.__stdout__
    if wrong:
        print(name, wrong)
`
	runsJavaScript = `const log = console.log;
for (const name of process.argv.slice(2)) {
  let printed = "";
  console.log = (text) => { printed += text; };
  try { await import("file://" + name); } catch (e) { printed = ""; log(name, e); }
  if (!printed) log(name, "prints nothing");
}
`
)

// runAll runs what pages say in a language.
func runAll(t *testing.T, all []snippet, language, ending, runner, program string) {
	installed(t, program)
	dir := t.TempDir()
	args := []string{filepath.Join(dir, "runner"+ending)}
	writeFile(t, args[0], runner)
	for _, one := range all {
		if one.language == language {
			name := filepath.Join(dir, filepath.Base(one.page)+ending)
			writeFile(t, name, one.code)
			args = append(args, name)
		}
	}
	if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// runGo runs a program for each way of asking: each takes a second to build. All of them are
// formatted as gofmt does.
func runGo(t *testing.T, all []snippet) {
	dir := t.TempDir()
	for _, one := range all {
		if one.language != "go" {
			continue
		}
		if formatted, err := gofmt.Source([]byte(one.code)); err != nil ||
			strings.TrimSpace(string(formatted)) != one.code {
			t.Errorf("%s: %v, or it is not formatted:\n%s", one.page, err, one.code)
		}
		switch filepath.Base(one.page) {
		case "getGuideline", "calculate":
			name := filepath.Join(dir, filepath.Base(one.page)+".go")
			writeFile(t, name, one.code)
			c := exec.CommandContext(t.Context(), "go", "run", name)
			c.Dir = dir
			if out, err := c.CombinedOutput(); err != nil || !json.Valid(out) {
				t.Errorf("%s: %v\n%s", one.page, err, out)
			}
		}
	}
}

// checkSettings reads the settings of clients, which name this server.
func checkSettings(t *testing.T, s *running, all []snippet) {
	n := 0
	for _, one := range all {
		if one.language != "json" {
			continue
		}
		n++
		var settings map[string]map[string]struct {
			URL, Command string
			Args         []string
		}
		if err := json.Unmarshal([]byte(one.code), &settings); err != nil {
			t.Errorf("%s: %v\n%s", one.id, err, one.code)
		}
		for _, servers := range settings {
			for _, server := range servers {
				if server.URL != s.url+"/mcp" && (server.Command != "rulestore" || server.Args[0] != "mcp") {
					t.Errorf("%s: %+v", one.id, server)
				}
			}
		}
	}
	if n < 3 {
		t.Errorf("settings for %d clients", n)
	}
}

var (
	snippetIn   = regexp.MustCompile(`(?s)<code id="([^"]+)" data-language="([^"]+)">(.*?)</code>`)
	operationIn = regexp.MustCompile(`href="(/connect/api/[A-Za-z]+)"`)
)

// snippet is something to copy from a page.
type snippet struct{ page, id, language, code string }

// snippets are those of a page.
func (s *running) snippets(path string) (all []snippet) {
	s.Helper()
	for _, m := range snippetIn.FindAllStringSubmatch(string(s.mustGet(path, "text/html").body), -1) {
		all = append(all, snippet{path, m[1], m[2], html.UnescapeString(m[3])})
	}
	return all
}
