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

// Set is the list of those whose signatures count. It does not change.
type Set struct {
	keys []sshKey
	ring openpgp.EntityList
	id   string

	// Of a policy.
	roles    map[string][]string
	required []requirement
}

// Signer is one of them.
type Signer struct {
	Name string // the principals of the line, or the user id of the OpenPGP key
	Key  string // the key's fingerprint: SHA256:… or hex
}

// MaxFile is how many bytes the file may have.
const MaxFile = 4 << 20

// What [Set.Verify] returns when a signature does not count; the texts say why.
var (
	ErrUnsigned = errors.New("it is not signed")
	ErrFormat   = errors.New("its signature is neither of SSH nor of OpenPGP")
	ErrUnknown  = errors.New("it is signed with a key that is not trusted")
	ErrTime     = errors.New("it is signed with a key that is not trusted for that time")
	ErrInvalid  = errors.New("its signature is wrong")
)

// ID identifies the file by its content: equal ids, equal judgements. It is
// empty if there is no set.
func (s *Set) ID() string {
	if s == nil {
		return ""
	}
	return s.id
}

// Parse reads the file. An error names the line.
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

// VerifyCommit returns who signed a commit. An error says why its signature does not
// count.
func (s *Set) VerifyCommit(c Commit) (Signer, error) {
	payload, signature, err := c.split()
	if err != nil {
		return Signer{}, err
	}
	return s.Verify(payload, signature, c.Committed)
}

// VerifyTag returns who signed a tag under the name that it has. An error says why its
// signature does not count.
func (s *Set) VerifyTag(t Tag) (Signer, error) {
	payload, signature, err := t.split()
	if err != nil {
		return Signer{}, err
	}
	return s.Verify(payload, signature, t.Tagged)
}

// Verify returns who signed the payload. At is the time that the payload says
// it was made.
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

// Judge says who signed an object, given as git stores it with what it is, and for a
// tag the name that was signed with it, which is not the ref's. An error says why
// nobody did whose signature counts.
func (s *Set) Judge(kind string, raw []byte) (by Signer, tag string, err error) {
	switch kind {
	case "commit":
		c, err := ReadCommit(raw)
		if err != nil {
			return Signer{}, "", fmt.Errorf("%w: %w", ErrLayout, err)
		}
		by, err = s.VerifyCommit(c)
		return by, "", err
	case "tag":
		t, err := ReadTag(raw)
		if err != nil {
			return Signer{}, "", fmt.Errorf("%w: %w", ErrLayout, err)
		}
		by, err = s.VerifyTag(t)
		return by, t.Name, err
	}
	return Signer{}, "", fmt.Errorf("a %s carries no signature", kind)
}
