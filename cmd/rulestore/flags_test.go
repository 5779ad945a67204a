package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Relative paths begin from the folder of the command, wherever the process runs, and are told as they
// were written.
func TestPathsFromTheFolderOfTheCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	request := `{"inputs": {"principal": "1000000", "annual_rate_pct": "12", "term_months": 12}}`
	if err := os.WriteFile(filepath.Join(dir, "request.json"), []byte(request), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{
		"request.json":        `"tool_id":"loan_payment"`,
		"./request.json":      `"tool_id":"loan_payment"`,
		dir + "/request.json": `"tool_id":"loan_payment"`,
		"no.json":             "rulestore: read the request: open no.json: ",
		"../no/no.json":       "rulestore: read the request: open ../no/no.json: ",
		dir + "/no.json":      "rulestore: read the request: open " + dir + "/no.json: ",
	} {
		var out bytes.Buffer
		_ = runIn(t.Context(), []string{"calc", "loan_payment", "--input", name}, env{
			dir: dir, getenv: func(string) string { return "" }, stdin: strings.NewReader(""),
			stdout: &out, stderr: &out,
		})
		if !strings.Contains(out.String(), says) {
			t.Errorf("%s: expected %q, got %s", name, says, &out)
		}
	}
}

// Mirrors are where a user has caches, on each system.
func TestCache(t *testing.T) {
	for variables, want := range map[[2]string]string{
		{"/h", ""}: "/h/.cache/rulestore", {"/h", "/x"}: "/x/rulestore", {"/h", "x"}: "/h/.cache/rulestore",
		{"", ""}: "",
	} {
		e := &env{getenv: func(name string) string {
			return map[string]string{"HOME": variables[0], "XDG_CACHE_HOME": variables[1]}[name]
		}}
		if got, err := (&config{}).cache(e); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", variables, got, err, want)
		}
	}
}
