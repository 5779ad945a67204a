package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A private key is made where no commit takes it along.
func TestLogKeyIsNoContent(t *testing.T) {
	t.Parallel()
	_, a := smallRepository(t)
	a.write(".gitignore", "*.key\n")
	if err := os.Symlink(a.dir, a.dir+".link"); err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(t.TempDir(), "bare.git")
	a.git("init", "-q", "--bare", bare)
	for path, made := range map[string]bool{
		"log.pem": false, "scenarios/log.pem": false, a.dir + "/log.txt": false, a.dir + ".link/log.pem": false,
		"log.key": true, "../log.pem": true, bare + "/log.pem": true,
	} {
		out, err := rulestoreIn(a.dir, nil, "log", "key", "rules.example.org/log", path)
		if (err == nil) != made || !made && !strings.Contains(out, "a commit could take the private key along") {
			t.Errorf("%s: %v\n%s", path, err, out)
		}
	}
	if out := a.git("status", "--porcelain", "--untracked-files=all"); out != "?? .gitignore" {
		t.Errorf("there is %s", out)
	}
}
