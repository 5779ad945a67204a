package follow

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"rulestore/content/i18n"
	"rulestore/content/log"
)

// Decisions has the decisions about states of a remote repository.
type Decisions struct {
	Ref    string `json:"ref,omitempty"`    // the requested ref at that time
	Folder string `json:"folder,omitempty"` // the requested folder at that time

	Accepted State      `json:"accepted"`       // the served state
	Held     *HeldState `json:"held,omitempty"` // the remote's state, which is not served

	Log *log.Checkpoint `json:"log,omitempty"` // the newest head of the log that was accepted; nil if there was none

	Publications []string `json:"publications,omitempty"` // those of the accepted state, each with its checksum
	Missing      []string `json:"missing,omitempty"`      // lost since the last confirmation, within the limit
}

// State is a state of a remote that is served.
type State struct {
	State  string    `json:"state"` // identifies the commit and the tags, see [NameState]
	Commit string    `json:"commit"`
	Branch string    `json:"branch"`
	Since  time.Time `json:"since"`
}

// HeldState is a state of a remote that is not served until somebody confirms it.
type HeldState struct {
	State     string    `json:"state"`
	Commit    string    `json:"commit"`
	Branch    string    `json:"branch"`
	Since     time.Time `json:"since"`           // when the first of several successive ones was held back
	Rewritten bool      `json:"rewritten"`       // the accepted commit is not reachable from the branch
	Moved     bool      `json:"moved,omitempty"` // what a tag or commit fixes is not what it was
	Log       bool      `json:"log,omitempty"`   // its log does not go on with the accepted one
	Losses    int       `json:"losses"`          // number of publications that it loses
	New       int       `json:"new"`             // number of publications that it adds
	Lost      []string  `json:"lost"`            // the first of the lost ones
}

// header is the header value for a state that is held back, nil if there is none.
func (r Decisions) header() []string {
	h := r.Held
	if h == nil {
		return nil
	}
	return []string{fmt.Sprintf(
		`guard; state="%s"; commit="%s"; since="%s"`, h.State, h.Commit, h.Since.Format(time.RFC3339),
	)}
}

// decisionsFile is the name of the file in the folder of a mirror.
const decisionsFile = "accepted.json"

// maxDecisions is the maximum size of the file in bytes, far more than the names of all
// publications.
const maxDecisions = 256 << 20

// errDamagedFile is the error for a damaged file.
var errDamagedFile = i18n.Errorf("it is not as it was written")

// readDecisions reads a file of decisions, nil if there is none. It is an error if it is damaged.
func readDecisions(file string) (*Decisions, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if info.Size() > maxDecisions {
		return nil, errDamagedFile
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	sum, raw, _ := bytes.Cut(raw, []byte("\n"))
	if string(sum) != sumOf(raw) {
		return nil, errDamagedFile
	}
	var r Decisions
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, errDamagedFile
	}
	return &r, nil
}

// sumOf is the first line of the file, a checksum of the rest, part of which can be lost on the
// disk.
func sumOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// write replaces the file atomically.
func (r *Decisions) write(file string) error {
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	// A mirror removes what killed processes left there under other names.
	f, err := os.CreateTemp(filepath.Dir(file), "new-"+decisionsFile)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // does not exist if it was renamed
	_, err = f.WriteString(sumOf(raw) + "\n" + string(raw))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}
