package gitcmd_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader/gitcmd"
)

// Of what a git that fails has to say, the beginning is kept, however much it is.
func TestUploadPackFails(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\necho 'fatal: no such thing' >&2\nhead -c 3000000 /dev/zero | tr '\\0' x >&2\nexit 128\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	p, err := gitcmd.Environ(nil).UploadPack(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	_, err = io.ReadAll(p)
	if err == nil || !strings.Contains(err.Error(), "git upload-pack: fatal: no such thing\nxxx") {
		t.Fatalf("%.200v", err)
	}
	if n := len(err.Error()); n > 1100 {
		t.Errorf("the error has %d bytes", n)
	}
}
