package signers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	openpgp "github.com/ProtonMail/go-crypto/openpgp/v2"

	"rulestore/content/i18n"
)

// Set is the set of trusted signers. It is immutable.
type Set struct {
	keys []sshKey
	ring openpgp.EntityList
	id   string
}

// Signer is a trusted signer.
type Signer struct {
	Name string // the principals of the line, or the user id of the OpenPGP key
	Key  string // the key's fingerprint: SHA256:… or hex
}

// MaxFile is the maximum size of the file, in bytes.
const MaxFile = 4 << 20

// The errors of [Set.Verify] for signatures that do not count.
var (
	ErrUnsigned = errors.New("it is not signed")
	ErrFormat   = errors.New("its signature is neither of SSH nor of OpenPGP")
	ErrUnknown  = errors.New("it is signed with a key that is not trusted")
	ErrTime     = errors.New("it is signed with a key that is not trusted for that time")
	ErrInvalid  = errors.New("its signature is wrong")
)

// ID identifies the file by its content: sets with equal ids are equal. It is empty for a nil
// set.
func (s *Set) ID() string {
	if s == nil {
		return ""
	}
	return s.id
}

// Parse parses the file. An error names the line.
func Parse(raw []byte) (*Set, error) {
	if len(raw) > MaxFile {
		return nil, i18n.Errorf("the file has %d bytes, at most %d are read", len(raw), MaxFile)
	}
	sum := sha256.Sum256(raw)
	s := &Set{id: hex.EncodeToString(sum[:])}
	var block strings.Builder // of an OpenPGP key that is being read
	begun, n := 0, 0
	for line := range strings.Lines(string(raw)) {
		n++
		text := strings.TrimSpace(line)
		var err error
		switch {
		case begun > 0 || text == beginKey:
			if begun == 0 {
				begun = n
			}
			block.WriteString(line)
			if text == endKey {
				err = s.addRing(block.String())
				begun = 0
				block.Reset()
			}
		case text != "" && text[0] != '#':
			err = s.addLine(text)
		}
		if err != nil {
			return nil, i18n.Errorf("line %d: %w", n, err)
		}
	}
	switch {
	case begun > 0:
		return nil, i18n.Errorf("line %d: the OpenPGP key has no end", begun)
	case len(s.keys) == 0 && len(s.ring) == 0:
		return nil, i18n.Errorf("there is no key in the file, so nothing would be served")
	}
	return s, nil
}

// Verify returns the signer of the payload. At is the time of signing in the payload.
func (s *Set) Verify(payload, signature []byte, at time.Time) (Signer, error) {
	switch {
	case len(bytes.TrimSpace(signature)) == 0:
		return Signer{}, ErrUnsigned
	case bytes.HasPrefix(signature, []byte(beginSSH)):
		return s.verifySSH(payload, signature, at)
	case bytes.HasPrefix(signature, []byte(beginPGP)):
		return s.verifyPGP(payload, signature)
	}
	return Signer{}, ErrFormat
}

// Judge returns the signer of an object, given as git stores it with its type, and for a tag
// the name in the signed object, which may differ from the ref's. The error is the reason why
// no signature counts.
func (s *Set) Judge(kind string, raw []byte) (by Signer, tag string, err error) {
	var object interface {
		split() (payload, armored []byte, err error)
	}
	var at time.Time
	switch kind {
	case "commit":
		var c Commit
		c, err = ReadCommit(raw)
		object, at = c, c.Committed
	case "tag":
		var t Tag
		t, err = ReadTag(raw)
		object, at, tag = t, t.Tagged, t.Name
	default:
		return by, "", fmt.Errorf("a %s carries no signature", kind)
	}
	if err != nil {
		return by, "", fmt.Errorf("%w: %w", ErrLayout, err)
	}
	payload, signature, err := object.split()
	if err == nil {
		by, err = s.Verify(payload, signature, at)
	}
	return by, tag, err
}
