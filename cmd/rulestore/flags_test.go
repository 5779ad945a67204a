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

// Mirrors are where each system has the caches of a user.
func TestUserCacheDir(t *testing.T) {
	for _, c := range []struct{ system, env, want string }{
		{"linux", "HOME=/h", "/h/.cache"},
		{"linux", "HOME=/h XDG_CACHE_HOME=/x", "/x"},
		{"linux", "HOME=/h XDG_CACHE_HOME=x", ""},
		{"linux", "", ""},
		{"darwin", "HOME=/h XDG_CACHE_HOME=/x", "/h/Library/Caches"},
		{"darwin", "XDG_CACHE_HOME=/x", ""},
		{"windows", "HOME=/h LocalAppData=/l", "/l"},
		{"windows", "HOME=/h", ""},
	} {
		getenv := func(name string) string {
			_, value, _ := strings.Cut(" "+c.env, " "+name+"=")
			value, _, _ = strings.Cut(value, " ")
			return value
		}
		if got := userCacheDir(c.system, getenv); got != filepath.FromSlash(c.want) {
			t.Errorf("%s %q: %q, want %q", c.system, c.env, got, c.want)
		}
	}
}
