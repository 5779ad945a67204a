package log

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// The signature types (c2sp.org/signed-note).
const (
	ed25519Type     = 1
	cosignatureType = 4
)

// Key is a private key in the form PRIVATE+KEY+<name>+<hash>+<base64>, see [note.GenerateKey].
type Key struct {
	signer  note.Signer
	name    string
	private ed25519.PrivateKey
}

// NewKey generates a key. Its name is that of the log, or of the witness, that it signs for: a
// URL without a scheme, as rules.example.org/log.
func NewKey(random io.Reader, name string) (text string, err error) {
	if !validOrigin(name) {
		return "", fmt.Errorf(
			"%.80q cannot be the name of a key: take an address without a scheme, as rules.example.org/log", name,
		)
	}
	text, _, err = note.GenerateKey(random, name)
	return text, err
}

var errNoKey = fmt.Errorf("this is no key: it begins with PRIVATE+KEY+, and `rulestore log key NAME FILE` makes one")

// ParseKey parses a key in the form of [NewKey].
func ParseKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	signer, err := note.NewSigner(text)
	if err != nil || !validOrigin(signer.Name()) {
		return Key{}, errNoKey
	}
	f := strings.SplitN(text, "+", 5) // PRIVATE, KEY, name, hash, key
	raw, err := base64.StdEncoding.DecodeString(f[4])
	if err != nil || len(raw) != 1+ed25519.SeedSize {
		return Key{}, errNoKey
	}
	return Key{signer, signer.Name(), ed25519.NewKeyFromSeed(raw[1:])}, nil
}

// Name returns the name of the key.
func (k Key) Name() string { return k.name }

// Log returns the key as a signer for a log, which signs checkpoints.
func (k Key) Log() note.Signer { return k.signer }

// Public returns the public key for verifying a log's signatures.
func (k Key) Public() string { return encode(k.name, ed25519Type, k.public()) }

// PublicOfWitness returns the public key for verifying a witness's signatures.
func (k Key) PublicOfWitness() string { return encode(k.name, cosignatureType, k.public()) }

func (k Key) public() ed25519.PublicKey { return k.private.Public().(ed25519.PublicKey) }

// encode writes a public key: <name>+<hash>+<base64>.
func encode(name string, kind byte, public ed25519.PublicKey) string {
	raw := append([]byte{kind}, public...)
	return fmt.Sprintf("%s+%08x+%s", name, keyHash(name, raw), base64.StdEncoding.EncodeToString(raw))
}

func keyHash(name string, key []byte) uint32 {
	sum := sha256.Sum256(append([]byte(name+"\n"), key...))
	return binary.BigEndian.Uint32(sum[:])
}

// NewWitness returns a key as a signer for a witness, which cosigns at a time
// (c2sp.org/tlog-cosignature, cosignature/v1). The signature states that the witness has seen
// no later head of the log that is inconsistent with this one: the caller has to ensure it.
func NewWitness(k Key, at time.Time) note.Signer { return witness{k, at.Unix()} }

type witness struct {
	Key
	at int64
}

func (w witness) KeyHash() uint32 {
	return keyHash(w.name, append([]byte{cosignatureType}, w.public()...))
}

func (w witness) Sign(msg []byte) ([]byte, error) {
	sig := binary.BigEndian.AppendUint64(nil, uint64(w.at))
	return append(sig, ed25519.Sign(w.private, cosigned(w.at, msg))...), nil
}

// cosigned is the text that a witness signs.
func cosigned(at int64, msg []byte) []byte {
	return append([]byte("cosignature/v1\ntime "+strconv.FormatInt(at, 10)+"\n"), msg...)
}

// NewVerifier parses a public key of a log or of a witness.
func NewVerifier(public string) (note.Verifier, error) {
	if v, err := note.NewVerifier(public); err == nil {
		return v, nil
	}
	name, rest, _ := strings.Cut(public, "+")
	hash, encoded, _ := strings.Cut(rest, "+")
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || !validOrigin(name) || len(raw) != 1+ed25519.PublicKeySize || raw[0] != cosignatureType ||
		hash != fmt.Sprintf("%08x", keyHash(name, raw)) {
		return nil, fmt.Errorf(
			"%.120q is no public key: it is a name, eight hex digits and base64 with + between them", public,
		)
	}
	return cosigner{name, raw[1:]}, nil
}

// cosigner verifies cosignatures.
type cosigner struct {
	name   string
	public ed25519.PublicKey
}

func (c cosigner) Name() string { return c.name }

func (c cosigner) KeyHash() uint32 {
	return keyHash(c.name, append([]byte{cosignatureType}, c.public...))
}

func (c cosigner) Verify(msg, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	at := int64(binary.BigEndian.Uint64(sig))
	return at >= 0 && ed25519.Verify(c.public, cosigned(at, msg), sig[8:])
}

// cosignedAt returns the time of a verified signature; not ok if it is not that of a witness.
func cosignedAt(sig note.Signature) (at int64, ok bool) {
	raw, err := base64.StdEncoding.DecodeString(sig.Base64)
	if err != nil || len(raw) != 4+8+ed25519.SignatureSize {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(raw[4:])), true
}
