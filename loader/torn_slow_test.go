//go:build slow

package loader_test

import (
	"testing"
)

// With trusted signers the same holds for what a signature is over.
func TestSignedTagOfLostObjects(t *testing.T) {
	for _, rev := range []string{"side", "guidelines/" + one + "/v1.1.0"} {
		t.Run(rev, func(t *testing.T) {
			r := newSignedRepo(t, "").play("checkout -b side; edit one Один; sign one 1.1.0 anna; checkout main")
			r.remove(rev)
			got := r.load()
			r.expect(got, "two.001/v1.0.0 by anna", one+"/v1.1.0: error: read tag", "[damaged]")
		})
	}
}
