package history

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func entry(i int) Entry {
	return Entry{
		Time: time.Date(2026, 11, 1, 0, 0, i, 0, time.UTC), Snapshot: fmt.Sprintf("%016x", i),
		Commit: strings.Repeat("a", 40),
		Added:  []string{"guidelines/x.001/v1.0.0"},
	}
}

func open(t *testing.T, name string) *History {
	t.Helper()
	h, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func add(t *testing.T, h *History, entries ...Entry) {
	t.Helper()
	for _, e := range entries {
		if err := h.Add(e); err != nil {
			t.Fatal(err)
		}
	}
}

// What one process noted the next one knows, each swap once, and a line that was cut off costs
// that line alone.
func TestHistory(t *testing.T) {
	name := filepath.Join(t.TempDir(), "history.jsonl")
	h := open(t, name)
	add(t, h, entry(1), entry(1), entry(2))
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(raw, []byte("\n")); n != 2 {
		t.Errorf("%d lines:\n%s", n, raw)
	}
	if err := os.WriteFile(name, raw[:len(raw)-20], 0o644); err != nil {
		t.Fatal(err)
	}
	h = open(t, name)
	add(t, h, entry(3))
	h = open(t, name)
	if e, until, ok := h.Find(entry(1).Snapshot); !ok || e.Commit != entry(1).Commit || !until.Equal(entry(3).Time) {
		t.Errorf("%+v, %s, %t", e, until, ok)
	}
	if _, _, ok := h.Find(entry(2).Snapshot); ok {
		t.Error("half a line is read")
	}
	if _, until, ok := h.Find(entry(3).Snapshot); !ok || !until.IsZero() {
		t.Errorf("the newest was served until %s, %t", until, ok)
	}
	if got := h.Entries(); len(got) != 2 || got[0].Snapshot != entry(3).Snapshot {
		t.Errorf("%+v", got)
	}
}

// The file is put aside before it is too long, and memory is bounded.
func TestBounds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "history.jsonl")
	h := open(t, name)
	long := strings.Repeat("x", 50<<10)
	for i := range 400 {
		e := entry(i)
		e.Added = []string{long}
		add(t, h, e)
	}
	for _, file := range []string{name, name + older} {
		if info, err := os.Stat(file); err != nil || info.Size() > maxFile {
			t.Errorf("%v, %v", info, err)
		}
	}
	memory := open(t, "")
	for i := range maxEntries + 10 {
		add(t, memory, entry(i))
	}
	if n := len(memory.Entries()); n > maxEntries {
		t.Errorf("%d entries are remembered", n)
	}
}

// What cannot be kept is said, and remembered.
func TestUnwritable(t *testing.T) {
	h := open(t, filepath.Join(t.TempDir(), "missing", "history.jsonl"))
	if err := h.Add(entry(1)); err == nil {
		t.Error("no error")
	}
	if _, _, ok := h.Find(entry(1).Snapshot); !ok {
		t.Error("it is forgotten")
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("a folder is read")
	}
}
