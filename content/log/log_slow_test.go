//go:build slow

package log_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"rulestore/content/log"
)

// What the Go team tries its own tree with: answers of a log of certificates.
func TestProofsOfALogOfCertificates(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/mod").Output()
	if err != nil {
		t.Skip(err)
	}
	read := func(name string, v any) {
		raw, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "sumdb", "tlog",
			"testdata", "argon2020", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, v); err != nil {
			t.Fatal(err)
		}
	}
	var head struct {
		Size int64    `json:"tree_size"`
		Root log.Hash `json:"sha256_root_hash"`
	}
	var list struct {
		Entries []struct {
			Leaf []byte `json:"leaf_input"`
		}
	}
	var included struct {
		Path []log.Hash `json:"audit_path"`
	}
	var consistent struct {
		Consistency []log.Hash
	}
	read("sth.json", &head)
	read("entries.json", &list)
	read("proof.json", &included)
	read("consistency.json", &consistent)
	now, leaf := log.Checkpoint{Size: head.Size, Root: head.Root}, log.Leaf(list.Entries[0].Leaf)
	if err := log.CheckInclusion(included.Path, 10000, leaf, now); err != nil {
		t.Error(err)
	}
	if log.CheckInclusion(included.Path, 10001, leaf, now) == nil ||
		log.CheckInclusion(included.Path, 10000, leaf+" ", now) == nil {
		t.Error("the proof of one leaf is taken for that of another")
	}
	root, err := tlog.ParseHash("AuIZ5V6sDUj1vn3Y1K85oOaQ7y+FJJKtyRTl1edIKBQ=")
	if err != nil {
		t.Fatal(err)
	}
	old := log.Checkpoint{Size: 3654490, Root: root}
	if err := log.CheckConsistency(consistent.Consistency, old, now); err != nil {
		t.Error(err)
	}
	if old.Root[0]++; log.CheckConsistency(consistent.Consistency, old, now) == nil {
		t.Error("another old tree is consistent too")
	}
}
