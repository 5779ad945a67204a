package git_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"rulestore/loader/git"
)

// Skipped lists what git lists as skipped, in every version of the index, and of what is
// no index it says so.
func TestSkipped(t *testing.T) {
	r := newRepo(t)
	r.write("rules/a.yaml", "a\n")
	r.write("rules/ab.yaml", "ab\n")
	r.write("rules/deep/b.yaml", "b\n")
	r.write("root.yaml", "c\n")
	r.git("add", ".")
	r.git("commit", "--quiet", "-m", "first")
	r.git("update-index", "--skip-worktree", "rules/ab.yaml", "rules/deep/b.yaml", "root.yaml")
	inRules := func(path string, _ git.Mode) bool { return path != "root.yaml" }
	index := filepath.Join(r.dir, ".git", "index")
	for _, version := range []string{"2", "3", "4"} {
		t.Run("version "+version, func(t *testing.T) {
			r.git("update-index", "--index-version", version)
			files, err := opened(t, git.OnDisk(r.dir)).Skipped(inRules)
			var got []string
			for _, f := range files {
				got = append(got, f.Path+" "+f.OID.String())
			}
			want := []string{"rules/ab.yaml " + r.git("rev-parse", "HEAD:rules/ab.yaml"),
				"rules/deep/b.yaml " + r.git("rev-parse", "HEAD:rules/deep/b.yaml")}
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		})
		t.Run("cut version "+version, func(t *testing.T) {
			raw, err := os.ReadFile(index)
			if err != nil {
				t.Fatal(err)
			}
			defer os.WriteFile(index, raw, 0o644)
			repo := opened(t, git.OnDisk(r.dir))
			for n := range len(raw) - 100 { // its end is a checksum and what speeds git up
				if err := os.WriteFile(index, raw[:n], 0o644); err != nil {
					t.Fatal(err)
				}
				if files, err := repo.Skipped(inRules); err == nil && len(files) != 2 {
					t.Errorf("of %d bytes: %v", n, files)
				}
			}
		})
	}
	for name, raw := range map[string]string{
		"empty": "", "text": "this is no index at all", "version 9": "DIRC\x00\x00\x00\x09\x00\x00\x00\x01",
		"many": "DIRC\x00\x00\x00\x02\xff\xff\xff\xff", "of folders": "DIRC\x00\x00\x00\x04\x00\x00\x00\x01" +
			string(make([]byte, 100)),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(index, []byte(raw), 0o644); err != nil {
				t.Fatal(err)
			}
			files, err := opened(t, git.OnDisk(r.dir)).Skipped(inRules)
			if err == nil && name != "of folders" || len(files) > 0 {
				t.Error(files, err)
			}
		})
	}
}
