package signers

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

const (
	beginKey = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
	endKey   = "-----END PGP PUBLIC KEY BLOCK-----"
)

// maxSignature is how many bytes a signature may have, unarmored.
const maxSignature = 64 << 10

// addRing reads the keys of one armored block.
func (s *Set) addRing(block string) error {
	ring, err := openpgp.ReadArmoredKeyRing(strings.NewReader(block))
	if err != nil {
		return fmt.Errorf("read the OpenPGP key: %w", err)
	}
	for _, key := range ring {
		if key.PrivateKey != nil {
			return errors.New("this is a private OpenPGP key: keep it where it was, and export the public one with `gpg --armor --export`")
		}
	}
	s.ring = append(s.ring, ring...)
	return nil
}

// verifyPGP verifies a detached signature. Keys are judged by the time of the
// signature, which is signed with it: what was published does not fall with a
// key that expires later.
func (s *Set) verifyPGP(payload []byte, armored string) (Signer, error) {
	raw, made, err := readSignature(armored)
	if err != nil {
		return Signer{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	config := &packet.Config{Time: func() time.Time { return made }}
	key, err := openpgp.CheckDetachedSignature(s.ring, bytes.NewReader(payload), bytes.NewReader(raw), config)
	switch {
	case errors.Is(err, pgperrors.ErrUnknownIssuer):
		return Signer{}, ErrUnknown
	case errors.Is(err, pgperrors.ErrKeyExpired), errors.Is(err, pgperrors.ErrSignatureExpired), errors.Is(err, pgperrors.ErrKeyRevoked):
		return Signer{}, fmt.Errorf("%w: %w", ErrTime, err)
	case err != nil:
		return Signer{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return Signer{userID(key), strings.ToUpper(hex.EncodeToString(key.PrimaryKey.Fingerprint))}, nil
}

// readSignature unarmors a signature and reads when it was made. There must be
// one alone: of several it would not be plain which one counts.
func readSignature(armored string) (raw []byte, made time.Time, err error) {
	block, err := armor.Decode(strings.NewReader(armored))
	if err != nil {
		return nil, made, err
	}
	if raw, err = io.ReadAll(io.LimitReader(block.Body, maxSignature)); err != nil {
		return nil, made, err
	}
	packets := packet.NewReader(bytes.NewReader(raw))
	p, err := packets.Next()
	if err != nil {
		return nil, made, err
	}
	sig, ok := p.(*packet.Signature)
	if !ok {
		return nil, made, errors.New("it is no signature")
	}
	if _, err := packets.Next(); !errors.Is(err, io.EOF) {
		return nil, made, errors.New("there is more than one signature")
	}
	return raw, sig.CreationTime, nil
}

// userID names the owner of a key.
func userID(key *openpgp.Entity) string {
	if id := key.PrimaryIdentity(); id != nil {
		return id.Name
	}
	return ""
}
