package log

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// Policy says which heads of a log are trusted: the required signatures, and the maximum age of
// those of witnesses.
type Policy struct {
	log       note.Verifier
	witnesses []note.Verifier
	quorum    int
	maxAge    time.Duration
}

// ahead is the accepted clock difference of a witness.
const ahead = time.Hour

// NewPolicy makes a policy from the public keys of a log and of its witnesses, in the form of
// [Key.Public] and [Key.PublicOfWitness], the number of witnesses that have to sign a head, and
// the maximum age of their signatures; 0: no limit. It is an error if a key occurs twice, under
// whatever name: one party is one witness.
func NewPolicy(log string, witnesses []string, quorum int, maxAge time.Duration) (Policy, error) {
	p := Policy{quorum: quorum, maxAge: maxAge}
	own, secret, err := publicKey(log, ed25519Type)
	if err != nil {
		return Policy{}, fmt.Errorf("the key of the log: %w", err)
	}
	p.log = own
	names, secrets := []string{own.Name()}, []string{secret}
	for _, public := range witnesses {
		w, secret, err := publicKey(public, cosignatureType)
		switch {
		case err != nil:
			return Policy{}, fmt.Errorf("the key of a witness: %w", err)
		case slices.Contains(names, w.Name()), slices.Contains(secrets, secret):
			return Policy{}, fmt.Errorf(
				"the witness %s stands twice, or has the key or the name of another one or of the log", w.Name(),
			)
		}
		p.witnesses, names, secrets = append(p.witnesses, w), append(names, w.Name()), append(secrets, secret)
	}
	return p, p.check()
}

// check refuses policies that cannot be met.
func (p Policy) check() error {
	switch n := len(p.witnesses); {
	case n == 0 && p.quorum != 0:
		return fmt.Errorf("a quorum of %d needs witnesses, and none is named", p.quorum)
	case n == 0 && p.maxAge != 0:
		return fmt.Errorf("an age needs witnesses: only they say when they signed, and the key of the log does not")
	case n > 0 && (p.quorum < 1 || p.quorum > n):
		return fmt.Errorf("the quorum is %d of %d witnesses: expected 1 to %d", p.quorum, n, n)
	case p.maxAge < 0:
		return fmt.Errorf("an age of %s is less than nothing", p.maxAge)
	}
	return nil
}

// publicKey parses a public key of one type, and returns the part that all its forms have in
// common.
func publicKey(public string, kind byte) (v note.Verifier, bytes string, err error) {
	v, err = NewVerifier(public)
	if err != nil {
		return nil, "", err
	}
	raw, err := base64.StdEncoding.DecodeString(strings.SplitN(public, "+", 3)[2])
	switch {
	case err != nil:
		return nil, "", err // it was read already
	case raw[0] != kind && kind == cosignatureType:
		return nil, "", fmt.Errorf(
			"%.120q is a key of a log: that of a witness is the second that `rulestore log key` prints", public,
		)
	case raw[0] != kind:
		return nil, "", fmt.Errorf(
			"%.120q is a key of a witness: that of a log is the first that `rulestore log key` prints", public,
		)
	}
	return v, string(raw[1:]), nil
}

// Open verifies the signatures of a checkpoint, by the log and by the witnesses of the policy:
// see [OpenCheckpoint]. [Policy.Accept] checks whether they are enough.
func (p Policy) Open(signed []byte) (Signed, error) {
	return OpenCheckpoint(signed, p.log, p.witnesses...)
}

// Seen parses a checkpoint that was accepted before. The key of the log may have been a
// different one then, with the same name; a signature by a key of the policy has to be valid.
func (p Policy) Seen(signed []byte) (Checkpoint, error) {
	_, c, err := readNote(signed, note.VerifierList(append([]note.Verifier{p.log}, p.witnesses...)...))
	if err == nil && c.Origin != p.log.Name() {
		err = fmt.Errorf("the checkpoint is of the log %s, and the key is that of %s", c.Origin, p.log.Name())
	}
	return c, err
}

// Accept returns the reason why a head, from Open, is not trusted at a time, nil if it is: too
// few witnesses have signed it, or too long ago.
func (p Policy) Accept(s Signed, now time.Time) error {
	at, err := p.witnessed(s, now)
	if err == nil && p.maxAge > 0 && now.Sub(at) > p.maxAge {
		err = fmt.Errorf(
			"the witnesses have signed the log of %d leaves last at %s, more than %s ago: it is an old one, or "+
				"nobody signs any more",
			s.Size, at.Format(time.RFC3339), p.maxAge,
		)
	}
	return err
}

// witnessed returns when as many witnesses as have to had signed a head, from Open; an error if too few
// have. Without witnesses it is zero.
func (p Policy) witnessed(s Signed, now time.Time) (at time.Time, err error) {
	if p.quorum == 0 {
		return at, nil
	}
	var times []int64
	for _, at := range s.Witnesses {
		if at <= now.Add(ahead).Unix() { // otherwise it would be new for ever
			times = append(times, at)
		}
	}
	if len(times) < p.quorum {
		return at, fmt.Errorf(
			"%d of %d witnesses have signed the log of %d leaves, and %d have to", len(times), len(p.witnesses), s.Size,
			p.quorum,
		)
	}
	slices.Sort(times)
	return time.Unix(times[len(times)-p.quorum], 0).UTC(), nil
}
