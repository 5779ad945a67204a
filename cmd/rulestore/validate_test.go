package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rulestore/loader/git"
)

// broken is a repository with findings of every severity, with and without a
// place, and with everything in them that a format has to escape.
func broken(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := git.Create(dir, nil); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		"rulestore.yaml":             "schema_version: \"1.0\"\nservice: x\n",
		"scenarios/deposits.yaml":    "scenario_id: \"a: b, c% d\"\nschema_version: \"1.0\"\ntitle: Deposits\ndescription: Как **выбрать** <b>\"вклад\"</b> & 50%.\n",
		"scenarios/100% of, it.yaml": "",
		"instructions/later.yaml": "instruction_id: x.later.001\nschema_version: \"1.0\"\ntitle: Потом\nsummary: Как прочитать договор.\n" +
			"steps: [{step: 1, code: A, title: Шаг, instructions: [Сравнить.]}]\nvalid_from: 2099-01-01\n",
		"parameters/x.yaml": "parameter_id: x\r\nschema_version: \"1.0\"\r\ntitle: \"\\e[31mКрасный\"\r\n",
		"glossarry/x":       "", "registrys/x": "",
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func validated(t *testing.T, dir, format string) string {
	t.Helper()
	out, log, err := ran(t, nil, "validate", "--repo", dir, "--format", format)
	if exitCode(err) > 1 {
		t.Fatalf("%v\n%s", err, log)
	}
	return out
}

// A workflow command is ::name key=value,key=value::data, in which %, line ends
// and, in values, : and , are escaped; GitHub reads nothing else.
var workflowCommand = regexp.MustCompile(`^::(error|warning|notice) [a-z]+=(?:[^%:,` +
	`\r\n]|%(?:25|0D|0A|3A|2C))+(?:,[a-z]+=(?:[^%:,\r\n]|%(?:25|0D|0A|3A|2C))+)*::(?:[^%\r\n]|%(?:25|0D|0A))+$`)

func TestGitHubCommands(t *testing.T) {
	out := validated(t, broken(t), "github")
	n := 0
	for line := range strings.Lines(out) {
		n++
		if !workflowCommand.MatchString(strings.TrimSuffix(line, "\n")) {
			t.Errorf("%q is no workflow command", line)
		}
	}
	if n < 8 || !strings.Contains(out, "file=scenarios/100%25 of%2C it.yaml,") {
		t.Errorf("%d commands:\n%s", n, out)
	}
}

// The same findings come in the same order in every format, every time, and
// nothing of content commands the terminal.
func TestFormatsAgree(t *testing.T) {
	dir := broken(t)
	text := validated(t, dir, "text")
	if strings.ContainsAny(text, "\x1b\r") {
		t.Errorf("the text commands the terminal: %q", text)
	}
	var answer struct {
		Findings []struct {
			Path, Rule, Severity, Message string
			Line, Column                  int
		}
		Errors, Warnings, Notes int
	}
	if err := json.Unmarshal([]byte(validated(t, dir, "json")), &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Errors+answer.Warnings+answer.Notes != len(answer.Findings) {
		t.Errorf("%d findings, counted as %d, %d and %d", len(answer.Findings), answer.Errors,
			answer.Warnings, answer.Notes)
	}
	rest := text
	for _, f := range answer.Findings {
		place := f.Path
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", f.Path, f.Line, f.Column)
		}
		_, after, ok := strings.Cut(rest, place+": "+f.Severity+": ")
		if !ok {
			t.Fatalf("%s [%s] is not where it should be in\n%s", place, f.Rule, text)
		}
		rest = after
	}
	for range 5 {
		if again := validated(t, dir, "text"); again != text {
			t.Fatalf("the second time it is\n%s\nafter\n%s", again, text)
		}
	}
}

// Colour is for a terminal that has it, unless somebody does not want it.
func TestColours(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminal can be had:", err)
	}
	defer terminal.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for i, c := range []struct {
		env  map[string]string
		out  any
		want bool
	}{
		{map[string]string{"TERM": "xterm"}, terminal, true},
		{map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, terminal, false},
		{map[string]string{"TERM": "dumb"}, terminal, false},
		{map[string]string{"TERM": "xterm"}, file, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			e := &env{getenv: func(name string) string { return c.env[name] },
				stdout: newOutput(c.out.(*os.File), func(name string) string { return c.env[name] })}
			if got := e.colours() != (colours{}); got != c.want {
				t.Errorf("%v: colours %v", c.env, got)
			}
		})
	}
}
