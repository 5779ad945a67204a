package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWebhookSecrets(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		file, env, says string
	}{
		"none":          {"", "", "needs the secret that the host signs with"},
		"short":         {"", "swordfish", "too short: at least 16"},
		"no such file":  {filepath.Join(dir, "gone"), "", "read the secret"},
		"an empty line": {file("empty", "\n0123456789abcdef"), "", "first line of"},
		"a large file":  {file("large", strings.Repeat("x", maxSecret+1)), "", "has more than"},
		"the variable":  {"", "0123456789abcdef", ""},
		"the file":      {file("good", "0123456789abcdef\r\n"), "swordfish", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := &env{getenv: func(string) string { return c.env }}
			secret, err := (&config{webhookAddr: "127.0.0.1:0", webhookSecretFile: c.file}).webhookSecret(e)
			if c.says == "" {
				if err != nil || secret != "0123456789abcdef" {
					t.Fatalf("%q, %v", secret, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, expected %q", err, c.says)
			} else if c.env != "" && strings.Contains(err.Error(), c.env) {
				t.Errorf("the error gives the secret away: %v", err)
			}
		})
	}
}
