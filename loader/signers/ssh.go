package signers

import (
	"bytes"
	"crypto/rsa"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"rulestore/content/i18n"
)

// namespace is the namespace of git's signatures.
const namespace = "git"

// sshKey is one line of the file.
type sshKey struct {
	Signer
	public        ssh.PublicKey
	after, before time.Time // zero: not limited
	namespaces    []string  // patterns; nil: any
}

// leastRSA is the minimum size of an RSA key in bits.
const leastRSA = 2048

// addLine parses `principals [options] key-type key [comment]`.
func (s *Set) addLine(line string) error {
	principals, rest, err := firstWord(line)
	if err != nil {
		return err
	}
	public, _, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
	if err != nil {
		return i18n.Errorf(
			"this is no line of an allowed_signers file: expected for example `anna@example.org ssh-ed25519 AAAA…`",
		)
	}
	k := sshKey{Signer: Signer{principals, ssh.FingerprintSHA256(public)}, public: public}
	if err := k.check(); err != nil {
		return err
	}
	for _, option := range options {
		if err := k.limit(option); err != nil {
			return err
		}
	}
	s.keys = append(s.keys, k)
	return nil
}

// firstWord splits off the principals, which may be quoted.
func firstWord(line string) (word, rest string, err error) {
	if quoted, ok := strings.CutPrefix(line, `"`); ok {
		if word, rest, ok = strings.Cut(quoted, `"`); !ok {
			return "", "", i18n.Errorf("the quoted principals have no end")
		}
	} else if i := strings.IndexAny(line, " \t"); i >= 0 {
		word, rest = line[:i], line[i:]
	}
	if word == "" || strings.TrimSpace(rest) == "" {
		return "", "", i18n.Errorf(
			"a line begins with who it is about, then comes the key: expected for example `anna@example.org " +
				"ssh-ed25519 AAAA…`",
		)
	}
	return word, strings.TrimSpace(rest), nil
}

// check refuses weak keys.
func (k *sshKey) check() error {
	if strings.Contains(k.public.Type(), "-cert-") {
		return i18n.Errorf("this is a certificate (%s), which cannot be listed: list the key itself", k.public.Type())
	}
	c, ok := k.public.(ssh.CryptoPublicKey)
	if !ok {
		return nil // a security key
	}
	key, isRSA := c.CryptoPublicKey().(*rsa.PublicKey)
	switch {
	case isRSA && key.N.BitLen() < leastRSA:
		return i18n.Errorf("the RSA key has %d bits, at least %d are needed", key.N.BitLen(), leastRSA)
	case k.public.Type() == "ssh-dss":
		return i18n.Errorf("a DSA key is too weak: list a key of another type")
	}
	return nil
}

// limit applies an option.
func (k *sshKey) limit(option string) error {
	name, value, _ := strings.Cut(option, "=")
	value = strings.Trim(value, `"`)
	var err error
	switch strings.ToLower(name) {
	case "namespaces":
		k.namespaces = strings.Split(value, ",")
	case "valid-after":
		k.after, err = parseTime(value)
	case "valid-before":
		k.before, err = parseTime(value)
	case "cert-authority":
		err = i18n.Errorf("certificate authorities (cert-authority) are not supported: list the signers' own keys")
	default:
		err = i18n.Errorf("the option %q is not known: expected namespaces, valid-after or valid-before", name)
	}
	return err
}

// parseTime parses YYYYMMDD or YYYYMMDDHHMM[SS], with or without Z, in UTC.
func parseTime(text string) (time.Time, error) {
	digits := strings.TrimSuffix(strings.TrimSuffix(text, "Z"), "z")
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if t, err := time.Parse(layout, digits); err == nil && len(digits) == len(layout) {
			return t, nil
		}
	}
	return time.Time{}, i18n.Errorf("%q is no time: expected for example 20270101 or 202701012359Z", text)
}

// allowsGit reports whether the line allows signatures for git. As in ssh, a pattern after !
// excludes what others allow.
func (k *sshKey) allowsGit() bool {
	if k.namespaces == nil {
		return true
	}
	allowed := false
	for _, pattern := range k.namespaces {
		plain, not := strings.CutPrefix(pattern, "!")
		if ok, err := path.Match(plain, namespace); err == nil && ok {
			if not {
				return false
			}
			allowed = true
		}
	}
	return allowed
}

// at reports whether the line is valid at a time. For git the beginning of 1970 is no time: it
// uses the clock instead, so the answer would change from day to day.
func (k *sshKey) at(t time.Time) bool {
	if t.Unix() == 0 {
		return k.after.IsZero() && k.before.IsZero()
	}
	return (k.after.IsZero() || !t.Before(k.after)) && (k.before.IsZero() || !t.After(k.before))
}

// verifySSH verifies a signature of ssh-keygen -Y sign (openssh,
// PROTOCOL.sshsig).
func (s *Set) verifySSH(payload, armored []byte, at time.Time) (Signer, error) {
	raw, err := unarmor(armored, beginSSH, endSSH)
	if err == nil {
		raw, err = plain(raw)
	}
	if err != nil {
		return Signer{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	sig, err := parseSSH(raw)
	if err != nil {
		return Signer{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	id := sig.PublicKey.Marshal()
	lines := slices.DeleteFunc(slices.Clone(s.keys), func(k sshKey) bool {
		return !k.allowsGit() || !bytes.Equal(k.public.Marshal(), id)
	})
	if len(lines) == 0 {
		return Signer{}, fmt.Errorf("%w: %s", ErrUnknown, ssh.FingerprintSHA256(sig.PublicKey))
	}
	i := slices.IndexFunc(lines, func(k sshKey) bool { return k.at(at) })
	if i < 0 {
		return Signer{}, fmt.Errorf("%w: %s, %s", ErrTime, lines[0].Key, at.UTC().Format(time.RFC3339))
	}
	if err := sshsig.Verify(bytes.NewReader(payload), sig, lines[i].public, sig.HashAlgorithm, namespace); err != nil {
		return Signer{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return lines[i].Signer, nil
}

// parseSSH parses a signature like ssh-keygen: nothing follows it but the fields of security keys,
// and RSA is never with SHA-1.
func parseSSH(raw []byte) (*sshsig.Signature, error) {
	sig, err := sshsig.ParseSignature(raw)
	if err != nil {
		return nil, err
	}
	if len(sig.Signature.Rest) > 0 && !strings.HasPrefix(sig.PublicKey.Type(), "sk-") {
		return nil, errors.New("there is something behind it")
	}
	return sig, nil
}
