// Package history records what a process served, and since when: a line of JSON for each
// snapshot that was served, in an append-only file.
//
// When the file reaches [maxFile] bytes, it replaces the previous old file, and a new one
// is started. A line that was cut off by a power failure is skipped.
package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"rulestore/content/i18n"
)

// Entry is a snapshot that was served.
type Entry struct {
	Time         time.Time `json:"time"`
	Snapshot     string    `json:"snapshot"`
	Commit       string    `json:"commit"`
	Branch       string    `json:"branch"`
	Date         string    `json:"date"` // the date as of which it was made
	LogSize      int64     `json:"log_size"`
	Publications int       `json:"publications"`
	Added        []string  `json:"added,omitempty"`   // the first tags with new content
	Removed      []string  `json:"removed,omitempty"` // the first removed tags
	Build        string    `json:"build"`
	Sources      []Part    `json:"sources,omitempty"` // the repositories, if there are several
}

// Part is one of several repositories, as it was served.
type Part struct {
	Name    string `json:"name"`
	Commit  string `json:"commit"`
	Branch  string `json:"branch"`
	Date    string `json:"date"`
	LogSize int64  `json:"log_size"`
}

const (
	maxFile    = 8 << 20
	maxEntries = 10_000 // that are remembered
	older      = ".1"   // the ending of the file that was put aside
)

// History is the list of served snapshots. It may be used concurrently.
type History struct {
	name string // "" if nothing is kept

	mu      sync.Mutex
	entries []Entry // oldest first
}

// Open reads the history from a file; without a name it is kept in memory only.
func Open(name string) (*History, error) {
	h := &History{name: name}
	if name == "" {
		return h, nil
	}
	for _, file := range []string{name + older, name} {
		if err := h.read(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, i18n.Errorf("read what was served before: %w", err)
		}
	}
	return h, nil
}

func (h *History) read(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, 2*maxFile))
	for line := range bytes.Lines(raw) {
		var e Entry
		if json.Unmarshal(line, &e) == nil && e.Snapshot != "" {
			h.remember(e)
		}
	}
	return err
}

// remember appends an entry to those in memory.
func (h *History) remember(e Entry) {
	h.entries = append(h.entries, e)
	if len(h.entries) > maxEntries {
		h.entries = append([]Entry(nil), h.entries[len(h.entries)-maxEntries/2:]...)
	}
}

// Add records that a snapshot is served from now on, unless it is the last one recorded. If it
// cannot be written, it is still kept in memory.
func (h *History) Add(e Entry) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.entries); n > 0 && h.entries[n-1].Snapshot == e.Snapshot {
		return nil
	}
	h.remember(e)
	if h.name == "" {
		return nil
	}
	line, err := json.Marshal(e)
	if err == nil {
		err = h.write(append(line, '\n'))
	}
	if err != nil {
		return i18n.Errorf("keep what is served, in %s: %w", h.name, err)
	}
	return nil
}

// write appends a line, after an end of line if the last one was cut off.
func (h *History) write(line []byte) error {
	if info, err := os.Stat(h.name); err == nil && info.Size()+int64(len(line)) > maxFile {
		if err := os.Rename(h.name, h.name+older); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(h.name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	last := []byte{'\n'}
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		_, _ = f.ReadAt(last, info.Size()-1)
	}
	if !bytes.Equal(last, []byte{'\n'}) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Sync(), f.Close())
}

// Entries returns the served snapshots, newest first.
func (h *History) Entries() []Entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := slices.Clone(h.entries)
	slices.Reverse(all)
	return all
}

// Find returns the last entry of the snapshot with an id, and when it was replaced; zero if it
// was not.
func (h *History) Find(snapshot string) (e Entry, until time.Time, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := len(h.entries) - 1; i >= 0; i-- {
		if h.entries[i].Snapshot != snapshot {
			continue
		}
		if i+1 < len(h.entries) {
			until = h.entries[i+1].Time
		}
		return h.entries[i], until, true
	}
	return e, until, false
}
