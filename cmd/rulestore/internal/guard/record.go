package guard

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
)

// Record is what was decided about the states of a remote repository.
type Record struct {
	Ref    string `json:"ref,omitempty"`    // what was asked for when it was decided
	Folder string `json:"folder,omitempty"` // likewise

	Accepted State    `json:"accepted"`           // what is served
	Previous *State   `json:"previous,omitempty"` // what was before it
	Held     *Held    `json:"held,omitempty"`     // what the remote has, and is not served
	Waiting  *Waiting `json:"waiting,omitempty"`  // what is served after a while
	Pinned   *Pinned  `json:"pinned,omitempty"`   // nothing else is served, whatever comes

	Publications []string `json:"publications,omitempty"` // those of the accepted state, each with its checksum
	Missing      []string `json:"missing,omitempty"`      // those that were lost since somebody last confirmed, within what may be lost
}

// State is one of a remote that is served, or was.
type State struct {
	State      string    `json:"state"` // names the commit and the tags, see [NameState]
	Commit     string    `json:"commit"`
	Branch     string    `json:"branch"`
	Since      time.Time `json:"since"`
	Generation int       `json:"generation"`        // of the mirror
	At         string    `json:"at,omitempty"`      // the commit that it is read at, in place of the branch
	Content    string    `json:"content,omitempty"` // see [ContentOf]; empty: nobody knows
}

// Held is a state of a remote that is not served until somebody confirms it.
type Held struct {
	State     string    `json:"state"`
	Commit    string    `json:"commit"`
	Branch    string    `json:"branch"`
	Since     time.Time `json:"since"`     // when the first of several in a row was held back
	Rewritten bool      `json:"rewritten"` // the branch does not reach the accepted commit
	Losses    int       `json:"losses"`    // how many publications it loses
	New       int       `json:"new"`       // how many it brings
	Lost      []string  `json:"lost"`      // of these the first
}

// Pinned says since when nothing else is served.
type Pinned struct {
	Since time.Time `json:"since"`
}

// PinnedTo names the commit that is served whatever comes; empty if none is.
func (r Record) PinnedTo() string {
	if r.Pinned == nil {
		return ""
	}
	return content.ShortCommit(cmp.Or(r.Accepted.At, r.Accepted.Commit))
}

// HeldBack names the state that is not served, or not yet; empty if there is none.
func (r Record) HeldBack() string {
	switch {
	case r.Held != nil:
		return r.Held.State
	case r.Waiting != nil:
		return r.Waiting.State
	}
	return ""
}

// recordFile is the name of the file beside the generations of a mirror.
const recordFile = "accepted.json"

// maxRecord is far more than the names of all publications take.
const maxRecord = 256 << 20

// errNotRecord is about a file that is not what was written.
var errNotRecord = i18n.Errorf("it is not as it was written")

// readRecord reads a record; none is no error, and none that can be used is one.
func readRecord(file string) (*Record, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if info.Size() > maxRecord {
		return nil, errNotRecord
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	sum, raw, _ := bytes.Cut(raw, []byte("\n"))
	if string(sum) != sumOf(raw) {
		return nil, errNotRecord
	}
	var r Record
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, errNotRecord
	}
	return &r, nil
}

// sumOf is the first line of the file: a disk may lose a part of the rest.
func sumOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// write replaces the file as a whole, or leaves it as it is.
func (r *Record) write(file string) error {
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	// A mirror removes what begins like that, and a process that was killed left.
	f, err := os.CreateTemp(filepath.Dir(file), "new-"+recordFile)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone if it was renamed
	_, err = f.WriteString(sumOf(raw) + "\n" + string(raw))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}
