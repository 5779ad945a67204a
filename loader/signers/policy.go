package signers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"rulestore/content/i18n"
)

// Approving is the namespace of approvals: a signature made for another purpose is no approval,
// and an approval is no signature for git.
const Approving = "rulestore"

// requirement is the number of approvals by a role that publications of some items need.
type requirement struct {
	Items     []string // patterns of folder and name, where * stands for any text
	Role      string
	Approvals int
}

// ParsePolicy parses a policy: the signers, as [Parse] does, the roles, and the number of
// approvals required of a role. An item that matches several requirements has to meet all of
// them.
func ParsePolicy(raw []byte) (*Set, error) {
	if len(raw) > MaxFile {
		return nil, i18n.Errorf("the file has %d bytes, at most %d are read", len(raw), MaxFile)
	}
	var in struct {
		Signers string
		Roles   map[string][]string
		Require []requirement
	}
	told, err := toml.Decode(string(raw), &in)
	if wrong, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, i18n.Errorf("line %d: %w", wrong.Position.Line, errors.New(wrong.Message))
	}
	if err != nil {
		return nil, err
	}
	if others := told.Undecoded(); len(others) > 0 {
		return nil, i18n.Errorf(
			"the policy has a field %q: expected `signers`, `roles` and `require`, with `items`, `role` and `approvals`",
			others[0].String(),
		)
	}
	s, err := Parse([]byte(in.Signers))
	if err != nil {
		return nil, i18n.Errorf("`signers`: %w", err)
	}
	sum := sha256.Sum256(raw)
	s.id, s.roles, s.required = hex.EncodeToString(sum[:]), in.Roles, in.Require
	return s, s.check()
}

// check refuses policies that can never be met, or protect less than they seem to.
func (s *Set) check() error {
	for i, k := range s.keys {
		for _, other := range s.keys[:i] {
			if other.Name != k.Name && bytes.Equal(other.public.Marshal(), k.public.Marshal()) {
				return i18n.Errorf("%s and %s have one key: whoever holds it would count twice", other.Name, k.Name)
			}
		}
	}
	for role, members := range s.roles {
		for i, name := range members {
			switch {
			case slices.Contains(members[:i], name):
				return i18n.Errorf("%s stands twice in the role %s", name, role)
			case !slices.ContainsFunc(s.keys, func(k sshKey) bool { return k.Name == name && k.allows(Approving) }):
				return i18n.Errorf(
					"%s, in the role %s, has no SSH key among the `signers` that may sign for the namespace %s", name,
					role, Approving,
				)
			}
		}
	}
	for _, r := range s.required {
		switch n := len(s.roles[r.Role]); {
		case n == 0:
			return i18n.Errorf("nobody has the role %q, which `require` names", r.Role)
		case r.Approvals < 1 || r.Approvals > n:
			return i18n.Errorf("%d approvals of %d in the role %s: expected 1 to %d", r.Approvals, n, r.Role, n)
		case len(r.Items) == 0:
			return i18n.Errorf("a requirement of the role %s names no `items`", r.Role)
		}
	}
	return nil
}

// Patterns lists the items that require approvals, as written in the policy.
func (s *Set) Patterns() (all []string) {
	if s != nil {
		for _, r := range s.required {
			all = append(all, r.Items...)
		}
	}
	return all
}

// Requires reports whether publications of an item, folder and name, require approvals.
func (s *Set) Requires(item string) bool {
	return s != nil && slices.ContainsFunc(s.required, func(r requirement) bool { return r.meant(item) })
}

// Lack is a number of missing approvals by a role.
type Lack struct {
	Role    string
	More    int
	Have    []string // those who approved
	Missing []string // those in the role who have not approved yet
}

// Lacking returns the missing approvals for an item that these people have approved; nothing if
// they are enough.
func (s *Set) Lacking(item string, by []string) (all []Lack) {
	if s == nil {
		return nil
	}
	for _, r := range s.required {
		if !r.meant(item) {
			continue
		}
		l := Lack{Role: r.Role}
		for _, name := range s.roles[r.Role] {
			if slices.Contains(by, name) {
				l.Have = append(l.Have, name)
			} else {
				l.Missing = append(l.Missing, name)
			}
		}
		if l.More = r.Approvals - len(l.Have); l.More > 0 {
			all = append(all, l)
		}
	}
	return all
}

func (r requirement) meant(item string) bool {
	return slices.ContainsFunc(r.Items, func(pattern string) bool { return matches(pattern, item) })
}

// matches reports whether a pattern matches a text; * stands for any text including /, so that an
// item in a deeper folder does not escape.
func matches(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	text, ok := strings.CutPrefix(text, parts[0])
	if len(parts) == 1 {
		return ok && text == ""
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return ok && strings.HasSuffix(text, last)
}

// Approver returns the signer of an approval: the name used in roles. The signature is that of
// `ssh-keygen -Y sign -n rulestore` without armor, over the payload; the key has to be valid at
// the time at.
func (s *Set) Approver(payload, signature []byte, at time.Time) (string, error) {
	by, err := s.verifyFor(Approving, payload, signature, at)
	return by.Name, err
}
