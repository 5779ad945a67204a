//go:build slow

package signers_test

import (
	"errors"
	"testing"
	"time"

	"rulestore/loader/signers"
)

// Every kind of key that ssh-keygen makes without a device.
func TestKindsOfKeys(t *testing.T) {
	for _, kind := range [][]string{{"-t", "ed25519"}, {"-t", "ecdsa"}, {"-t", "ecdsa", "-b", "521"},
		{"-t", "rsa", "-b", "3072"}} {
		public, signature := keygen(t, kind...)
		s := parse(t, "anna@example.org "+public)
		if _, err := s.Verify([]byte(payload), []byte(signature), time.Now()); err != nil {
			t.Errorf("%v: %v", kind, err)
		}
		if _, err := s.Verify([]byte(payload+" "), []byte(signature), time.Now()); !errors.Is(err, signers.ErrInvalid) {
			t.Errorf("%v, another payload: %v", kind, err)
		}
	}
}
