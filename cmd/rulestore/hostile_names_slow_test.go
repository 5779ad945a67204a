//go:build slow

package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// annotation is a workflow command as validate writes them.
var annotation = regexp.MustCompile(`(?m)^::(error|warning|notice) [^\n]*?::[^\n]*$`)

// Whatever a repository names, nothing that any command prints commands a terminal or a
// workflow, and JSON is JSON.
func TestHostileNames(t *testing.T) {
	a := hostileRepository(t)
	out := t.TempDir()
	tests := [][]string{
		{"validate"}, {"validate", "--strict", "--base", "HEAD~1"}, {"validate", "--ref", "HEAD"},
		{"validate", "--ref", lines}, {"validate", "--base", lines},
		{"validate", "--format", "json", "--base", "HEAD~1"}, {"validate", "--format", "sarif"},
		{"validate", "--format", "github", "--base", "HEAD~1"},
		{"validate", lines}, {"validate", "--fix"},
		{"validate", "--format", lines}, {"validate", "--" + lines}, {lines}, {"help", lines},
		{"status"}, {"status", "--format", "json"}, {"status", "--ref", lines}, {"status", "--trusted-signers", lines},
		{"diff", "scenarios/published"}, {"diff", "scenarios/published", "--format", "json"},
		{"diff", "published", "1.0.0", "1.1.0"}, {"diff", lines}, {"diff", "published", lines},
		{"diff", "scenarios/fields"},
		{"publish", "--dry-run"}, {"publish"}, {"publish", lines}, {"publish", "--ref", lines},
		{"publish", "--prepare"}, {"publish", "--tag"}, {"publish", "--push"}, {"publish", "--bump", lines},
		{"publish", "--release", lines},
		{"mark", "scenarios/published", "archived", "--reason", lines}, {"mark", lines, "archived", "--reason", lines},
		{"mark", "scenarios/published@1.0.0", "archived", "--reason", "x"},
		{"explain", lines}, {"calc", lines}, {"calc", "loan_payment", "--input", lines}, {"version", lines},
		{"rules", "--format", lines},
		{"check"}, {"check", "--drafts"}, {"check", "--format", "json"},
		{"check", "--ref", lines}, {"serve", "--addr", lines}, {"serve", "--base-url", lines},
		{"init", filepath.Join(out, "x"+strings.ReplaceAll(lines, "/", ""))}, {"mcp"}, {"healthcheck", lines},
		{"verify", lines}, {"verify", "http://127.0.0.1:1", "--ref", lines},
	}
	for _, args := range tests {
		t.Run(strings.ToValidUTF8(strings.Join(args, " "), "?"), func(t *testing.T) {
			if args[0] == "validate" || args[0] == "status" || args[0] == "diff" || args[0] == "publish" ||
				args[0] == "mark" || args[0] == "serve" || args[0] == "mcp" {
				args = append(args, "--repo", a.dir)
			}
			out, log, _ := ran(t, map[string]string{"GITHUB_ACTIONS": "true"}, args...)
			stdout := out
			if strings.Contains(strings.Join(args, " "), "--format github") {
				if !strings.Contains(stdout, "::error ") {
					t.Errorf("nothing is annotated:\n%s", stdout)
				}
				stdout = annotation.ReplaceAllStringFunc(stdout, func(s string) string { return "x" + s })
			}
			for _, text := range []string{stdout, log} {
				if problem := unfit(text); problem != "" {
					t.Errorf("%s in\n%q", problem, text)
				}
			}
			if out+log == "" {
				t.Error("it says nothing")
			}
			if strings.Contains(strings.Join(args, " "), "--format json") && out != "" &&
				!json.Valid([]byte(out)) {
				t.Errorf("no JSON: %s", out)
			}
		})
	}
}
