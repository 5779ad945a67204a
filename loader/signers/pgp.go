package signers

import (
	"bytes"
	"cmp"
	"crypto"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp/armor"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	openpgp "github.com/ProtonMail/go-crypto/openpgp/v2"

	"rulestore/content/i18n"
)

const (
	beginKey = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
	endKey   = "-----END PGP PUBLIC KEY BLOCK-----"
)

// version is that of the signatures and keys that gpg makes, and verifies for git.
const version = 4

// weak are the digests that count neither in signatures nor in keys.
var weak = map[crypto.Hash]bool{crypto.MD5: true, crypto.SHA1: true, crypto.RIPEMD160: true}

// rejected are the algorithms that do not count: all but RSA, ECDSA and EdDSA.
var rejected = func() map[packet.PublicKeyAlgorithm]bool {
	all := map[packet.PublicKeyAlgorithm]bool{}
	for n := range math.MaxUint8 + 1 {
		all[packet.PublicKeyAlgorithm(n)] = true
	}
	delete(all, packet.PubKeyAlgoRSA)
	delete(all, packet.PubKeyAlgoECDSA)
	delete(all, packet.PubKeyAlgoEdDSA)
	return all
}()

// config is the configuration of the library for a time.
func config(at time.Time) *packet.Config {
	return &packet.Config{
		Time: func() time.Time { return at }, MinRSABits: leastRSA, RejectPublicKeyAlgorithms: rejected,
		RejectHashAlgorithms: weak, RejectMessageHashAlgorithms: weak,
	}
}

// addRing parses the keys of one armored block.
func (s *Set) addRing(block string) error {
	ring, err := openpgp.ReadArmoredKeyRing(strings.NewReader(block))
	if err != nil {
		return i18n.Errorf("read the OpenPGP key: %w", err)
	}
	if listed, err := countKeys(block); err != nil || listed != len(ring) {
		return i18n.Errorf("of %d OpenPGP keys %d can be read: take the others out", listed, len(ring))
	}
	for _, key := range ring {
		if key.PrivateKey != nil {
			return i18n.Errorf("this is a private OpenPGP key: keep it where it was, " +
				"and export the public one with `gpg --armor --export`")
		}
		if !canSign(key) {
			return i18n.Errorf("the OpenPGP key %s of %s can sign nothing that counts: "+
				"it needs RSA of at least %d bits, ECDSA or EdDSA, the right to sign, "+
				"and certifications of its own that are not made with SHA-1", fingerprint(key), userID(key), leastRSA)
		}
	}
	s.ring = append(s.ring, ring...)
	return nil
}

// countKeys counts the keys in a block, including those that the library skips.
func countKeys(block string) (n int, err error) {
	armored, err := armor.Decode(strings.NewReader(block))
	if err != nil {
		return 0, err
	}
	const publicKey, secretKey = 6, 5 // RFC 4880, section 4.3
	for packets := packet.NewOpaqueReader(armored.Body); ; {
		p, err := packets.Next()
		switch {
		case errors.Is(err, io.EOF):
			return n, nil
		case err != nil:
			return n, err
		case p.Tag == publicKey || p.Tag == secretKey:
			n++
		}
	}
}

// canSign reports whether there is a time at which a signature by the key could count, if it was
// not revoked. The library caches what it finds out about each part of the key, so each is first
// checked at the time at which it was made: otherwise an answer would depend on earlier calls.
func canSign(key *openpgp.Entity) (can bool) {
	if key.PrimaryKey.Version != version {
		return false
	}
	was := unrevoked(key)
	for _, at := range changes(key) {
		_, ok := was.SigningKey(at, config(at))
		can = can || ok
	}
	return can
}

// unrevoked returns the key without revocations.
func unrevoked(key *openpgp.Entity) *openpgp.Entity {
	was := *key
	was.Revocations = nil
	was.Subkeys = slices.Clone(key.Subkeys)
	for i := range was.Subkeys {
		was.Subkeys[i].Revocations = nil
	}
	return &was
}

// changes lists the times at which parts of the key were signed, in ascending order.
func changes(key *openpgp.Entity) (times []time.Time) {
	signatures := slices.Clone(key.DirectSignatures)
	for _, id := range key.Identities {
		signatures = append(signatures, id.SelfCertifications...)
	}
	for _, sub := range key.Subkeys {
		signatures = append(signatures, sub.Bindings...)
	}
	for _, sig := range signatures {
		times = append(times, sig.Packet.CreationTime)
	}
	slices.SortFunc(times, time.Time.Compare)
	return times
}

