//go:build slow

package export_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/server/export"
)

// What is served stays until the other tree is finished, whatever became of its inventory; an
// inventory that names files elsewhere touches none of them.
func TestSpoiltInventory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	if err := os.WriteFile(mine, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "export")
	write(t, writer(t, to), first())
	for _, inventory := range []string{"", "{", `{"files":[{"name":"../../mine"}]}`} {
		at := filepath.Join(current(to), export.Inventory)
		if err := errors.Join(os.Remove(at), os.WriteFile(at, []byte(inventory), 0o644)); err != nil {
			t.Fatal(err)
		}
		before := held(t, current(to))
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := writer(t, to).Write(ended, second()); err == nil {
			t.Error("it was written although the context had ended")
		}
		sameFiles(t, held(t, current(to)), before)
		write(t, writer(t, to), second())
		if _, err := os.Stat(mine); err != nil {
			t.Error(err)
		}
	}
	if err := errors.Join(os.Remove(current(to)), os.Symlink("../mine", current(to))); err != nil {
		t.Fatal(err)
	}
	if _, err := writer(t, to).Write(t.Context(), second()); err == nil || !strings.Contains(err.Error(), "mine") {
		t.Errorf("a link that leads elsewhere: %v", err)
	}
}

// Files that were changed, cut off or lost are written again by the next process, whatever the list
// of files says.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, writer(t, dir), first())
	want := held(t, current(dir))
	item := filepath.Join(current(dir), "api/v1/guidelines/product.common.001")
	raw, err := os.ReadFile(item + ".json")
	raw = append(raw[:len(raw)-1], ' ')
	if err := errors.Join(
		err, os.WriteFile(item+".json", raw, 0o644), os.Truncate(item+".md", 1), os.Truncate(item+".html.gz", 0),
		os.Remove(item+".html.br"), os.Remove(filepath.Join(current(dir), "llms.txt")),
	); err != nil {
		t.Fatal(err)
	}
	write(t, writer(t, dir), first())
	sameFiles(t, held(t, current(dir)), want)
}

// Somebody replaces the tree, or a folder in it, by a file or by a link. The next export makes it what it
// was, and writes nothing where a link leads to.
func TestForeignFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	known := writer(t, dir)
	write(t, known, first())
	want := held(t, current(dir))
	for _, c := range []struct {
		name, replaced, by string // by a file if that is empty
		with               *export.Writer
	}{
		{"a tree by a file", "current", "", known},
		{"a tree by a link", "current", t.TempDir(), known},
		{"a folder by a file", "current/api/v1", "", writer(t, dir)},
		{"a folder by a link", "current/api", t.TempDir(), known},
		{"a folder by one beside it", "current/api/v1/guidelines", "math", writer(t, dir)},
	} {
		t.Run(c.name, func(t *testing.T) {
			at, err := os.Readlink(current(dir))
			if err != nil {
				t.Fatal(err)
			}
			replace(t, filepath.Join(dir, strings.Replace(c.replaced, "current", at, 1)), c.by)
			var before map[string][]byte
			if filepath.IsAbs(c.by) {
				before = held(t, c.by)
			}
			if _, err := c.with.Write(t.Context(), first()); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			sameFiles(t, held(t, current(dir)), want)
			if before != nil {
				sameFiles(t, held(t, c.by), before)
			}
			if t.Failed() {
				t.Fatal(c.name)
			}
		})
	}
}

// replace replaces a folder by a link, to where its files are moved if that is an absolute path, or by
// a file.
func replace(t *testing.T, path, by string) {
	t.Helper()
	var err error
	switch {
	case by == "":
		err = errors.Join(os.RemoveAll(path), os.WriteFile(path, nil, 0o644))
	case filepath.IsAbs(by):
		err = errors.Join(os.Remove(by), os.Rename(path, by), os.Symlink(by, path))
	default:
		err = errors.Join(os.RemoveAll(path), os.Symlink(by, path))
	}
	if err != nil {
		t.Fatal(err)
	}
}
