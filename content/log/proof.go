package log

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Proof is an offline proof that a leaf is in the log (c2sp.org/tlog-proof).
type Proof struct {
	Leaf       Leaf // as stated by the proof; the verifier has to compare it
	Index      int64
	Hashes     []Hash
	Checkpoint []byte // signed
}

const (
	proofLine = "c2sp.org/tlog-proof@v1"
	extraWord = "extra "
	indexWord = "index "
)

// Prove returns the proof that a leaf is in the tree of a signed checkpoint, which has to agree
// with the log.
func (l *Log) Prove(index int64, signed []byte) (Proof, error) {
	c, err := ReadCheckpoint(signed)
	if err != nil {
		return Proof{}, err
	}
	hashes, err := l.Inclusion(index, c.Size)
	if err != nil {
		return Proof{}, err
	}
	return Proof{l.leaves[index], index, hashes, signed}, nil
}

// Text returns the proof as text.
func (p Proof) Text() []byte {
	var b bytes.Buffer
	b.WriteString(proofLine + "\n")
	b.WriteString(extraWord + base64.StdEncoding.EncodeToString([]byte(p.Leaf)) + "\n")
	b.WriteString(indexWord + strconv.FormatInt(p.Index, 10) + "\n")
	for _, h := range p.Hashes {
		b.WriteString(h.String() + "\n")
	}
	b.WriteString("\n")
	b.Write(p.Checkpoint)
	return b.Bytes()
}

// ParseProof parses the form of [Proof.Text]. It verifies nothing.
func ParseProof(text []byte) (p Proof, err error) {
	wrong := fmt.Errorf("this is no proof (c2sp.org/tlog-proof@v1)")
	if len(text) > 2*MaxLeaf+2*MaxCheckpoint {
		return p, wrong
	}
	head, checkpoint, ok := bytes.Cut(text, []byte("\n\n"))
	f := strings.Split(string(head), "\n")
	if !ok || len(f) < 2 || f[0] != proofLine {
		return p, wrong
	}
	f = f[1:]
	if extra, ok := strings.CutPrefix(f[0], extraWord); ok && len(f) > 1 {
		leaf, err := base64.StdEncoding.Strict().DecodeString(extra)
		if err != nil {
			return p, wrong
		}
		p.Leaf, f = Leaf(leaf), f[1:]
	}
	index, ok := strings.CutPrefix(f[0], indexWord)
	p.Index, err = strconv.ParseInt(index, 10, 64)
	if !ok || err != nil || p.Index < 0 || strconv.FormatInt(p.Index, 10) != index {
		return p, wrong
	}
	for _, line := range f[1:] {
		h, ok := parseHash(line)
		if !ok || len(p.Hashes) == 63 {
			return p, wrong
		}
		p.Hashes = append(p.Hashes, h)
	}
	p.Checkpoint = checkpoint
	return p, nil
}

// Verify checks that a leaf, given by the caller, is in the log with the given key, and returns
// the checkpoint of the proof, with the witnesses that signed it.
func (p Proof) Verify(leaf Leaf, log note.Verifier, witnesses ...note.Verifier) (Signed, error) {
	s, err := OpenCheckpoint(p.Checkpoint, log, witnesses...)
	if err != nil {
		return Signed{}, err
	}
	return s, CheckInclusion(p.Hashes, p.Index, leaf, s.Checkpoint)
}

// CheckInclusion checks a proof that a leaf is in the tree of a checkpoint.
func CheckInclusion(proof []Hash, index int64, leaf Leaf, c Checkpoint) error {
	if index < 0 || index >= c.Size ||
		tlog.CheckRecord(proof, c.Size, c.Root, index, tlog.RecordHash([]byte(leaf))) != nil {
		return fmt.Errorf("leaf %d of %d is not %.200q", index, c.Size, string(leaf))
	}
	return nil
}

// CheckConsistency checks a proof that the tree of a checkpoint is a prefix of that of a newer
// one.
func CheckConsistency(proof []Hash, old, now Checkpoint) error {
	switch {
	case old.Size > now.Size:
		return fmt.Errorf("the log had %d leaves, and now has %d: it was rolled back", old.Size, now.Size)
	case old.Size == now.Size && old.Root != now.Root:
		return fmt.Errorf("there are two logs of %d leaves: their roots are %s and %s", old.Size, old.Root, now.Root)
	case old.Size == 0 || old.Size == now.Size:
		return nil
	}
	if tlog.CheckTree(proof, now.Size, now.Root, old.Size, old.Root) != nil {
		return fmt.Errorf(
			"the log of %d leaves is no beginning of that of %d: its history was rewritten", old.Size, now.Size,
		)
	}
	return nil
}