// verifyPGP verifies a detached signature. Keys are checked at the time of the signature, which is
// signed with it: a publication stays valid if a key expires later.
func (s *Set) verifyPGP(payload, armored []byte) (Signer, error) {
	sig, err := readPGP(armored)
	if err != nil {
		return Signer{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	failed := ErrUnknown
	for _, key := range s.ring { // a key may be listed twice, in an old and a new state
		p, ok := partOf(key, *sig.IssuerKeyId)
		if !ok {
			continue
		}
		if err := p.verify(payload, sig); err != nil {
			failed = err
			continue
		}
		return Signer{userID(key), fingerprint(key)}, nil
	}
	return Signer{}, failed
}

// keyPart is a part of an OpenPGP key that signs: the primary key or a subkey.
type keyPart struct {
	key       *openpgp.Entity
	sub       *openpgp.Subkey // nil if it is the primary key
	public    *packet.PublicKey
	certified time.Time // the date of its oldest signature that is left
}

// partOf finds the part with an id.
func partOf(key *openpgp.Entity, id uint64) (p keyPart, ok bool) {
	p = keyPart{key: key, public: key.PrimaryKey}
	for _, identity := range key.Identities {
		p.since(identity.SelfCertifications)
	}
	if key.PrimaryKey.KeyId == id {
		return p, true
	}
	i := slices.IndexFunc(key.Subkeys, func(s openpgp.Subkey) bool { return s.PublicKey.KeyId == id })
	if i < 0 {
		return keyPart{}, false
	}
	p.sub, p.public = &key.Subkeys[i], key.Subkeys[i].PublicKey
	primary := p.certified
	p.certified = time.Time{}
	p.since(p.sub.Bindings)
	if p.certified.Before(primary) {
		p.certified = primary
	}
	return p, true
}

// since sets certified to the time of the oldest of some signatures.
func (p *keyPart) since(signatures []*packet.VerifiableSignature) {
	for _, s := range signatures {
		if made := s.Packet.CreationTime; p.certified.IsZero() || made.Before(p.certified) {
			p.certified = made
		}
	}
}

// verify verifies a signature. Extending the validity of a key with gpg replaces its
// certification, so for an earlier signature the oldest one that is left counts, unless it is
// older than the key itself.
func (p keyPart) verify(payload []byte, sig *packet.Signature) error {
	at := sig.CreationTime
	if at.Before(p.certified) {
		at = p.certified
	}
	err := p.valid(at)
	switch {
	case p.revoked():
		err = pgperrors.ErrKeyRevoked
	case sig.CreationTime.Before(p.public.CreationTime):
		err = pgperrors.ErrSignatureOlderThanKey
	case err == nil:
		return p.check(payload, sig, at)
	case !errors.Is(err, pgperrors.ErrKeyExpired):
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return fmt.Errorf("%w: %w", ErrTime, err)
}

// valid returns why the part is not valid at a time.
func (p keyPart) valid(at time.Time) error {
	if _, err := p.key.VerifyPrimaryKey(at, config(at)); err != nil || p.sub == nil {
		return err
	}
	_, err := p.sub.Verify(at, config(at))
	return err
}

// revoked reports whether the key or the part was revoked, at any time and for any reason: git
// does not accept its signatures either.
func (p keyPart) revoked() bool {
	return p.key.Revoked(maxDate) || p.sub != nil && p.sub.Revoked(nil, maxDate)
}

// check verifies the payload against the signature.
func (p keyPart) check(payload []byte, sig *packet.Signature, at time.Time) error {
	key, ok := p.key.SigningKeyById(at, p.public.KeyId, config(at))
	if !ok {
		return fmt.Errorf("%w: by a key that may not sign, or is too weak", ErrInvalid)
	}
	if cross := key.SelfSignature.EmbeddedSignature; cross != nil && weak[cross.Hash] {
		return fmt.Errorf("%w: its key agrees to that with %s, which does not count", ErrInvalid, cross.Hash)
	}
	digest, err := sig.PrepareVerify()
	if err == nil {
		_, _ = digest.Write(payload) // never fails
		err = key.PublicKey.VerifySignature(digest, sig)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return nil
}

// readPGP unarmors and parses a signature. There must be exactly one, as it would be ambiguous
// which of several counts, in a form that gpg makes and verifies for git.
func readPGP(armored []byte) (*packet.Signature, error) {
	raw, err := unarmorPGP(armored)
	if err != nil {
		return nil, err
	}
	packets := packet.NewReader(bytes.NewReader(raw))
	p, err := packets.Next()
	if err != nil {
		return nil, err
	}
	sig, ok := p.(*packet.Signature)
	if !ok {
		return nil, errors.New("it is no signature")
	}
	if _, err := packets.Next(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one signature")
	}
	return sig, checkPGP(sig)
}

// checkPGP refuses signatures that never count.
func checkPGP(sig *packet.Signature) error {
	critical := slices.IndexFunc(sig.Notations, func(n *packet.Notation) bool { return n.IsCritical })
	switch {
	case sig.Version != version:
		return fmt.Errorf("it has version %d, and gpg makes %d", sig.Version, version)
	case sig.SigType != packet.SigTypeBinary:
		return errors.New("it is not over the bytes themselves (type 0)")
	case sig.IssuerKeyId == nil:
		return errors.New("it does not say by which key it is")
	case rejected[sig.PubKeyAlgo]:
		return fmt.Errorf("its algorithm, number %d of OpenPGP's, does not count", sig.PubKeyAlgo)
	case weak[sig.Hash]:
		return fmt.Errorf("it is made with %s, which does not count", sig.Hash)
	case sig.SigLifetimeSecs != nil && *sig.SigLifetimeSecs > 0:
		return errors.New("it expires, so that it would count on one day and not on the next")
	case critical >= 0:
		return fmt.Errorf("it has the critical notation %q, which nobody here knows", sig.Notations[critical].Name)
	}
	return nil
}

func fingerprint(key *openpgp.Entity) string {
	return strings.ToUpper(hex.EncodeToString(key.PrimaryKey.Fingerprint))
}

// userID names the owner of a key by its primary user id or, without one, the newest; of several
// by the first in alphabetical order.
func userID(key *openpgp.Entity) (name string) {
	var best *packet.Signature
	for _, n := range slices.Sorted(maps.Keys(key.Identities)) {
		sig, err := key.Identities[n].Verify(time.Time{}, config(time.Time{}))
		if err == nil && (best == nil || compareIDs(sig, best) > 0) {
			name, best = n, sig
		}
		name = cmp.Or(name, n)
	}
	return name
}

func compareIDs(a, b *packet.Signature) int {
	isPrimary := func(s *packet.Signature) int {
		if s.IsPrimaryId != nil && *s.IsPrimaryId {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(isPrimary(a), isPrimary(b)), a.CreationTime.Compare(b.CreationTime))
}
