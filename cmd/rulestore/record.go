package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"rulestore/content/i18n"
)

// record is what was decided about the states of a remote repository. It is kept beside the
// mirror, so that a process goes on where the one before it ended.
type record struct {
	Ref    string `json:"ref,omitempty"`    // what was asked for when it was decided
	Folder string `json:"folder,omitempty"` // likewise

	Accepted accepted  `json:"accepted"`           // what is served
	Previous *accepted `json:"previous,omitempty"` // what was before it
	Held     *heldBack `json:"held,omitempty"`     // what the remote has, and is not served
	Pinned   *pinned   `json:"pinned,omitempty"`   // nothing else is served, whatever comes

	Publications []string `json:"publications,omitempty"` // those of the accepted state, each with its checksum
	Missing      []string `json:"missing,omitempty"`      // those that were lost since somebody last confirmed, within what may be lost
}

// accepted is a state of a remote that is served, or was.
type accepted struct {
	State      string    `json:"state"` // names the commit and the tags, see [nameState]
	Commit     string    `json:"commit"`
	Branch     string    `json:"branch"`
	Since      time.Time `json:"since"`
	Generation int       `json:"generation"`   // of the mirror
	At         string    `json:"at,omitempty"` // the commit that it is read at, in place of the branch
}

// heldBack is a state of a remote that is not served until somebody confirms it.
type heldBack struct {
	State     string    `json:"state"`
	Commit    string    `json:"commit"`
	Branch    string    `json:"branch"`
	Since     time.Time `json:"since"`     // when the first of several in a row was held back
	Rewritten bool      `json:"rewritten"` // the branch does not reach the accepted commit
	Losses    int       `json:"losses"`    // how many publications it loses
	Lost      []string  `json:"lost"`      // of these the first
}

// pinned says since when nothing else is served.
type pinned struct {
	Since time.Time `json:"since"`
}

// recordFile is the name of the file beside the generations of a mirror.
const recordFile = "accepted.json"

// maxRecord is far more than the names of all publications take.
const maxRecord = 256 << 20

// errNotRecord is about a file that is not what was written.
var errNotRecord = i18n.Errorf("it is not as it was written")

// readRecord reads a record; none is no error, and none that can be used is one.
func readRecord(file string) (*record, error) {
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
	var r record
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
func (r *record) write(file string) error {
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
