//go:build slow

// Package client tries the description of the interface as an integrator does: a client in TypeScript, of
// types that are generated from it, compiles and reads and calculates.
package client

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestClient needs Node 20, and what package.json lists, which `fetch` fetches.
func TestClient(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	modules, err := filepath.Abs("node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(modules, "openapi-typescript")); err != nil {
		t.Skip("what generates clients is not there: scripts/client/fetch fetches it")
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		c := exec.CommandContext(t.Context(), name, args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	url := serve(t)
	source, err := os.ReadFile("client.ts")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"client.ts": string(source), "package.json": `{"type": "module"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	run(node, "node_modules/openapi-typescript/bin/cli.js", url+"openapi.json", "-o", "schema.d.ts")
	run(node, "node_modules/typescript/bin/tsc", "--strict", "--noUncheckedIndexedAccess", "--module", "nodenext",
		"--target", "es2022", "client.ts")
	want := regexp.MustCompile(`^{"id":"[a-z.0-9-]+","conditions":[1-9]\d*,"versions":[1-9]\d*,"first":true,` +
		`"parameter":"[a-z.0-9-]+","found":[1-9]\d*,"calculated":"computed"}\n$`)
	if got := run(node, "client.js", url); !want.MatchString(got) {
		t.Errorf("the client says %s", got)
	}
}

// serve serves the starter content until the test ends, and returns the address with a slash at its end.
func serve(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "rulestore")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program,
		"rulestore/cmd/rulestore").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.CommandContext(t.Context(), program, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "off")
	c.Dir = t.TempDir()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Wait() }) // the context of the test ends it
	at := regexp.MustCompile(`^serving .* at (http://\S+/)`)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if m := at.FindStringSubmatch(lines.Text()); m != nil {
			go func() {
				for lines.Scan() {
				}
			}()
			return m[1]
		}
	}
	t.Fatal("it does not say where it serves")
	return ""
}
