package log

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/mod/sumdb/note"
)

// Checkpoint is a head of the log: the content that is signed (c2sp.org/tlog-checkpoint).
type Checkpoint struct {
	Origin string // the log's name, which is also that of its key
	Size   int64
	Root   Hash
}

// MaxCheckpoint is the maximum size of a signed checkpoint, in bytes.
const MaxCheckpoint = 64 << 10

// Text returns the signed text.
func (c Checkpoint) Text() string { return fmt.Sprintf("%s\n%d\n%s\n", c.Origin, c.Size, c.Root) }

// parseCheckpoint parses the signed text. Lines after the third are extensions.
func parseCheckpoint(text string) (c Checkpoint, ok bool) {
	f := strings.Split(text, "\n")
	if len(f) < 4 || !validOrigin(f[0]) {
		return c, false
	}
	size, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != f[1] {
		return c, false
	}
	root, ok := parseHash(f[2])
	return Checkpoint{f[0], size, root}, ok
}

// parseHash parses a hash in base64.
func parseHash(text string) (h Hash, ok bool) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != len(h) || strings.ContainsAny(text, "\r\n") {
		return h, false
	}
	return Hash(raw), true
}

// validOrigin reports whether a text can be the name of a log and of its key.
func validOrigin(s string) bool {
	apart := func(r rune) bool { return unicode.IsSpace(r) || r == '+' }
	return s != "" && len(s) <= 255 && !strings.ContainsFunc(s, apart)
}

// ReadCheckpoint parses a signed checkpoint without verifying its signatures.
func ReadCheckpoint(signed []byte) (Checkpoint, error) {
	_, c, err := readNote(signed, note.VerifierList())
	return c, err
}

// readNote parses a signed note, and verifies the signatures by known keys.
func readNote(signed []byte, known note.Verifiers) (*note.Note, Checkpoint, error) {
	if len(signed) > MaxCheckpoint {
		return nil, Checkpoint{}, fmt.Errorf("this is no checkpoint: it is longer than %d bytes", MaxCheckpoint)
	}
	n, err := note.Open(signed, known)
	if unsigned, ok := errors.AsType[*note.UnverifiedNoteError](err); ok {
		n, err = unsigned.Note, nil
	}
	if wrong, ok := errors.AsType[*note.InvalidSignatureError](err); ok {
		return nil, Checkpoint{}, fmt.Errorf("the signature of %s on the checkpoint is not right", wrong.Name)
	}
	if err != nil {
		return nil, Checkpoint{}, fmt.Errorf("this is no checkpoint: it is not a signed note (c2sp.org/signed-note)")
	}
	c, ok := parseCheckpoint(n.Text)
	if !ok {
		return nil, Checkpoint{}, fmt.Errorf(
			"this is no checkpoint: it begins with three lines, a name, a size and a hash (c2sp.org/tlog-checkpoint)",
		)
	}
	return n, c, nil
}

// Signed is a checkpoint with its verified signatures.
type Signed struct {
	Checkpoint
	Witnesses map[string]int64 // by name of the key: the time of cosigning, in Unix seconds
}

// OpenCheckpoint verifies a signed checkpoint with the log's key and those of witnesses, from
// [NewVerifier]. Signatures of other keys are ignored; an invalid signature of one of these
// keys is an error, and so is a missing one of the log.
func OpenCheckpoint(signed []byte, log note.Verifier, witnesses ...note.Verifier) (Signed, error) {
	n, c, err := readNote(signed, note.VerifierList(append([]note.Verifier{log}, witnesses...)...))
	if err != nil {
		return Signed{}, err
	}
	s := Signed{Checkpoint: c, Witnesses: map[string]int64{}}
	own := false
	for _, sig := range n.Sigs {
		if sig.Name == log.Name() && sig.Hash == log.KeyHash() {
			own = true
		} else if at, ok := cosignedAt(sig); ok {
			s.Witnesses[sig.Name] = at
		}
	}
	switch {
	case !own:
		return Signed{}, fmt.Errorf(
			"the checkpoint of %s is not signed by the key %s+%s", c.Origin, log.Name(),
			fmt.Sprintf("%08x", log.KeyHash()),
		)
	case c.Origin != log.Name():
		return Signed{}, fmt.Errorf("the checkpoint is of the log %s, and the key is that of %s", c.Origin, log.Name())
	}
	return s, nil
}

// Sign returns a checkpoint signed with the log's key, whose name has to be its origin.
func (c Checkpoint) Sign(key note.Signer) ([]byte, error) {
	return note.Sign(&note.Note{Text: c.Text()}, key)
}

// Cosign adds the signature of a witness to a checkpoint, replacing an older one of the same
// key. The log's signature is verified first; see [NewWitness].
func Cosign(signed []byte, log note.Verifier, witness note.Signer) ([]byte, error) {
	if _, err := OpenCheckpoint(signed, log); err != nil {
		return nil, err
	}
	n, err := note.Open(signed, note.VerifierList(log))
	if err != nil {
		return nil, err
	}
	return note.Sign(n, witness)
}
